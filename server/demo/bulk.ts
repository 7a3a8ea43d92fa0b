// Makes a load of tens of thousands of rows quick: rules and indexes step aside and come back before the commit.
import type { ClientBase } from 'pg';

interface Index {
  table: string;
  name: string;
  /** Set for one that belongs to an exclusion constraint. */
  constraint: string | null;
  definition: string;
}

/** Those beside primary keys and unique constraints, which foreign keys need. */
async function indexesOf(client: ClientBase, tables: readonly string[]): Promise<Index[]> {
  const { rows } = await client.query<Index>(
    `select i.indrelid::regclass::text as table, c.relname as name, k.conname as constraint,
       coalesce(pg_get_constraintdef(k.oid), pg_get_indexdef(i.indexrelid)) as definition
     from pg_index i
     join pg_class c on c.oid = i.indexrelid
     left join pg_constraint k on k.conindid = i.indexrelid and k.conrelid = i.indrelid
     where i.indrelid = any ($1::regclass[]) and (k.contype is null or k.contype = 'x')
     order by c.relname`,
    [tables],
  );
  return rows;
}

/**
 * Does the work without the indexes of these tables, and makes them again: sorting once costs a third of it.
 * Making a unique index or exclusion constraint checks every row, so nothing gets past them.
 * @param tables with their schemas
 */
export async function withoutIndexes(
  client: ClientBase,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const indexes = await indexesOf(client, tables);
  const drop = indexes.map(({ table, name, constraint }) =>
    constraint === null
      ? `drop index public."${name}"`
      : `alter table ${table} drop constraint "${constraint}"`,
  );
  const make = indexes.map(({ table, constraint, definition }) =>
    constraint === null
      ? definition
      : `alter table ${table} add constraint "${constraint}" ${definition}`,
  );
  await client.query(drop.join(';\n'));
  await work();
  await client.query(make.join(';\n'));
}

/**
 * Does the work without the triggers that stamp, derive and record; foreign keys and constraints stay.
 * What those triggers derive is the work's own to write.
 */
export async function withoutTriggers(
  client: ClientBase,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const turn = (to: 'enable' | 'disable'): Promise<unknown> =>
    client.query(tables.map((table) => `alter table ${table} ${to} trigger user`).join(';\n'));
  await turn('disable');
  await work();
  await turn('enable');
}
