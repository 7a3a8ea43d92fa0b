// Drafts the migration that turns one catalogue into another.
import type { Entry } from './catalogue.ts';

export interface Difference {
  /** What the migrations have. */
  before: Entry | undefined;
  /** What the schema declares. */
  after: Entry | undefined;
}

const keyOf = ({ kind, name }: Entry): string => `${kind} ${name}`;

export function compare(migrated: Entry[], declared: Entry[]): Difference[] {
  const before = new Map(migrated.map((entry) => [keyOf(entry), entry]));
  const after = new Map(declared.map((entry) => [keyOf(entry), entry]));
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys
    .map((key) => ({ before: before.get(key), after: after.get(key) }))
    .filter((pair) => pair.before?.definition !== pair.after?.definition);
}

/** `index on public.shifts` as its parts. */
const onTable = (name: string): [object: string, table: string] => {
  const at = name.lastIndexOf(' on ');
  return [name.slice(0, at), name.slice(at + 4)];
};

function drop({ kind, name, definition }: Entry): string {
  const [object, table] = onTable(name);
  switch (kind) {
    case 'trigger':
    case 'policy':
      return `drop ${kind} ${object} on ${table}`;
    case 'constraint':
      return `alter table ${table} drop constraint ${object}`;
    case 'column':
      return `alter table ${name.slice(0, name.lastIndexOf('.'))} drop column ${name.slice(name.lastIndexOf('.') + 1)}`;
    case 'grant':
      return definition.replace(/\bgrant\b/, 'revoke').replace(/ to (\S+)$/, ' from $1');
    case 'comment':
      return definition.replace(/ is '[\s\S]*$/, ' is null');
    case 'setting':
      return definition.startsWith('alter publication')
        ? definition.replace(' add table ', ' drop table ')
        : `-- No longer declared: ${definition}`;
    case 'row': {
      const at = name.indexOf(' ');
      const row = name.slice(at + 1).replaceAll("'", "''");
      return `delete from ${name.slice(0, at)} r where to_jsonb(r) @> '${row}'`;
    }
    default:
      return `drop ${kind} ${name}`;
  }
}

const COLUMN =
  /^alter table (?<table>\S+) add column (?<column>\S+) (?<type>.+?)(?<generated> generated .+?)?(?: default (?<value>.+?))?(?<required> not null)?$/s;

function changeColumn(before: Entry, after: Entry): string[] {
  const [old, now] = [before, after].map(({ definition }) => COLUMN.exec(definition)?.groups);
  if (!old || !now || old.generated !== now.generated) return [drop(before), after.definition];
  const alter = `alter table ${now.table} alter column ${now.column}`;
  return [
    ...(old.type === now.type ? [] : [`${alter} type ${now.type}`]),
    ...(old.value === now.value
      ? []
      : [`${alter} ${now.value ? `set default ${now.value}` : 'drop default'}`]),
    ...(old.required === now.required
      ? []
      : [`${alter} ${now.required ? 'set' : 'drop'} not null`]),
  ];
}

function change(before: Entry, after: Entry): string[] {
  if (after.kind === 'function' || after.kind === 'view')
    return [after.definition.replace(/^create (?:or replace )?/i, 'create or replace ')];
  if (after.kind === 'column') return changeColumn(before, after);
  if (after.kind === 'setting' || after.kind === 'comment') return [after.definition];
  return [drop(before), after.definition];
}

const DROPPED_FIRST = ['policy', 'trigger', 'view', 'constraint', 'index', 'grant', 'row'];

/** @returns statements to review: data may have to move, and a renamed object looks like a lost and a new one */
export function draftMigration(differences: Difference[]): string {
  const lost = differences.filter(({ after }) => after === undefined).map(({ before }) => before);
  const lostTables = lost.filter((entry) => entry?.kind === 'table').map((entry) => entry?.name);
  const isGone = ({ name }: Entry): boolean =>
    lostTables.some(
      (table) =>
        name.startsWith(`${table}.`) || name.endsWith(` ${table}`) || name.startsWith(`${table} `),
    );
  const drops = lost.filter((entry) => entry !== undefined).filter((entry) => !isGone(entry));
  const statements = [
    ...drops.filter(({ kind }) => DROPPED_FIRST.includes(kind)).map(drop),
    ...differences.flatMap(({ before, after }) =>
      after === undefined ? [] : before === undefined ? [after.definition] : change(before, after),
    ),
    ...drops
      .filter(({ kind }) => !DROPPED_FIRST.includes(kind))
      .reverse()
      .map(drop),
  ];
  return statements.map((statement) => `${statement.trim()};\n`).join('\n');
}
