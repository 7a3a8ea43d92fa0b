// The schema files say in which order triggers fire; this compares them with PostgreSQL, whose order is when, then the name.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';

const SCHEMAS = path.resolve(import.meta.dirname, '..', '..', 'supabase', 'schemas');

const SCHEMA_TEXTS = readdirSync(SCHEMAS)
  .sort()
  .map((file) => readFileSync(path.join(SCHEMAS, file), 'utf8'));

/** What makes triggers: `create trigger` itself, and functions that create those of the same name on every table. */
const DECLARATION =
  /^create (?:constraint )?trigger (\w+)\s[^;]*?\son (\w+\.\w+)|^select private\.(tidy_texts_of|keep_history_of|keep_history_of_computed)\('(\w+\.\w+)'/gm;

const MADE: Record<string, string> = {
  tidy_texts_of: 'a_tidy_text',
  keep_history_of: 'history_of_*',
  keep_history_of_computed: 'history_of_*',
};

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});

/** @returns the triggers of each table, in the order of the files */
function declaredTriggers(): Map<string, string[]> {
  const declared = new Map<string, string[]>();
  for (const text of SCHEMA_TEXTS) {
    for (const [, name, table = '', made = '', madeOn] of text.matchAll(DECLARATION)) {
      const of = madeOn ?? table;
      declared.set(of, [...(declared.get(of) ?? []), name ?? MADE[made] ?? '']);
    }
  }
  return declared;
}

/** Lines of the lists above the triggers of a table: a number, a name, or the beginning of names with an asterisk. */
const LISTED = /^-- {2,3}\d+ (\w+)(\*?)(?: |$)/gm;

/** @returns the triggers of each table that says when a row is written, as its list has them */
function listedTriggers(declared: Map<string, string[]>): Map<string, string[]> {
  const listed = new Map<string, string[]>();
  for (const text of SCHEMA_TEXTS) {
    for (const [, list = '', table = ''] of text.matchAll(
      /^-- When a row is written, in this order:\n((?:--.*\n)+)[^;]*?(?:\son |_of\(')(\w+\.\w+)/gm,
    )) {
      const names = [...list.matchAll(LISTED)].flatMap(([, name = '', more]) =>
        more === ''
          ? [name]
          : (declared.get(table) ?? []).filter(
              (own) =>
                own.startsWith(name) && (own === 'history_of_*' || !list.includes(` ${own} `)),
            ),
      );
      listed.set(table, names);
    }
  }
  return listed;
}

test('the list of what happens when a row is written has all triggers in this order', () => {
  const declared = declaredTriggers();
  const listed = listedTriggers(declared);
  expect(listed.size).toBeGreaterThanOrEqual(7);
  for (const [table, names] of listed) expect(names, table).toEqual(declared.get(table));
});

test('the triggers of a table stand in the order in which they fire', async () => {
  const { rows } = await database.owner.query<{ table: string; triggers: string[] }>(`
    select c.relnamespace::regnamespace || '.' || c.relname as table, array_agg(t.name order by
      t.is_deferred, not t.is_before, case when t.is_before then t.is_row else not t.is_row end, t.name) as triggers
    from (
      select distinct tgrelid, case when tgname::text ~ '^history_of_' then 'history_of_*' else tgname::text end collate "C" as name,
        tginitdeferred as is_deferred, (tgtype & 2) > 0 as is_before, (tgtype & 1) > 0 as is_row
      from pg_trigger where not tgisinternal
    ) t
    join pg_class c on c.oid = t.tgrelid
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
    group by c.oid order by 1`);
  const declared = declaredTriggers();
  expect(
    Object.fromEntries([...declared].filter(([table]) => !/^(auth|storage)\./.test(table))),
  ).toEqual(Object.fromEntries(rows.map(({ table, triggers }) => [table, triggers])));
});
