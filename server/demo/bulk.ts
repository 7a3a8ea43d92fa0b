// Speeds up inserting tens of thousands of rows: triggers and indexes are disabled and restored before the commit.
import type { ClientBase } from 'pg';

interface Rule {
  drop: string;
  make: string;
}

/**
 * Primary keys and unique constraints stay, since foreign keys need them, and so does the index of the replica identity:
 * without it updates are refused, and recreating it would not make it the identity.
 */
async function rulesOf(client: ClientBase, tables: readonly string[]): Promise<Rule[]> {
  const { rows } = await client.query<Rule>(
    `select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make
     from pg_index i
     where i.indrelid = any ($1::regclass[]) and not i.indisreplident
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = i.indrelid)
     union all
     select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname),
       format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
     from pg_constraint k
     where k.conrelid = any ($1::regclass[]) and k.contype in ('x', 'f')`,
    [tables],
  );
  return rows;
}

/**
 * Runs `work` without the indexes, exclusion constraints and foreign keys of these tables, then recreates them: sorting and
 * checking once costs a third of doing it row by row. Recreating checks every row.
 * @param tables with their schemas
 */
export async function withoutIndexes(
  client: ClientBase,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const rules = await rulesOf(client, tables);
  await client.query(rules.map(({ drop }) => drop).join(';\n'));
  await work();
  await client.query(rules.map(({ make }) => make).join(';\n'));
}

/**
 * Runs `work` without triggers; foreign keys and constraints stay. `work` must write what the triggers would derive.
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
