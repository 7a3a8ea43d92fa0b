// POST /object/list/{bucket}: one level of a folder.
import { z } from 'zod';
import { asCaller } from '../database.ts';
import { readJson } from '../input/json.ts';
import { bucketNameOf } from '../input/names.ts';
import type { Endpoint } from '../service.ts';

const MAX_LIMIT = 10_000;
export const withoutNul = z.string().refine((text) => !text.includes('\0'), 'must not contain NUL');
const Body = z.object({
  prefix: withoutNul.default(''),
  limit: z.number().int().min(1).max(MAX_LIMIT).default(100),
  offset: z.number().int().min(0).default(0),
  search: withoutNul.nullish(),
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

/** For a folder only the name is set. */
export const Entry = z.object({
  name: z.string(),
  id: z.string().nullable(),
  updated_at: time,
  created_at: time,
  last_accessed_at: time,
  metadata: z.unknown(),
});

/** Callers may send the prefix with or without slashes at its ends. */
function folderOf(prefix: string): string {
  const trimmed = prefix.replace(/^\/+|\/+$/g, '');
  return trimmed === '' ? '' : `${trimmed}/`;
}

export const listObjects: Endpoint = async (service, request, _reply, user) => {
  const { prefix, limit, offset, search, sortBy } = await readJson(request, Body);
  const folder = folderOf(prefix);
  return asCaller(service, user).rows(
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
