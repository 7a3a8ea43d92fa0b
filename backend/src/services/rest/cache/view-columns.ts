// Finds the columns of a view that are plain columns of a table, so that the table's keys apply to the view too.
import type { ClientBase } from 'pg';
import { keyOf } from './model.ts';

export interface ViewOf {
  schema: string;
  view: string;
  baseSchema: string;
  baseTable: string;
  /** The view's names for each column of the table. */
  columns: Map<string, string[]>;
}

const VIEWS = `
  select n.nspname as schema, c.relname as view, r.ev_action::text as tree
  from pg_rewrite r
  join pg_class c on c.oid = r.ev_class
  join pg_namespace n on n.oid = c.relnamespace
  -- Not the exposed ones only: a view may read another in a schema of the search path.
  where c.relkind in ('v', 'm') and r.ev_type = '1' and n.nspname not in ('pg_catalog', 'information_schema')
  order by n.nspname, c.relname`;

const BASES = `
  select a.attrelid::text || '.' || a.attnum as origin, n.nspname as schema, c.relname as "table",
    a.attname as column, c.relkind in ('v', 'm') as "isView"
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_namespace n on n.oid = c.relnamespace
  where a.attrelid = any($1::oid[]) and a.attnum > 0`;

/** @returns the outermost target list of PostgreSQL's printed query tree, not those of subqueries */
function targetList(tree: string): string {
  const label = ':targetList (';
  let depth = 0;
  for (let at = 0; at < tree.length; at += 1) {
    const char = tree[at];
    if (char === '\\') at += 1;
    else if (char === '{') depth += 1;
    else if (char === '}') depth -= 1;
    else if (depth === 1 && char === ':' && tree.startsWith(label, at)) {
      return untilClosed(tree, at + label.length);
    }
  }
  return '';
}

function untilClosed(tree: string, from: number): string {
  let depth = 1;
  for (let at = from; at < tree.length; at += 1) {
    const char = tree[at];
    if (char === '\\') at += 1;
    else if (char === '(') depth += 1;
    else if (char === ')') depth -= 1;
    if (depth === 0) return tree.slice(from, at);
  }
  return '';
}

// Spaces, brackets and backslashes in a name are escaped with a backslash.
const ENTRY =
  /:resname ((?:\\[\s\S]|[^\s\\])+) :ressortgroupref \d+ :resorigtbl (\d+) :resorigcol (\d+) :resjunk false/g;
const unescaped = (name: string): string => name.replace(/\\([\s\S])/g, '$1');

interface Base {
  origin: string;
  schema: string;
  table: string;
  column: string;
  isView: boolean;
}

type Origin = { schema: string; table: string; column: string };

export async function loadViewColumns(client: ClientBase): Promise<ViewOf[]> {
  const views = await client.query<{ schema: string; view: string; tree: string }>(VIEWS);
  const entries = views.rows.flatMap(({ schema, view, tree }) =>
    [...targetList(tree).matchAll(ENTRY)].flatMap(([, name = '', table = '0', column = '0']) =>
      table === '0' ? [] : [{ schema, view, name: unescaped(name), table, column }],
    ),
  );
  const oids = [...new Set(entries.map((entry) => entry.table))];
  const bases = await client.query<Base>(BASES, [oids]);
  const byOrigin = new Map(bases.rows.map((base) => [base.origin, base]));
  const direct = new Map<string, Base>();
  for (const { schema, view, name, table, column } of entries) {
    const base = byOrigin.get(`${table}.${column}`);
    if (base) direct.set(`${keyOf(schema, view)}\0${name}`, base);
  }
  // Follows views over views down to a table. `create or replace view` can make a view read itself, hence `visited`.
  const rootOf = (first: Base): Origin | undefined => {
    const visited = new Set<Base>();
    let base: Base | undefined = first;
    while (base?.isView && !visited.has(base)) {
      visited.add(base);
      base = direct.get(`${keyOf(base.schema, base.table)}\0${base.column}`);
    }
    return base?.isView ? undefined : base;
  };
  const found = new Map<string, ViewOf>();
  for (const { schema, view, name, table, column } of entries) {
    const base = byOrigin.get(`${table}.${column}`);
    const root = base && rootOf(base);
    if (root === undefined) continue;
    const key = `${keyOf(schema, view)}\0${keyOf(root.schema, root.table)}`;
    const known = found.get(key) ?? {
      schema,
      view,
      baseSchema: root.schema,
      baseTable: root.table,
      columns: new Map<string, string[]>(),
    };
    known.columns.set(root.column, [...(known.columns.get(root.column) ?? []), name]);
    found.set(key, known);
  }
  return [...found.values()];
}
