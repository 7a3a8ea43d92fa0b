// POST /object/copy
import { z } from 'zod';
import { limitsOf } from '../buckets/bucket.ts';
import { asCaller } from '../database.ts';
import { readJson } from '../input/json.ts';
import { readKey } from '../input/names.ts';
import type { Endpoint } from '../service.ts';
import { metadataHeader } from '../upload/metadata.ts';
import { storeObject } from '../upload/store-object.ts';
import { SourceAndDestination } from './move-object.ts';
import { findObject } from './object-row.ts';

const Body = SourceAndDestination.extend({
  copyMetadata: z.boolean().nullish(),
  metadata: z
    .object({ cacheControl: z.string().nullish(), mimetype: z.string().nullish() })
    .nullish(),
});

export const copyObject: Endpoint = async (service, request, _reply, user) => {
  const body = await readJson(request, Body);
  const key = readKey(body.destinationKey);
  const db = asCaller(service, user);
  const source = await findObject(db, body.bucketId, readKey(body.sourceKey));
  const bucket = await limitsOf(service, body.destinationBucket ?? body.bucketId);
  const copiesMetadata = body.copyMetadata ?? true;
  const object = { key, sub: user.sub, replaces: request.headers['x-upsert'] === 'true' };
  await storeObject(service, db, bucket, object, source.metadata.size, async () => ({
    source: await service.blobs.read(source.version ?? ''),
    type: body.metadata?.mimetype ?? source.metadata.mimetype,
    details: async () => ({
      cacheControl: body.metadata?.cacheControl ?? source.metadata.cacheControl,
      userMetadata: copiesMetadata ? source.user_metadata : metadataHeader(request),
    }),
  }));
  const copy = await findObject(db, bucket.id, key);
  return { Key: `${bucket.id}/${key}`, Id: copy.id, ...copy };
};
