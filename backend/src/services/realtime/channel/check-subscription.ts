import { DatabaseError } from 'pg';
import { z } from 'zod';
import type { Database } from '../../../database/database.ts';
import { FilterError } from '../changes/filter.ts';
import { checkFilter } from '../changes/filter-match.ts';
import type { Subscription } from '../changes/subscriptions.ts';
import { readTable, type Table } from '../changes/tables.ts';
import { coalesced } from '../gather.ts';

const PUBLISHED = `select exists (select from pg_publication_tables where pubname = 'supabase_realtime'
  and ($1 = '*' or schemaname = $1) and ($2 = '*' or tablename = $2)) as published`;

function describeBinding({ event, schema, table, filter }: Subscription): string {
  const filters = filter.map(({ column, operator, negated, values }) =>
    JSON.stringify([column, operator, values.join(','), negated]),
  );
  return `[event: ${event}, schema: ${schema}, table: ${table}, filters: [${filters.join(', ')}]]`;
}

/** Queries about tables, shared by channels that join at the same time. */
export interface TableChecks {
  /** @param key schema and table as JSON */
  isPublished(key: string): Promise<boolean>;
  table(key: string): Promise<Table | undefined>;
}

const Key = z.tuple([z.string(), z.string()]);

export function tableChecks({ owner }: Database): TableChecks {
  return {
    isPublished: coalesced(async (key) => {
      const { rows } = await owner.query<{ published: boolean }>(
        PUBLISHED,
        Key.parse(JSON.parse(key)),
      );
      return rows[0]?.published ?? false;
    }),
    table: coalesced((key) => readTable(owner, ...Key.parse(JSON.parse(key)))),
  };
}

/**
 * Checks what would otherwise go unnoticed: a table that is not published, a filter that does not fit.
 * @returns the error message of Supabase's server, or undefined
 * @throws when the database is unavailable
 */
export async function subscriptionProblem(
  database: Database,
  checks: TableChecks,
  subscription: Subscription,
): Promise<string | undefined> {
  const { schema, table, filter, subscriber } = subscription;
  const key = JSON.stringify([schema, table]);
  if (!(await checks.isPublished(key))) {
    return `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: ${describeBinding(subscription)}`;
  }
  if (filter.length === 0 || table === '*') return undefined;
  const known = await checks.table(key);
  if (known === undefined) return undefined;
  try {
    await checkFilter(database.callers, subscriber.rights.caller, filter, known);
    return undefined;
  } catch (error) {
    if (!(error instanceof FilterError) && !(error instanceof DatabaseError)) throw error;
    return `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: ${describeBinding(subscription)}. Exception: ${error.message}`;
  }
}
