// POST and PUT /object/{bucket}/{key}: PUT and `x-upsert: true` replace an existing object.
import { limitsOf } from '../buckets/bucket.ts';
import { asCaller } from '../database.ts';
import { addressOf } from '../input/names.ts';
import type { Endpoint } from '../service.ts';
import { declaredLength } from './body-of.ts';
import { receive } from './receive.ts';
import { storeObject } from './store-object.ts';

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
