import type { Client } from 'pg';

/** Not those that constraints, references or replication need: they are unique or marked. */
const PLAIN_INDEXES = `
  select format('drop index %I.%I', n.nspname, c.relname) as drop, pg_get_indexdef(i.indexrelid) as create
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
  where not i.indisunique and not i.indisreplident and not i.indisclustered and c.relkind = 'i'
    and n.nspname !~ '^pg_'
    and not exists (select from pg_constraint o where o.conindid = i.indexrelid)
    and not exists (select from pg_inherits h where h.inhrelid = i.indexrelid)
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = i.indrelid and d.deptype = 'e')`;

/** Removes indexes while `load` runs: building one at the end is faster than adding every row to it. */
export async function withoutIndexes(client: Client, load: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ drop: string; create: string }>(PLAIN_INDEXES);
  for (const index of rows) await client.query(index.drop);
  await load();
  await client.query(`set maintenance_work_mem to '256MB'`);
  for (const index of rows) await client.query(index.create);
}
