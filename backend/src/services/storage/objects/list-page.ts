// POST /object/list-v2/{bucket}: everything under a prefix page by page, folded into folders where asked.
import { z } from 'zod';
import { asCaller } from '../database.ts';
import { invalidRequest } from '../errors/catalogue.ts';
import { readJson } from '../input/json.ts';
import { bucketNameOf } from '../input/names.ts';
import type { Endpoint } from '../service.ts';
import { Entry } from './list-objects.ts';

const MOST = 1_000;
const storable = z.string().refine((text) => !text.includes('\0'), 'must not hold NUL');
const Body = z.object({
  prefix: storable.nullish(),
  limit: z.number().int().min(1).max(MOST).nullish(),
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

/** The last entry of a page: its name, and what it was sorted by. */
const Cursor = z.tuple([storable, storable]);

function readCursor(text: string | null | undefined): z.infer<typeof Cursor> {
  if (!text) return ['', ''];
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    throw invalidRequest('body/cursor is not one of ours');
  }
}

export const listPage: Endpoint = async (service, request, _reply, visitor) => {
  const body = await readJson(request, Body);
  const limit = body.limit ?? MOST;
  const [name, sortedBy] = readCursor(body.cursor);
  const found = await asCaller(service, visitor).rows(
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
  const shown = page.map(({ sorted_by, ...entry }) => entry);
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
    folders: shown.filter(({ id }) => id === null),
    objects: shown.filter(({ id }) => id !== null),
  };
};
