// What a read of tables can run without the request naming it: policies, views and computed columns, and every function
// that is named by those. Setting what none of it looks at would cost each small read 10 to 20%.
import type { ClientBase } from 'pg';

/** A setting of the request other than its claims, by name or by a name put together at run time. */
const SAYS_REQUEST = /'request\.(header|method|path|cookie|'\s*\|\|)/;
/** `set_config(…, true)` ends with the transaction. */
const SETS_LOCALLY = /\bset_config\s*\([^;]*?,\s*true\s*\)/gi;
/** A `set` of its own follows the end or the beginning of something else, which the one of an UPDATE does not. */
const SETS = /\bset_config\s*\(|(^|;|'|\b(begin|then|else|loop)\b)\s*set\s/i;

const FUNCTIONS = `
  select p.proname as name, coalesce(p.prosrc, '') || coalesce(pg_get_function_sqlbody(p.oid), '') as text,
    p.pronargs = 1 and exists (
      select from pg_type t where t.oid = p.proargtypes[0] and t.typtype = 'c'
    ) as "isComputed"
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_language l on l.oid = p.prolang
  where n.nspname !~ '^(pg_|information_schema)' and l.lanname not in ('c', 'internal')`;

const ROOTS = `
  select coalesce(qual, '') as text from pg_policies where cmd in ('ALL', 'SELECT')
  union all
  select definition from pg_views where schemaname !~ '^(pg_|information_schema)'`;

const namesIn = (text: string): string[] => text.match(/[\p{L}_][\p{L}\p{N}_$]*/gu) ?? [];

function reached(roots: string[], functions: { name: string; text: string }[]): string[] {
  const byName = new Map<string, string[]>();
  for (const { name, text } of functions) {
    byName.set(name, [...(byName.get(name) ?? []), text]);
  }
  const seen = new Set<string>();
  const texts = [...roots];
  for (const text of texts) {
    for (const name of namesIn(text)) {
      if (seen.has(name)) continue;
      seen.add(name);
      texts.push(...(byName.get(name) ?? []));
    }
  }
  return texts;
}

/** @returns whether reads must set `request.headers` and its like, and whether one may leave a setting behind */
export async function loadReach(
  client: ClientBase,
): Promise<{ readsRequest: boolean; keepsSettings: boolean }> {
  const roots = await client.query<{ text: string }>(ROOTS);
  const functions = await client.query<{ name: string; text: string; isComputed: boolean }>(
    FUNCTIONS,
  );
  const computed = functions.rows.filter(({ isComputed }) => isComputed);
  const texts = reached(
    [...roots.rows, ...computed].map(({ text }) => text),
    functions.rows,
  );
  return {
    readsRequest: texts.some((text) => SAYS_REQUEST.test(text)),
    keepsSettings: texts.some((text) => SETS.test(text.replace(SETS_LOCALLY, ''))),
  };
}
