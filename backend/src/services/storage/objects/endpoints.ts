import { z } from 'zod';
import { allowsType, fetchLimits, findSizeLimit } from '../buckets/bucket.ts';
import { verifiedType } from '../content-type.ts';
import { noSuchKey, tooLarge, wrongType } from '../errors.ts';
import { bucketNameOf, readJson, readKey, readObjectAddress } from '../input.ts';
import type { Endpoint, Service } from '../service.ts';
import { metadataHeader } from '../upload/receive.ts';
import { bareType, storeObject, verifiesContent } from '../upload/store.ts';
import { findObject, ObjectRow } from './object-row.ts';

const SourceAndDestination = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationKey: z.string(),
  destinationBucket: z.string().nullish(),
});

/** A bucket's limits apply to moved objects as to uploads. */
async function checkLimits(service: Service, row: ObjectRow, bucketId: string): Promise<void> {
  const bucket = await fetchLimits(service, bucketId);
  const { size, mimetype } = row.metadata;
  const type = bareType(mimetype);
  if (size > findSizeLimit(service, bucket)) throw tooLarge();
  if (!allowsType(bucket, type)) throw wrongType(type);
  if (verifiesContent(service, bucket)) {
    await verifiedType(() => service.blobs.read(row.version ?? '', { size }), type);
  }
}

/** POST /object/move: changes the name or bucket; the blob stays. */
export const moveObject: Endpoint = async (call) => {
  const body = await readJson(call.request, SourceAndDestination);
  const source = readKey(body.sourceKey);
  const destination = readKey(body.destinationKey);
  const bucket = body.destinationBucket ?? body.bucketId;
  const db = call.db;
  const row = await findObject(db, body.bucketId, source);
  if (bucket !== body.bucketId) await checkLimits(call, row, bucket);
  const moved = await db.write(
    `update storage.objects set bucket_id = $3, name = $4
     where bucket_id = $1 and name = $2 and version is not distinct from $5`,
    [body.bucketId, source, bucket, destination, row.version],
  );
  if (moved === 0) throw noSuchKey();
  return { message: 'Successfully moved', Id: row.id, Key: `${bucket}/${destination}` };
};

const Copy = SourceAndDestination.extend({
  copyMetadata: z.boolean().nullish(),
  metadata: z
    .object({ cacheControl: z.string().nullish(), mimetype: z.string().nullish() })
    .nullish(),
});

/** POST /object/copy */
export const copyObject: Endpoint = async (call) => {
  const body = await readJson(call.request, Copy);
  const key = readKey(body.destinationKey);
  const db = call.db;
  const source = await findObject(db, body.bucketId, readKey(body.sourceKey));
  const bucket = await fetchLimits(call, body.destinationBucket ?? body.bucketId);
  const copiesMetadata = body.copyMetadata ?? true;
  const object = { key, sub: call.sub, replaces: call.request.headers['x-upsert'] === 'true' };
  await storeObject(call, db, bucket, object, source.metadata.size, async () => ({
    source: await call.blobs.read(source.version ?? '', { size: source.metadata.size }),
    type: body.metadata?.mimetype ?? source.metadata.mimetype,
    details: async () => ({
      cacheControl: body.metadata?.cacheControl ?? source.metadata.cacheControl,
      userMetadata: copiesMetadata ? source.user_metadata : metadataHeader(call.request),
    }),
  }));
  const copy = await findObject(db, bucket.id, key);
  return { Key: `${bucket.id}/${key}`, Id: copy.id, ...copy };
};

/** DELETE /object/{bucket}/{key} */
export const removeObject: Endpoint = async (call) => {
  const { bucket, key } = readObjectAddress(call.request);
  const removed = await call.db.write(
    'delete from storage.objects where bucket_id = $1 and name = $2',
    [bucket, key],
  );
  if (removed === 0) throw noSuchKey();
  call.unused.collect();
  return { message: 'Successfully deleted' };
};

const MAX_KEYS = 1_000;
const Prefixes = z.object({ prefixes: z.array(z.string()).min(1).max(MAX_KEYS) });

/** DELETE /object/{bucket}: removes and returns those of the list that the caller may delete. */
export const removeObjects: Endpoint = async (call) => {
  const { prefixes } = await readJson(call.request, Prefixes);
  const keys = prefixes.filter((key) => !key.includes('\0'));
  const removed = await call.db.rows(
    ObjectRow,
    `delete from storage.objects o
     where o.bucket_id = $1 and o.name = any (array(select jsonb_array_elements_text($2::jsonb)))
     returning to_jsonb(o) - 'path_tokens'`,
    [bucketNameOf(call.request), JSON.stringify(keys)],
  );
  call.unused.collect();
  return removed;
};
