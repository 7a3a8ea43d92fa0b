// PUT /bucket/{id}: changes only the given fields; null removes a limit.
import { asCaller } from '../database.ts';
import { noSuchBucket } from '../errors/catalogue.ts';
import { readJson } from '../input/json.ts';
import { bucketNameOf } from '../input/names.ts';
import type { Endpoint } from '../service.ts';
import { checkLimit, Options } from './create-bucket.ts';

export const updateBucket: Endpoint = async (service, request, _reply, user) => {
  const body = await readJson(request, Options);
  checkLimit(service, body);
  const changed = await asCaller(service, user).write(
    `update storage.buckets set
       public = coalesce(($2::jsonb ->> 'public')::boolean, public),
       file_size_limit = case when $2::jsonb ? 'file_size_limit'
         then ($2::jsonb ->> 'file_size_limit')::bigint else file_size_limit end,
       allowed_mime_types = case
         when jsonb_typeof($2::jsonb -> 'allowed_mime_types') = 'array'
           then array(select jsonb_array_elements_text($2::jsonb -> 'allowed_mime_types'))
         when $2::jsonb ? 'allowed_mime_types' then null
         else allowed_mime_types end
     where id = $1`,
    [bucketNameOf(request), JSON.stringify(body)],
  );
  if (changed === 0) throw noSuchBucket();
  return { message: 'Successfully updated' };
};
