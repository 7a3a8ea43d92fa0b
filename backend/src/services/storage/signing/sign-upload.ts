// POST /object/upload/sign/{bucket}/{key}: checks the right to upload now and returns a URL for it.
import { limitsOf } from '../buckets/bucket.ts';
import { asCaller } from '../database.ts';
import { addressOf } from '../input/names.ts';
import { checkMayWrite } from '../objects/write-row.ts';
import type { Endpoint } from '../service.ts';

const LIFETIME_S = 2 * 3600;

export const signUpload: Endpoint = async (service, request, _reply, user) => {
  const { bucket: name, key } = addressOf(request);
  const bucket = await limitsOf(service, name);
  const upsert = request.headers['x-upsert'] === 'true';
  const object = { bucket: bucket.id, key, sub: user.sub, replaces: upsert };
  await checkMayWrite(
    asCaller(service, user),
    { ...object, cacheControl: '', userMetadata: null },
    0,
  );
  const url = `${bucket.id}/${key}`;
  const owner = user.sub === undefined ? {} : { owner: user.sub };
  const token = await service.signedUrls.signUpload({ url, upsert, ...owner }, LIFETIME_S);
  return { url: `/object/upload/sign/${url}?token=${token}`, token };
};
