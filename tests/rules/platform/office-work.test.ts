// What waits for each role of the office: its counts are those of the screens that they lead to.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import {
  admin,
  bystander,
  contactHere,
  dispatcher,
  finance,
  guardHere,
  hr,
  newcomer,
  opsManager,
  type Person,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, become, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

type Work = Record<string, { amount: number; urgent: number }>;

async function workOf(client: PoolClient): Promise<Work> {
  const { rows } = await client.query<{ item: string; amount: number; urgent: number }>(
    'select * from office_work()',
  );
  return Object.fromEntries(rows.map(({ item, amount, urgent }) => [item, { amount, urgent }]));
}

const datesOf = async (client: PoolClient) =>
  (
    await client.query<{ topic: string; title: string; first_on: string; link: string }>(
      'select topic, title, first_on::text, link from office_dates()',
    )
  ).rows;

const amountOf = async (client: PoolClient, sql: string) =>
  Number((await client.query<{ n: string }>(`select count(*) as n from ${sql}`)).rows[0]?.n);

const PLANNING = ['alerts', 'requests'];
const OVERSIGHT = [
  ...['incidents_overdue', 'incidents_mine', 'incidents_unowned'],
  ...['attendance_review', 'forgotten_clock_outs', 'timesheets', 'timesheets_before'],
];
const PEOPLE = ['leave', 'on_leave', 'certificates_expired', 'certificates_expiring', 'leaving'];
const MONEY = [
  ...['without_pay', 'adjustments', 'pay_runs_in_review', 'pay_runs_calculated', 'rates'],
  ...['pay_accounts', 'refunds', 'pay_returns', 'tax_numbers', 'invoices_draft'],
  ...['invoices_overdue', 'contracts_losing'],
];

const ROLES: readonly (readonly [Person, string[]])[] = [
  [dispatcher, [...PLANNING, 'watch', 'calls']],
  [supervisorHere, [...PLANNING, ...OVERSIGHT]],
  [opsManager, [...PLANNING, 'watch', 'calls', ...OVERSIGHT, ...PEOPLE, 'enquiries']],
  [hr, [...OVERSIGHT.slice(3), ...PEOPLE]],
  [finance, MONEY],
  [admin, [...PLANNING, 'watch', 'calls', ...OVERSIGHT, ...PEOPLE, 'enquiries', ...MONEY]],
];

test.each(ROLES)('$name gets the work of the role and no other', async (person, items) => {
  await rolledBack(database.owner, async (client) => {
    await become(client, person);
    expect(Object.keys(await workOf(client)).sort()).toEqual([...items].sort());
  });
});

test.each([[guardHere], [newcomer], [contactHere]])('is refused to $name', async (person) => {
  await expect(
    asPerson(database.owner, person, 'select * from office_work()'),
  ).rejects.toMatchObject({ code: REFUSED });
});

test('counts as the lists do, and what should not wait', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query(
      `delete from leave_requests; update alerts set acknowledged_at = now() where closed_at is null`,
    );
    await client.query(
      `insert into leave_requests (user_id, type, start_date, end_date, reason, status) values
         ($1, 'annual', private.company_date() + 2, private.company_date() + 3, 'Family', 'pending'),
         ($1, 'annual', private.company_date() + 20, private.company_date() + 21, 'Family', 'pending'),
         ($2, 'annual', private.company_date() - 3, private.company_date(), 'Family', 'approved'),
         ($2, 'annual', private.company_date() + 6, private.company_date() + 9, 'Family', 'approved'),
         ($2, 'annual', private.company_date() + 30, private.company_date() + 31, 'Family', 'approved')`,
      [guardHere.id, bystander.id],
    );
    await become(client, opsManager);
    const work = await workOf(client);
    expect(work.leave).toEqual({ amount: 2, urgent: 1 });
    expect(work.on_leave).toEqual({ amount: 2, urgent: 0 });
    expect(work.alerts).toEqual({
      amount: await amountOf(client, 'alerts where closed_at is null'),
      urgent: 0,
    });
    expect(work.alerts?.amount).toBeGreaterThan(0);
    const open = 'service_calls where closed_at is null';
    expect(work.calls).toEqual({
      amount: await amountOf(client, open),
      urgent: await amountOf(client, `${open} and answered_at is null`),
    });
    expect(work.calls?.amount).toBeGreaterThan(0);
    const { rows } = await client.query<{ with_issues: number }>(
      `select with_issues from timesheet_counts(
         date_trunc('month', private.company_date())::date,
         (date_trunc('month', private.company_date()) + interval '1 month')::date - 1)`,
    );
    expect(work.timesheets?.amount).toBe(rows[0]?.with_issues);
  });
});

test('a supervisor of a site is shown the alerts of that site alone', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query('delete from alerts where site_id <> $1', [scene.sites.here]);
    const all = await amountOf(client, 'alerts where closed_at is null');
    expect(all).toBeGreaterThan(0);
    await become(client, supervisorHere);
    expect((await workOf(client)).alerts?.amount).toBe(all);
    await become(client, supervisorElsewhere);
    expect((await workOf(client)).alerts?.amount).toBe(0);
  });
});

test('finance is shown invoices past their due day and people without pay', async () => {
  await rolledBack(database.owner, async (client) => {
    await become(client, finance);
    const work = await workOf(client);
    expect(work.invoices_overdue?.amount).toBe(
      await amountOf(client, 'invoices where due_on < private.company_date() and open_amount > 0'),
    );
    expect(work.without_pay?.amount).toBe(await amountOf(client, 'people_without_pay()'));
    expect(work.adjustments?.amount).toBe(
      await amountOf(client, `pay_adjustments where status = 'to_decide'`),
    );
  });
});

test('what falls due is in the words of its notice, for those who get the notice and for admins', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query(
      `insert into shifts (site_id, start_time, end_time)
       select $1, private.company_midnight(w.monday) + interval '8 hours',
         private.company_midnight(w.monday) + interval '16 hours'
       from (select date_trunc('week', private.reminder_date())::date + 7 as monday) w`,
      [scene.sites.here],
    );
    const { rows } = await client.query<{ monday: string }>(
      `select (date_trunc('week', private.reminder_date())::date + 7)::text as monday`,
    );
    const monday = rows[0]?.monday;
    const roster = {
      topic: 'roster',
      title: 'The roster of next week is not published',
      first_on: monday,
      link: `/admin/roster?gaps=open&week=${monday}`,
    };
    for (const person of [dispatcher, opsManager, admin]) {
      await become(client, person);
      expect(await datesOf(client), person.name).toContainEqual(roster);
    }
    for (const person of [finance, hr, guardHere, newcomer]) {
      await become(client, person);
      const topics = (await datesOf(client)).map(({ topic }) => topic);
      expect(topics, person.name).not.toContain('roster');
      if (person !== finance) expect(topics, person.name).toEqual([]);
    }
  });
});
