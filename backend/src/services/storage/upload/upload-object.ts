// POST and PUT /object/{bucket}/{key}: a new object, or with PUT or `x-upsert: true` over the one there.
import { limitsOf } from '../buckets/bucket.ts';
import { asCaller } from '../database.ts';
import { addressOf } from '../input/names.ts';
import type { Endpoint } from '../service.ts';
import { declaredLength } from './body-of.ts';
import { receive } from './receive.ts';
import { storeObject } from './store-object.ts';

export const uploadObject: Endpoint = async (service, request, _reply, visitor) => {
  const { bucket: name, key } = addressOf(request);
  const bucket = await limitsOf(service, name);
  const replaces = request.method === 'PUT' || request.headers['x-upsert'] === 'true';
  const object = { key, sub: visitor.sub, replaces };
  const id = await storeObject(
    service,
    asCaller(service, visitor),
    bucket,
    object,
    declaredLength(request),
    () => receive(service, request, bucket),
  );
  return { Key: `${bucket.id}/${key}`, Id: id };
};
