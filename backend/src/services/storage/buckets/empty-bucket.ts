// POST /bucket/{id}/empty: service key only. Deletes the rows at once, the blobs in the background.
import { asService } from '../database.ts';
import { serviceOnly } from '../errors/catalogue.ts';
import { bucketNameOf } from '../input/names.ts';
import type { Endpoint } from '../service.ts';
import { limitsOf } from './bucket.ts';

export const emptyBucket: Endpoint = async (service, request, _reply, user) => {
  if (user.caller.role !== 'service_role') throw serviceOnly();
  const { id } = await limitsOf(service, bucketNameOf(request));
  await asService(service).write('delete from storage.objects where bucket_id = $1', [id]);
  service.unused.collect();
  return { message: 'Empty bucket has been queued. Completion may take up to an hour.' };
};
