// DELETE /bucket/{id}: only an empty one.
import { asCaller, isState } from '../database.ts';
import { bucketNotEmpty, noSuchBucket } from '../errors/catalogue.ts';
import { bucketNameOf } from '../input/names.ts';
import type { Endpoint } from '../service.ts';

const STILL_USED = '23503';

export const deleteBucket: Endpoint = async (service, request, _reply, visitor) => {
  const removed = await asCaller(service, visitor)
    .write('delete from storage.buckets where id = $1', [bucketNameOf(request)])
    .catch((error: unknown) => {
      throw isState(error, STILL_USED) ? bucketNotEmpty() : error;
    });
  if (removed === 0) throw noSuchBucket();
  return { message: 'Successfully deleted' };
};
