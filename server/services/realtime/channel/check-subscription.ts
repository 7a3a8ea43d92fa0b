// Says at joining what would otherwise only show as silence: a table that is not published, a filter that does not fit.
import { DatabaseError } from 'pg';
import type { Database } from '../../../database/database.ts';
import { FilterError } from '../changes/filter.ts';
import { checkFilter } from '../changes/filter-match.ts';
import type { Subscription } from '../changes/subscriptions.ts';
import { readTable } from '../changes/tables.ts';

const PUBLISHED = `select exists (select from pg_publication_tables where pubname = 'supabase_realtime'
  and ($1 = '*' or schemaname = $1) and ($2 = '*' or tablename = $2)) as published`;

function inWords({ event, schema, table, filter }: Subscription): string {
  const filters = filter.map(({ column, operator, negated, values }) =>
    JSON.stringify([column, operator, values.join(','), negated]),
  );
  return `[event: ${event}, schema: ${schema}, table: ${table}, filters: [${filters.join(', ')}]]`;
}

/**
 * @returns what is wrong with it, in the words of Supabase's server; undefined when nothing is
 * @throws what the database says when it is away
 */
export async function whatIsWrong(
  database: Database,
  subscription: Subscription,
): Promise<string | undefined> {
  const { schema, table, filter, subscriber } = subscription;
  const { rows } = await database.owner.query<{ published: boolean }>(PUBLISHED, [schema, table]);
  if (!rows[0]?.published) {
    return `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: ${inWords(subscription)}`;
  }
  if (filter.length === 0 || table === '*') return undefined;
  const known = await readTable(database.owner, schema, table);
  if (known === undefined) return undefined;
  try {
    await checkFilter(database.callers, subscriber.rights.caller, filter, known);
    return undefined;
  } catch (error) {
    if (!(error instanceof FilterError) && !(error instanceof DatabaseError)) throw error;
    return `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: ${inWords(subscription)}. Exception: ${error.message}`;
  }
}
