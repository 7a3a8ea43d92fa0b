// POST /object/list/{bucket}: what lies directly in a folder.
import { z } from 'zod';
import { asCaller } from '../database.ts';
import { readJson } from '../input/json.ts';
import { bucketNameOf } from '../input/names.ts';
import type { Endpoint } from '../service.ts';

const MOST = 10_000;
const storable = z.string().refine((text) => !text.includes('\0'), 'must not hold NUL');
const Body = z.object({
  prefix: storable.default(''),
  limit: z.number().int().min(1).max(MOST).default(100),
  offset: z.number().int().min(0).default(0),
  search: storable.nullish(),
  sortBy: z
    .object({
      column: z.enum(['name', 'updated_at', 'created_at', 'last_accessed_at']).default('name'),
      order: z.enum(['asc', 'desc']).nullish(),
    })
    .prefault({}),
});

const time = z
  .string()
  .nullable()
  .transform((text) => (text === null ? null : new Date(text).toISOString()));

/** A folder has a name and nothing else. */
export const Entry = z.object({
  name: z.string(),
  id: z.string().nullable(),
  updated_at: time,
  created_at: time,
  last_accessed_at: time,
  metadata: z.unknown(),
});

/** A folder's name without the slash; the caller may write it either way. */
function folderOf(prefix: string): string {
  const trimmed = prefix.replace(/^\/+|\/+$/g, '');
  return trimmed === '' ? '' : `${trimmed}/`;
}

export const listObjects: Endpoint = async (service, request, _reply, visitor) => {
  const { prefix, limit, offset, search, sortBy } = await readJson(request, Body);
  const folder = folderOf(prefix);
  return asCaller(service, visitor).rows(
    Entry,
    `select to_jsonb(s) from storage.search($1, $2, $3, 1, $4, $5, $6, $7) s`,
    [
      folder,
      bucketNameOf(request),
      String(limit),
      String(offset),
      search ?? '',
      sortBy.column,
      sortBy.order ?? 'asc',
    ],
  );
};
