// GET /bucket: those that the caller may see, page by page.
import { z } from 'zod';
import { asCaller } from '../database.ts';
import { check } from '../input/json.ts';
import { queryOf } from '../input/query.ts';
import type { Endpoint } from '../service.ts';
import { Bucket, shown } from './bucket.ts';

const MOST = 10_000;
const Query = z.object({
  limit: z.coerce.number().int().min(1).max(MOST).default(MOST),
  offset: z.coerce.number().int().min(0).default(0),
  search: z.string().default(''),
  sortColumn: z.enum(['id', 'name', 'created_at', 'updated_at']).default('name'),
  sortOrder: z.enum(['asc', 'desc']).default('asc'),
});

export const listBuckets: Endpoint = async (service, request, _reply, visitor) => {
  const query = check(Query, queryOf(request));
  const buckets = await asCaller(service, visitor).rows(
    Bucket,
    `select to_jsonb(b) from storage.buckets b
     where $1 = '' or strpos(lower(b.name), lower($1)) > 0
     order by b.${query.sortColumn} ${query.sortOrder}, b.id limit $2 offset $3`,
    [query.search, String(query.limit), String(query.offset)],
  );
  return buckets.map((bucket) => ({ ...shown(bucket), type: bucket.type }));
};
