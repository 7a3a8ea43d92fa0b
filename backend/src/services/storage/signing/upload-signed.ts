// PUT /object/upload/sign/{bucket}/{key}?token=…: the right was checked when the URL was signed.
import { limitsOf } from '../buckets/bucket.ts';
import { asService } from '../database.ts';
import { addressOf } from '../input/names.ts';
import { queryOf } from '../input/query.ts';
import type { OpenEndpoint } from '../service.ts';
import { declaredLength } from '../upload/body-of.ts';
import { receive } from '../upload/receive.ts';
import { storeObject } from '../upload/store-object.ts';

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
