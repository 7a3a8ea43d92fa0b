// DELETE /object/{bucket}/{key}
import { asCaller } from '../database.ts';
import { noSuchKey } from '../errors/catalogue.ts';
import { addressOf } from '../input/names.ts';
import type { Endpoint } from '../service.ts';

export const removeObject: Endpoint = async (service, request, _reply, user) => {
  const { bucket, key } = addressOf(request);
  const removed = await asCaller(service, user).write(
    'delete from storage.objects where bucket_id = $1 and name = $2',
    [bucket, key],
  );
  if (removed === 0) throw noSuchKey();
  service.unused.collect();
  return { message: 'Successfully deleted' };
};
