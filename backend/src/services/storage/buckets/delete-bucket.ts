// DELETE /bucket/{id}: only if it is empty.
import { asCaller, isState } from '../database.ts';
import { bucketNotEmpty, noSuchBucket } from '../errors/catalogue.ts';
import { bucketNameOf } from '../input/names.ts';
import type { Endpoint } from '../service.ts';

const FOREIGN_KEY_VIOLATION = '23503';

export const deleteBucket: Endpoint = async (service, request, _reply, user) => {
  const removed = await asCaller(service, user)
    .write('delete from storage.buckets where id = $1', [bucketNameOf(request)])
    .catch((error: unknown) => {
      throw isState(error, FOREIGN_KEY_VIOLATION) ? bucketNotEmpty() : error;
    });
  if (removed === 0) throw noSuchBucket();
  return { message: 'Successfully deleted' };
};
