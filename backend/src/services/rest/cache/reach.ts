// Analyses the SQL that a read can run implicitly: policies, views and computed columns, and all functions they mention.
// Setting `request.*` where nothing reads it would make small reads 10 to 20 % slower.
import type { ClientBase } from 'pg';
import type { SchemaCache } from './model.ts';

/** A request setting other than the claims, including names concatenated at run time. */
const READS_REQUEST = /'request\.(header|method|path|cookie|'\s*\|\|)/;
/** `set_config(…, true)` is local to the transaction. */
const LOCAL_SET_CONFIG = /\bset_config\s*\([^;]*?,\s*true\s*\)/gi;
/** A SET statement begins after another statement or keyword, unlike the SET of an UPDATE. */
const SET_STATEMENT = /\bset_config\s*\(|(^|;|'|\b(begin|then|else|loop)\b)\s*set\s/i;

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

/** @returns the roots and the text of every function that they mention, directly or indirectly */
function reachable(roots: string[], functions: { name: string; text: string }[]): string[] {
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

export async function loadReach(
  client: ClientBase,
): Promise<Pick<SchemaCache, 'readsRequest' | 'changesSession'>> {
  const roots = await client.query<{ text: string }>(ROOTS);
  const functions = await client.query<{ name: string; text: string; isComputed: boolean }>(
    FUNCTIONS,
  );
  const computed = functions.rows.filter(({ isComputed }) => isComputed);
  const texts = reachable(
    [...roots.rows, ...computed].map(({ text }) => text),
    functions.rows,
  );
  return {
    readsRequest: texts.some((text) => READS_REQUEST.test(text)),
    changesSession: texts.some((text) => SET_STATEMENT.test(text.replace(LOCAL_SET_CONFIG, ''))),
  };
}
