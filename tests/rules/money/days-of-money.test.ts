// The days that money can have.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { STATEMENT_DAYS_AHEAD } from '#shared/book-days.ts';
import { FIRST_BOOK_DAY } from '#shared/database.limits.ts';
import { addClient } from '#tests/support/invoice-story.ts';
import { finance } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const asFinance = async (client: PoolClient, sql: string, values: unknown[] = []) => {
  await become(client, finance);
  return client.query(sql, values);
};
const why = async (client: PoolClient, work: () => Promise<unknown>) =>
  (await refusal(client, work)).message;
const EXPENSE = `insert into expense_reports (title, amount, category, report_type, expense_date) values ('Fuel', 5, 'other', 'daily', $1)`;

test('begin and end where the forms do', async () => {
  const { rows } = await database.owner.query<{ day: string; ahead: string }>(
    `select private.first_book_day()::text as day, pg_get_triggerdef(t.oid) as ahead from pg_trigger t
     where t.tgrelid = 'financial_statements'::regclass and t.tgname = 'b_last_day'`,
  );
  expect(rows[0]?.day).toBe(FIRST_BOOK_DAY);
  expect(rows[0]?.ahead).toContain(`'${STATEMENT_DAYS_AHEAD}'`);
});

test.each([
  ['2020-12-31', `The date of an expense can't be before January 1, 2021.`],
  ['2199-01-01', `The date of an expense can't be in the future.`],
])('an expense of %s is refused', (day, message) =>
  rolledBack(database.owner, async (client) => {
    expect(await why(client, () => asFinance(client, EXPENSE, [day]))).toBe(message);
  }),
);

test('a receipt of 2020 is refused', () =>
  rolledBack(database.owner, async (client) => {
    const billing = await addClient(client, 'Embassy');
    const receive = `select record_receipt($1, 'USD', 10, '2020-05-01', 'bank', 'Ref 1')`;
    expect(await why(client, () => asFinance(client, receive, [billing.client]))).toBe(
      `The day of receipt can't be before January 1, 2021.`,
    );
  }));

test('a statement ends a year from now at the latest', () =>
  rolledBack(database.owner, async (client) => {
    const add = `insert into financial_statements (title, period_start, period_end) values ('Plan', $1, $2)`;
    expect(await why(client, () => asFinance(client, add, ['2019-01-01', '2026-01-31']))).toBe(
      `The start date can't be before January 1, 2021.`,
    );
    expect(await why(client, () => asFinance(client, add, ['2026-01-01', '2199-01-31']))).toMatch(
      /^The end date can't be after/,
    );
  }));

test('rows from before the limits can change otherwise', () =>
  rolledBack(database.owner, async (client) => {
    await becomeOwner(client);
    await client.query(`set local session_replication_role = replica`);
    await client.query(EXPENSE, ['2019-01-01']);
    await client.query(`set local session_replication_role = origin`);
    await asFinance(
      client,
      `update expense_reports set amount = 7, expense_date = expense_date where expense_date = '2019-01-01'`,
    );
  }));
