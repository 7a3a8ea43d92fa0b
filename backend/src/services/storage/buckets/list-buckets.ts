// GET /bucket
import { z } from 'zod';
import { asCaller } from '../database.ts';
import { check } from '../input/json.ts';
import { queryOf } from '../input/query.ts';
import type { Endpoint } from '../service.ts';
import { Bucket, bucketJson } from './bucket.ts';

const MAX_BUCKETS = 10_000;
const Query = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_BUCKETS).default(MAX_BUCKETS),
  offset: z.coerce.number().int().min(0).default(0),
  search: z.string().default(''),
  sortColumn: z.enum(['id', 'name', 'created_at', 'updated_at']).default('name'),
  sortOrder: z.enum(['asc', 'desc']).default('asc'),
});

export const listBuckets: Endpoint = async (service, request, _reply, user) => {
  const query = check(Query, queryOf(request));
  const buckets = await asCaller(service, user).rows(
    Bucket,
    `select to_jsonb(b) from storage.buckets b
     where $1 = '' or strpos(lower(b.name), lower($1)) > 0
     order by b.${query.sortColumn} ${query.sortOrder}, b.id limit $2 offset $3`,
    [query.search, String(query.limit), String(query.offset)],
  );
  return buckets.map((bucket) => ({ ...bucketJson(bucket), type: bucket.type }));
};
