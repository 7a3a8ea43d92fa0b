import { z } from 'zod';
import { invalidRequest } from '../errors.ts';
import { bucketNameOf, readJson } from '../input.ts';
import type { Endpoint } from '../service.ts';

const MAX_LIMIT = 10_000;
const withoutNul = z.string().refine((text) => !text.includes('\0'), 'must not contain NUL');
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
const Entry = z.object({
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

/** POST /object/list/{bucket}: one level of a folder. */
export const listObjects: Endpoint = async (call) => {
  const { prefix, limit, offset, search, sortBy } = await readJson(call.request, Body);
  const folder = folderOf(prefix);
  return call.db.rows(
    Entry,
    `select to_jsonb(s) from storage.search($1, $2, $3, 1, $4, $5, $6, $7) s`,
    [
      folder,
      bucketNameOf(call.request),
      String(limit),
      String(offset),
      search ?? '',
      sortBy.column,
      sortBy.order ?? 'asc',
    ],
  );
};

const MAX_PAGE = 1_000;
const PageBody = z.object({
  prefix: withoutNul.nullish(),
  limit: z.number().int().min(1).max(MAX_PAGE).nullish(),
  cursor: z.string().nullish(),
  with_delimiter: z.boolean().nullish(),
  sortBy: z
    .object({
      column: z.enum(['name', 'updated_at', 'created_at']).nullish(),
      order: z.enum(['asc', 'desc']).nullish(),
    })
    .nullish(),
});

const PageEntry = Entry.extend({ key: z.string(), sorted_by: z.string() });

/** Name and sort value of a page's last entry. */
const Cursor = z.tuple([withoutNul, withoutNul]);

function readCursor(text: string | null | undefined): z.infer<typeof Cursor> {
  if (!text) return ['', ''];
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    throw invalidRequest('body/cursor is not valid');
  }
}

/** POST /object/list-v2/{bucket}: all objects under a prefix in pages, optionally grouped into folders. */
export const listPage: Endpoint = async (call) => {
  const body = await readJson(call.request, PageBody);
  const limit = body.limit ?? MAX_PAGE;
  const [name, sortedBy] = readCursor(body.cursor);
  const found = await call.db.rows(
    PageEntry,
    `select to_jsonb(s) from storage.search_v2($1, $2, $3, 1, $4, $5, $6, $7, $8) s`,
    [
      body.prefix ?? '',
      bucketNameOf(call.request),
      String(limit + 1),
      name,
      body.sortBy?.order ?? 'asc',
      body.sortBy?.column ?? 'name',
      sortedBy,
      String(body.with_delimiter ?? false),
    ],
  );
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const entries = page.map(({ sorted_by, ...entry }) => entry);
  return {
    hasNext: last !== undefined,
    ...(last === undefined
      ? {}
      : {
          nextCursor: Buffer.from(JSON.stringify([last.name, last.sorted_by])).toString(
            'base64url',
          ),
          nextCursorKey: last.name,
        }),
    folders: entries.filter(({ id }) => id === null),
    objects: entries.filter(({ id }) => id !== null),
  };
};
