// Analyses the SQL that a request for a table can run implicitly: policies, views and computed columns, for a write also
// triggers, rules, defaults, constraints and indexes, and all functions that these mention. Setting `request.*` where nothing
// reads it would make small requests 10 to 20 % slower.
import type { ClientBase } from 'pg';
import { keyOf, type Reach, type SchemaCache } from './model.ts';

type Reaches = Pick<SchemaCache, 'reads' | 'writes'> & {
  /** Whether a read may set `response.headers` or similar, or the style of dates. */
  setsOutput: boolean;
};

/** SQL that runs where its name is mentioned; for a table, what a write to it runs. */
interface Source {
  name: string;
  text: string;
  isTable: boolean;
}

type Test = (text: string) => boolean;

/** A request setting other than the claims, including names concatenated at run time. */
const READS_REQUEST = /'request\.(header|method|path|cookie|'\s*\|\|)/;
/** Settings that change the response of a read or the text of its values. */
const SETS_OUTPUT = /'response\.|\bdatestyle\b/i;
/** `set_config(…, true)` is local to the transaction. */
const LOCAL_SET_CONFIG = /\bset_config\s*\([^;]*?,\s*true\s*\)/gi;
/** A SET statement begins after another statement or keyword, unlike the SET of an UPDATE. */
const SET_STATEMENT = /\bset_config\s*\(|(^|;|'|\b(begin|then|else|loop)\b)\s*set\s/i;
/** A statement that is text until it runs. */
const DYNAMIC = /\bexecute\s+(?!function\b|procedure\b)/i;
const WRITTEN =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?((?:"[^"]+"|[\w$]+)(?:\s*\.\s*(?:"[^"]+"|[\w$]+))?)/gi;

const readsRequest: Test = (text) => READS_REQUEST.test(text);
const changesSession: Test = (text) => SET_STATEMENT.test(text.replace(LOCAL_SET_CONFIG, ''));
const orIsDynamic =
  (test: Test): Test =>
  (text) =>
    DYNAMIC.test(text) || test(text);

const FUNCTIONS = `
  select p.proname as name, coalesce(p.prosrc, '') || coalesce(pg_get_function_sqlbody(p.oid), '') as text,
    false as "isTable", p.pronargs = 1 and exists (
      select from pg_type t where t.oid = p.proargtypes[0] and t.typtype = 'c'
    ) as "isComputed"
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  join pg_language l on l.oid = p.prolang
  where n.nspname !~ '^(pg_|information_schema)' and l.lanname not in ('c', 'internal')`;

const ROOTS_OF_READS = `
  select coalesce(qual, '') as text from pg_policies where cmd in ('ALL', 'SELECT')
  union all
  select definition from pg_views where schemaname !~ '^(pg_|information_schema)'`;

// A write to a table may also write to its partitions, and to tables that refer to it.
const TABLES = `
  select n.nspname as schema, c.relname as name, true as "isTable", (
    select coalesce(string_agg(part.text, '; '), '') from (
      select concat(pg_get_expr(polqual, polrelid), ' ', pg_get_expr(polwithcheck, polrelid)) from pg_policy where polrelid = c.oid
      union all
      select pg_get_ruledef(oid) from pg_rewrite where ev_class = c.oid
      union all
      select pg_get_triggerdef(oid) from pg_trigger where tgrelid = c.oid and not tgisinternal
      union all
      select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = c.oid
      union all
      select pg_get_constraintdef(oid) from pg_constraint where conrelid = c.oid and contype = 'c'
      union all
      select concat(pg_get_expr(t.typdefaultbin, 0), ' ', pg_get_constraintdef(k.oid))
      from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_constraint k on k.contypid = t.oid
      where a.attrelid = c.oid and t.typtype = 'd'
      union all
      select pg_get_indexdef(indexrelid) from pg_index where indrelid = c.oid and (indexprs is not null or indpred is not null)
      union all
      select format('update %I', r.relname) from pg_constraint f join pg_class r on r.oid = f.conrelid
      where f.confrelid = c.oid and f.contype = 'f' and (f.confdeltype in ('c', 'n', 'd') or f.confupdtype in ('c', 'n', 'd'))
      union all
      select format('update %I', r.relname) from pg_inherits i join pg_class r on r.oid = i.inhrelid where i.inhparent = c.oid
    ) part (text)
  ) as text
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|information_schema)'`;

const sourceKey = (name: string, isTable: boolean): string =>
  `${isTable ? 'table' : 'function'} ${name}`;

/** @returns keys of everything that the text mentions or writes to, and of what only looks like it */
function mentionedIn(text: string): Set<string> {
  const names = text.match(/[\p{L}_][\p{L}\p{N}_$]*/gu) ?? [];
  const written = [...text.matchAll(WRITTEN)].map(([, name = '']) =>
    name.replace(/^.*\.\s*/s, '').replaceAll('"', ''),
  );
  return new Set([
    ...names.map((name) => sourceKey(name, false)),
    ...written.map((name) => sourceKey(name, true)),
  ]);
}

/** @returns keys of all sources that pass the test, or run one that does */
function leadingTo(test: Test, sources: Source[], mentions: Map<Source, Set<string>>): Set<string> {
  const found = new Set<string>();
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const source of sources) {
      const key = sourceKey(source.name, source.isTable);
      if (found.has(key)) continue;
      const leads = [...(mentions.get(source) ?? [])].some((name) => found.has(name));
      if (leads || test(source.text)) found.add(key);
    }
  }
  return found;
}

export async function loadReaches(client: ClientBase): Promise<Reaches> {
  const roots = await client.query<{ text: string }>(ROOTS_OF_READS);
  const functions = await client.query<Source & { isComputed: boolean }>(FUNCTIONS);
  const tables = await client.query<Source & { schema: string }>(TABLES);
  const sources = [...functions.rows, ...tables.rows];
  const mentions = new Map(sources.map((source) => [source, mentionedIn(source.text)]));

  const read = [...roots.rows, ...functions.rows.filter(({ isComputed }) => isComputed)];
  const readMay = (test: Test): boolean => {
    const leading = leadingTo(test, functions.rows, mentions);
    return read.some(
      ({ text }) => test(text) || [...mentionedIn(text)].some((name) => leading.has(name)),
    );
  };
  const reads = { readsRequest: readMay(readsRequest), changesSession: readMay(changesSession) };

  const reading = leadingTo(orIsDynamic(readsRequest), sources, mentions);
  const changing = leadingTo(orIsDynamic(changesSession), sources, mentions);
  const writes = tables.rows.map(({ schema, name }): [string, Reach] => [
    keyOf(schema, name),
    {
      // It may also read what it has written, and embed other tables.
      readsRequest: reads.readsRequest || reading.has(sourceKey(name, true)),
      changesSession: reads.changesSession || changing.has(sourceKey(name, true)),
    },
  ]);
  return { reads, writes: new Map(writes), setsOutput: readMay((text) => SETS_OUTPUT.test(text)) };
}
