// POST /object/move: another name, or another bucket, for the same file. The bytes stay where they are.
import { z } from 'zod';
import { allowsType, limitsOf, sizeLimitOf } from '../buckets/bucket.ts';
import { verifiedType } from '../content/verified-type.ts';
import { asCaller } from '../database.ts';
import { noSuchKey, tooLarge, wrongType } from '../errors/catalogue.ts';
import { readJson } from '../input/json.ts';
import { readKey } from '../input/names.ts';
import type { Endpoint, Service } from '../service.ts';
import { bareType, verifies } from '../upload/keep.ts';
import { findObject, type ObjectRow } from './object-row.ts';

export const Places = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationKey: z.string(),
  destinationBucket: z.string().nullish(),
});

/** A bucket's limits hold for what is moved in as for what is sent. */
async function checkArrival(service: Service, row: ObjectRow, bucketId: string): Promise<void> {
  const bucket = await limitsOf(service, bucketId);
  const { size, mimetype } = row.metadata;
  const type = bareType(mimetype);
  if (size > sizeLimitOf(service, bucket)) throw tooLarge();
  if (!allowsType(bucket, type)) throw wrongType(type);
  if (verifies(service, bucket)) {
    await verifiedType(() => service.blobs.read(row.version ?? ''), type);
  }
}

export const moveObject: Endpoint = async (service, request, _reply, visitor) => {
  const body = await readJson(request, Places);
  const source = readKey(body.sourceKey);
  const destination = readKey(body.destinationKey);
  const bucket = body.destinationBucket ?? body.bucketId;
  const db = asCaller(service, visitor);
  const row = await findObject(db, body.bucketId, source);
  if (bucket !== body.bucketId) await checkArrival(service, row, bucket);
  const moved = await db.write(
    `update storage.objects set bucket_id = $3, name = $4
     where bucket_id = $1 and name = $2 and version is not distinct from $5`,
    [body.bucketId, source, bucket, destination, row.version],
  );
  if (moved === 0) throw noSuchKey();
  return { message: 'Successfully moved', Id: row.id, Key: `${bucket}/${destination}` };
};
