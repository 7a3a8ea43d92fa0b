import { z } from 'zod';
import { asCaller } from '../database.ts';
import { noSuchKey } from '../errors/catalogue.ts';
import { addressOf, bucketNameOf } from '../input/names.ts';
import { readJson } from '../input/parse.ts';
import type { Endpoint } from '../service.ts';
import { ObjectRow } from './object-row.ts';

/** DELETE /object/{bucket}/{key} */
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

const MAX_KEYS = 1_000;
const Body = z.object({ prefixes: z.array(z.string()).min(1).max(MAX_KEYS) });

/** DELETE /object/{bucket}: removes and returns those of the list that the caller may delete. */
export const removeObjects: Endpoint = async (service, request, _reply, user) => {
  const { prefixes } = await readJson(request, Body);
  const keys = prefixes.filter((key) => !key.includes('\0'));
  const removed = await asCaller(service, user).rows(
    ObjectRow,
    `delete from storage.objects o
     where o.bucket_id = $1 and o.name = any (array(select jsonb_array_elements_text($2::jsonb)))
     returning to_jsonb(o) - 'path_tokens'`,
    [bucketNameOf(request), JSON.stringify(keys)],
  );
  service.unused.collect();
  return removed;
};
