// DELETE /object/{bucket}: removes and returns those of the list that the caller may delete.
import { z } from 'zod';
import { asCaller } from '../database.ts';
import { readJson } from '../input/json.ts';
import { bucketNameOf } from '../input/names.ts';
import type { Endpoint } from '../service.ts';
import { ObjectRow } from './object-row.ts';

const MAX_KEYS = 1_000;
const Body = z.object({ prefixes: z.array(z.string()).min(1).max(MAX_KEYS) });

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
