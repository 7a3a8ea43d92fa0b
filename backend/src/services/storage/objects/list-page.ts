// POST /object/list-v2/{bucket}: all objects under a prefix in pages, optionally grouped into folders.
import { z } from 'zod';
import { asCaller } from '../database.ts';
import { invalidRequest } from '../errors/catalogue.ts';
import { readJson } from '../input/json.ts';
import { bucketNameOf } from '../input/names.ts';
import type { Endpoint } from '../service.ts';
import { Entry, withoutNul } from './list-objects.ts';

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

export const listPage: Endpoint = async (service, request, _reply, user) => {
  const body = await readJson(request, PageBody);
  const limit = body.limit ?? MAX_PAGE;
  const [name, sortedBy] = readCursor(body.cursor);
  const found = await asCaller(service, user).rows(
    PageEntry,
    `select to_jsonb(s) from storage.search_v2($1, $2, $3, 1, $4, $5, $6, $7, $8) s`,
    [
      body.prefix ?? '',
      bucketNameOf(request),
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
