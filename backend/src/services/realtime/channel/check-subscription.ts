// Says at joining what would otherwise only show as silence: a table that is not published, a filter that does not fit.
import { DatabaseError } from 'pg';
import { z } from 'zod';
import type { Database } from '../../../database/database.ts';
import { FilterError } from '../changes/filter.ts';
import { checkFilter } from '../changes/filter-match.ts';
import type { Subscription } from '../changes/subscriptions.ts';
import { readTable, type Table } from '../changes/tables.ts';
import { gathered } from '../gather.ts';

const PUBLISHED = `select exists (select from pg_publication_tables where pubname = 'supabase_realtime'
  and ($1 = '*' or schemaname = $1) and ($2 = '*' or tablename = $2)) as published`;

function inWords({ event, schema, table, filter }: Subscription): string {
  const filters = filter.map(({ column, operator, negated, values }) =>
    JSON.stringify([column, operator, values.join(','), negated]),
  );
  return `[event: ${event}, schema: ${schema}, table: ${table}, filters: [${filters.join(', ')}]]`;
}

/** What the database knows of a table, asked once for all who join in one moment. */
export interface TableChecks {
  /** @param key schema and table as JSON */
  isPublished(key: string): Promise<boolean>;
  table(key: string): Promise<Table | undefined>;
}

const Key = z.tuple([z.string(), z.string()]);

export function tableChecks({ owner }: Database): TableChecks {
  return {
    isPublished: gathered(async (key) => {
      const { rows } = await owner.query<{ published: boolean }>(
        PUBLISHED,
        Key.parse(JSON.parse(key)),
      );
      return rows[0]?.published ?? false;
    }),
    table: gathered((key) => readTable(owner, ...Key.parse(JSON.parse(key)))),
  };
}

/**
 * @returns what is wrong with it, in the words of Supabase's server; undefined when nothing is
 * @throws what the database says when it is away
 */
export async function whatIsWrong(
  database: Database,
  checks: TableChecks,
  subscription: Subscription,
): Promise<string | undefined> {
  const { schema, table, filter, subscriber } = subscription;
  const key = JSON.stringify([schema, table]);
  if (!(await checks.isPublished(key))) {
    return `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: ${inWords(subscription)}`;
  }
  if (filter.length === 0 || table === '*') return undefined;
  const known = await checks.table(key);
  if (known === undefined) return undefined;
  try {
    await checkFilter(database.callers, subscriber.rights.caller, filter, known);
    return undefined;
  } catch (error) {
    if (!(error instanceof FilterError) && !(error instanceof DatabaseError)) throw error;
    return `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: ${inWords(subscription)}. Exception: ${error.message}`;
  }
}
