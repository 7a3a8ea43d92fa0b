// POST /object/upload/sign/{bucket}/{key}: an address that takes one upload, for whoever may make it now.
import { limitsOf } from '../buckets/bucket.ts';
import { asCaller } from '../database.ts';
import { addressOf } from '../input/names.ts';
import { mayWrite } from '../objects/write-row.ts';
import type { Endpoint } from '../service.ts';

const LIFETIME_S = 2 * 3600;

export const signUpload: Endpoint = async (service, request, _reply, visitor) => {
  const { bucket: name, key } = addressOf(request);
  const bucket = await limitsOf(service, name);
  const upsert = request.headers['x-upsert'] === 'true';
  const object = { bucket: bucket.id, key, sub: visitor.sub, replaces: upsert };
  await mayWrite(
    asCaller(service, visitor),
    { ...object, cacheControl: '', userMetadata: null },
    0,
  );
  const url = `${bucket.id}/${key}`;
  const owner = visitor.sub === undefined ? {} : { owner: visitor.sub };
  const token = await service.signedUrls.signUpload({ url, upsert, ...owner }, LIFETIME_S);
  return { url: `/object/upload/sign/${url}?token=${token}`, token };
};
