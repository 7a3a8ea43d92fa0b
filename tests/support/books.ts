// Closing the books up to September 30, 2026, and reopening them.
import type { PoolClient } from 'pg';
import type { Billing } from './invoice-story.ts';
import { finance, type Person } from './people.ts';
import { become, becomeOwner, refusal } from './session.ts';

export const CLOSED =
  'The books are closed up to September 30, 2026. Choose a later day, or ask to reopen them in Accounting.';

export const as = async (
  client: PoolClient,
  person: Person,
  sql: string,
  values: unknown[] = [],
) => {
  await become(client, person);
  return (await client.query(sql, values)).rows;
};
export const asOwner = async (client: PoolClient, sql: string, values: unknown[] = []) => {
  await becomeOwner(client);
  return (await client.query(sql, values)).rows;
};
export const why = async (client: PoolClient, work: () => Promise<unknown>) =>
  (await refusal(client, work)).message;
export const close = (client: PoolClient, person = finance, day = '2026-09-30') =>
  as(client, person, 'select close_books($1)', [day]);
export const ask = async (client: PoolClient, person: Person, to: string | null = '2026-08-31') =>
  (await as(client, person, `select (ask_to_reopen_books('A receipt was missed', $1)).id`, [to]))[0]
    .id as string;
export const decide = (client: PoolClient, person: Person, id: string, approve = true) =>
  as(client, person, 'select decide_reopening($1, $2)', [id, approve]);
export const closedTo = async (client: PoolClient) =>
  (await asOwner(client, 'select closed_to::text from private.books'))[0].closed_to;
export const receive = (
  client: PoolClient,
  { client: id }: Billing,
  day: string,
  person = finance,
) =>
  as(
    client,
    person,
    `select id from record_receipt($1, 'USD', 10, $2, 'bank', 'Ref 1', p_allocations => '[]')`,
    [id, day],
  );
export const EXPENSE = `insert into expense_reports (title, amount, category, report_type, expense_date) values ('Fuel', 5, 'other', 'daily', $1)`;
