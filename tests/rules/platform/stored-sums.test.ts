// What is stored of sums equals what its facts say, after any changes, and so does the margin that is made of them.
import { DatabaseError, type PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { finance } from '#tests/support/people.ts';
import { picker } from '#tests/support/picker.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner } from '#tests/support/session.ts';
import {
  addHours,
  addSheet,
  GUARDS,
  PERIOD,
  readAsFinance,
  settledCounts,
  settledStory,
  sumForMargin,
} from '#tests/support/settled-story.ts';
import { readSums, STORED_SUMS } from '#tests/support/stored-sums.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

const margin = (client: PoolClient) => readAsFinance<unknown[]>(client, `margin(${PERIOD})`);

async function marginWithoutSums(client: PoolClient): Promise<unknown[]> {
  await client.query('savepoint without_sums');
  await client.query('delete from private.summed_pay_runs; delete from private.paid_minutes');
  await client.query('delete from private.summed_invoices; delete from private.billed_minutes');
  await client.query('delete from private.settled_runs; delete from private.wage_sums');
  await client.query('delete from private.settled_invoices; delete from private.billed_sums');
  const rows = await margin(client);
  await client.query('rollback to savepoint without_sums');
  return rows;
}

const sumUnbilled = (client: PoolClient) =>
  client.query('select private.check_billed_timesheets()');

type Change = (client: PoolClient, pick: (count: number) => number) => Promise<unknown>;

const sheetOf = (status: string) =>
  `select id from timesheets where status = '${status}' and period_start >= '2026-05-01' order by period_start, user_id`;

const CHANGES: Change[] = [
  sumForMargin,
  sumForMargin,
  sumForMargin,
  sumUnbilled,
  sumUnbilled,
  (client, pick) => {
    const first = 30 + pick(8);
    return addSheet(client, GUARDS[pick(2)] ?? '', first, first + pick(4));
  },
  (client, pick) =>
    addHours(client, GUARDS[pick(2)] ?? '', 28 + pick(12), 60 + pick(300), scene.sites.elsewhere),
  (client, pick) =>
    client.query(`delete from timesheets where id in (${sheetOf('open')} offset $1 limit 1)`, [
      pick(3),
    ]),
  (client, pick) =>
    client.query(
      `update timesheets set period_end = period_end + 1 where id in (${sheetOf('open')} offset $1 limit 1)`,
      [pick(3)],
    ),
  (client, pick) =>
    client.query(
      `update timesheets set status = 'locked', locked_at = now(), pay_run_id = (
         select id from pay_runs where status = 'locked' order by period_start, currency offset $2 limit 1)
       where id in (${sheetOf('open')} offset $1 limit 1)`,
      [pick(2), pick(3)],
    ),
  async (client, pick) => {
    if (pick(4) > 0) return;
    await become(client, finance);
    await client.query(
      `select void_pay_run((select id from pay_runs where status = 'locked' order by period_start desc, currency desc limit 1), 'Wrong')`,
    );
  },
  (client, pick) =>
    client.query(
      `update payslips set user_id = null where id in (
         select id from payslips where user_id is not null order by pay_run_id, user_id offset $1 limit 1)`,
      [pick(12)],
    ),
  async (client, pick) => {
    await become(client, finance);
    await client.query(
      `select credit_invoice(l.invoice_id, 'Wrong', array[l.id]) from invoice_lines l join invoices i on i.id = l.invoice_id
       where l.credited_at is null and i.status <> 'draft' order by i.number, l.position offset $1 limit 1`,
      [pick(5)],
    );
  },
  (client, pick) =>
    client.query('update private.settings set time_zone = $1', [
      ['UTC', 'Pacific/Kiritimati', 'Africa/Monrovia'][pick(3)],
    ]),
  (client, pick) =>
    client.query(
      `insert into contract_posts (contract_id, site_id, starts_on, basis, monthly_amount)
       select c.id, $1, c.starts_on, $2, $3 from contracts c where c.title = 'Guards' limit 1`,
      [
        scene.sites.here,
        ...([
          ['hours', null],
          ['fixed', 900],
        ][pick(2)] ?? []),
      ],
    ),
  (client) => client.query('delete from contract_posts where site_id = $1', [scene.sites.here]),
  (client, pick) =>
    client.query(
      `insert into rates (contract_id, amount, effective_from)
       select c.id, 2, date '2026-06-01' + $1::integer from contracts c where c.title = 'Guards' limit 1`,
      [pick(40)],
    ),
  (client) => client.query('delete from rates'),
];

/** Undoes the change if the database refuses it. */
async function attempted(client: PoolClient, change: () => Promise<unknown>): Promise<void> {
  await client.query('savepoint change');
  try {
    await change();
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    await client.query('rollback to savepoint change');
  }
}

test.for([1, 2, 3, 4])('sums and margin are those of the facts after any changes: %i', (seed) =>
  settledStory(database.owner, scene, async (client) => {
    const pick = picker(seed * 7919);
    const seen = new Set<string>();
    const filled = new Set<string>();
    for (let turn = 0; turn < 100; turn += 1) {
      const change = CHANGES[pick(CHANGES.length)] ?? sumForMargin;
      await attempted(client, () => change(client, pick));
      await becomeOwner(client);
      expect(await margin(client), `after change ${turn}`).toEqual(await marginWithoutSums(client));
      const { stored, counted } = await readSums(client);
      expect(stored, `after change ${turn}`).toEqual(counted);
      for (const [table, rows] of Object.entries(stored)) if (rows.length > 0) filled.add(table);
      seen.add(await settledCounts(client));
    }
    expect(seen.size).toBeGreaterThan(3);
    expect([...filled].sort()).toEqual(Object.keys(STORED_SUMS).sort());
  }),
);

test('no other table has sums', async () => {
  const { rows } = await database.owner.query(
    `select relname from pg_class where relnamespace = 'private'::regnamespace and relkind = 'r'
       and relname ~ '_(sums|minutes|days|counts|totals)$'
       and relname <> 'hire_days' -- on which people were hired
     order by 1`,
  );
  expect(rows.map(({ relname }) => relname)).toEqual(Object.keys(STORED_SUMS).sort());
});
