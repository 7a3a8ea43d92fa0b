import { limitsOf } from '../buckets/bucket.ts';
import { asCaller, asService } from '../database.ts';
import { addressOf } from '../input/names.ts';
import { queryOf } from '../input/parse.ts';
import type { Endpoint, OpenEndpoint } from '../service.ts';
import { declaredLength, receive } from './receive.ts';
import { storeObject } from './store-object.ts';

/** POST and PUT /object/{bucket}/{key}: PUT and `x-upsert: true` replace an existing object. */
export const uploadObject: Endpoint = async (service, request, _reply, user) => {
  const { bucket: name, key } = addressOf(request);
  const bucket = await limitsOf(service, name);
  const replaces = request.method === 'PUT' || request.headers['x-upsert'] === 'true';
  const object = { key, sub: user.sub, replaces };
  const id = await storeObject(
    service,
    asCaller(service, user),
    bucket,
    object,
    declaredLength(request),
    () => receive(service, request, bucket),
  );
  return { Key: `${bucket.id}/${key}`, Id: id };
};

/** PUT /object/upload/sign/{bucket}/{key}?token=…: the right was checked when the URL was signed. */
export const uploadSigned: OpenEndpoint = async (service, request) => {
  const { bucket: name, key } = addressOf(request);
  const token = queryOf(request).token ?? '';
  const claims = await service.signedUrls.checkUpload(token, `${name}/${key}`);
  const bucket = await limitsOf(service, name);
  const object = { key, sub: claims.owner, replaces: claims.upsert };
  await storeObject(service, asService(service), bucket, object, declaredLength(request), () =>
    receive(service, request, bucket),
  );
  return { Key: `${bucket.id}/${key}` };
};
