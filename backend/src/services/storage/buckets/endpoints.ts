import { z } from 'zod';
import { asService, isState } from '../database.ts';
import { bucketNotEmpty, noSuchBucket, serviceOnly, tooLarge } from '../errors.ts';
import { bucketNameOf, check, readBucketName, readJson, readQuery } from '../input.ts';
import { toOwner } from '../objects/object-row.ts';
import type { Endpoint, Service } from '../service.ts';
import { Bucket, bucketJson, fetchLimits, findBucket } from './bucket.ts';

const POWERS: Record<string, number> = { b: 0, kb: 1, mb: 2, gb: 3, tb: 4 };
const FORM = /^(\d+(?:\.\d+)?) ?(b|kb|mb|gb|tb)?$/i;

/** A size in bytes, or with a decimal unit: `20mb` is 20,000,000. */
const SizeLimit = z.union([
  z.number().int().min(0),
  z
    .string()
    .regex(FORM, 'must be a size like 20mb')
    .transform((text) => {
      const [, figure = '', unit = 'b'] = FORM.exec(text) ?? [];
      return Math.floor(Number(figure) * 1000 ** (POWERS[unit.toLowerCase()] ?? 0));
    }),
]);

const Types = z.array(
  z.string().regex(/^([a-z]+|\*)\/([\w.+-]+|\*)(;.*)?$/i, 'must be mime types like image/png'),
);

const Options = z.object({
  public: z.boolean().nullish(),
  file_size_limit: SizeLimit.nullish(),
  allowed_mime_types: Types.nullish(),
});

const Body = Options.extend({ name: z.string(), id: z.string().nullish() });

/** @throws StorageError when the bucket's limit exceeds the service's */
function checkLimit(service: Service, { file_size_limit }: z.infer<typeof Options>): void {
  const limit = service.context.settings.storage.file_size_limit;
  if ((file_size_limit ?? 0) > limit) throw tooLarge();
}

/** POST /bucket */
export const createBucket: Endpoint = async (call) => {
  const body = await readJson(call.request, Body);
  const name = readBucketName(body.name);
  const id = readBucketName(body.id || name);
  checkLimit(call, body);
  const types = body.allowed_mime_types ?? null;
  await call.db.write(
    `insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types, owner, owner_id)
     values ($1, $2, $3, $4, case when $5::jsonb is null then null
       else array(select jsonb_array_elements_text($5::jsonb)) end, $6, $7)`,
    [
      id,
      name,
      String(body.public ?? false),
      body.file_size_limit?.toString() ?? null,
      types === null ? null : JSON.stringify(types),
      ...toOwner(call.sub),
    ],
  );
  return { name };
};

const MAX_BUCKETS = 10_000;
const Query = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_BUCKETS).default(MAX_BUCKETS),
  offset: z.coerce.number().int().min(0).default(0),
  search: z.string().default(''),
  sortColumn: z.enum(['id', 'name', 'created_at', 'updated_at']).default('name'),
  sortOrder: z.enum(['asc', 'desc']).default('asc'),
});

/** GET /bucket */
export const listBuckets: Endpoint = async (call) => {
  const query = check(Query, readQuery(call.request));
  const buckets = await call.db.rows(
    Bucket,
    `select to_jsonb(b) from storage.buckets b
     where $1 = '' or strpos(lower(b.name), lower($1)) > 0
     order by b.${query.sortColumn} ${query.sortOrder}, b.id limit $2 offset $3`,
    [query.search, String(query.limit), String(query.offset)],
  );
  return buckets.map((bucket) => ({ ...bucketJson(bucket), type: bucket.type }));
};

/** GET /bucket/{id} */
export const getBucket: Endpoint = async (call) =>
  bucketJson(await findBucket(call.db, bucketNameOf(call.request)));

/** PUT /bucket/{id}: changes only the given fields; null removes a limit. */
export const updateBucket: Endpoint = async (call) => {
  const body = await readJson(call.request, Options);
  checkLimit(call, body);
  const changed = await call.db.write(
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
    [bucketNameOf(call.request), JSON.stringify(body)],
  );
  if (changed === 0) throw noSuchBucket();
  return { message: 'Successfully updated' };
};

/** POST /bucket/{id}/empty: service key only. Deletes the rows at once, the blobs in the background. */
export const emptyBucket: Endpoint = async (call) => {
  if (call.role !== 'service_role') throw serviceOnly();
  const { id } = await fetchLimits(call, bucketNameOf(call.request));
  await asService(call.context.database).write('delete from storage.objects where bucket_id = $1', [
    id,
  ]);
  call.unused.collect();
  return { message: 'Empty bucket has been queued. Completion may take up to an hour.' };
};

const FOREIGN_KEY_VIOLATION = '23503';

/** DELETE /bucket/{id}: only if it is empty. */
export const deleteBucket: Endpoint = async (call) => {
  const removed = await call.db
    .write('delete from storage.buckets where id = $1', [bucketNameOf(call.request)])
    .catch((error: unknown) => {
      throw isState(error, FOREIGN_KEY_VIOLATION) ? bucketNotEmpty() : error;
    });
  if (removed === 0) throw noSuchBucket();
  return { message: 'Successfully deleted' };
};
