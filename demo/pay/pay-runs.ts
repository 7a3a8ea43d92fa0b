// Pay runs of the closed months (their hours are approved, see timesheets.ts), computed by the functions that the portal calls,
// and the open one of this month.

import type { ClientBase } from 'pg';
import { actAs } from '../act-as.ts';
import { CLOSED_MONTHS } from '../calendar.ts';
import type { Loading, Step } from '../clients/business.ts';
import { idOf } from '../random.ts';

/** A step for each closed month, oldest first, one for this month, one for the corrections, and one for the returns. */
export const payRunSteps: readonly Step[] = [
  ...Array.from(
    { length: CLOSED_MONTHS + 1 },
    (_, index) => (company: Loading) => insertPayRun(company, index - CLOSED_MONTHS),
  ),
  insertAdjustments,
  insertReturns,
];

const idOfRun = (month: number): string => idOf('pay run', month + CLOSED_MONTHS);

async function insertPayRun({ client, people, calendar }: Loading, month: number): Promise<void> {
  const finance = people.named('finance').id;
  const { first, last } = calendar.month(month);
  const run = idOfRun(month);
  const after = (days: number) => calendar.past(calendar.at(calendar.dayOf(last) + days, 8));
  await client.query('analyze public.timesheets, public.time_segments, public.timesheet_days');
  await actAs(client, finance);
  // Somebody may have begun this run while the company was being filled.
  const { rowCount } = await client.query(
    `insert into public.pay_runs (id, pay_group, currency, period_start, period_end, lrd_per_usd, rate_date, created_by)
     values ($1, 'monthly', 'USD', $2, $3, 184, '2025-01-01', $4) on conflict do nothing`,
    [run, first, last, finance],
  );
  if (rowCount === 1) {
    await client.query('select public.calculate_pay_run($1)', [run]);
    await client.query(
      'update public.pay_runs set created_at = $2, calculated_at = $2 where id = $1',
      [run, after(2)],
    );
    if (month < 0) await lock();
    if (month < -1) await pay(client, run, calendar.date(calendar.dayOf(last) + 4));
  }
  await actAs(client);

  async function lock(): Promise<void> {
    await actAs(client, people.named('admin').id);
    await client.query('select public.approve_pay_run($1)', [run]);
    await actAs(client, finance);
    await client.query('select public.lock_pay_run($1)', [run]);
    await client.query('select private.make_payments($1)', [run]);
    await client.query(
      'update public.pay_runs set approved_at = $2, locked_at = $2 where id = $1',
      [run, after(3)],
    );
    await client.query('update public.payslips set published_at = $2 where pay_run_id = $1', [
      run,
      after(3),
    ]);
    await client.query(
      `update public.payroll r set created_at = $2, created_by = $3
       from public.payslips s where s.payroll_id = r.id and s.pay_run_id = $1`,
      [run, after(3), finance],
    );
    // Everybody has read them long ago.
    await client.query(`delete from public.notices where kind = 'payslip'`);
  }
}

/** A raise that was entered late for some, and amounts that the office found missing; all to decide. */
async function insertAdjustments({ client, people, calendar }: Loading): Promise<void> {
  const finance = people.named('finance').id;
  const admin = people.named('admin').id;
  const { first, last } = calendar.month(-1);
  const staff = people.guards.map((_, number) => idOf('staff', number));
  await actAs(client, finance);
  await client.query(
    `update public.pay_bases set amount = amount + 8
     where staff_id = any ($1) and payment_frequency = 'monthly' and effective_from <= $2`,
    [staff.slice(3, 9), first],
  );
  await client.query(
    'select public.propose_corrections(r.id) from public.pay_runs r where r.id = $1',
    [idOfRun(-1)],
  );
  const entries = [
    { by: admin, of: 11, amount: 6.5, why: 'The taxi after a long handover was not paid.' },
    { by: finance, of: 12, amount: 12, why: 'One night shift was written down for a namesake.' },
  ];
  for (const { by, of, amount, why } of entries) {
    await actAs(client, by);
    await client.query(`select public.add_adjustment($1, $2, $3, $4, 'USD', $5)`, [
      staff[of],
      first,
      last,
      amount,
      why,
    ]);
  }
  await actAs(client);
}

/** Those of last month wait for finance; those before are filed and paid. */
async function insertReturns({ client, people, calendar }: Loading): Promise<void> {
  await actAs(client, people.named('finance').id);
  for (let month = -CLOSED_MONTHS; month < -1; month += 1) {
    const { first } = calendar.month(month);
    const next = calendar.dayOf(calendar.month(month + 1).first);
    for (const kind of ['paye', 'nasscorp']) {
      await client.query('select public.prepare_pay_return($1, $2)', [kind, first]);
      await client.query('select public.file_pay_return($1, $2, $3, $4)', [
        kind,
        first,
        calendar.date(next + 7),
        `${kind === 'paye' ? 'LRA' : 'NSC'}-${first.slice(0, 7)}-0417`,
      ]);
      await client.query(
        `select public.pay_pay_return(r.kind, r.month, $3, 0, greatest(r.due, 0), 'bank', $4)
         from public.pay_returns r where r.kind = $1 and r.month = $2`,
        [kind, first, calendar.date(next + 8), `TT ${first.slice(2, 7)}`],
      );
    }
  }
  await actAs(client);
}

/** Everybody's money has arrived; those without an account got cash. */
async function pay(client: ClientBase, run: string, day: string): Promise<void> {
  await client.query(
    `update public.payments set channel = 'cash', blocked = null where pay_run_id = $1 and blocked is not null`,
    [run],
  );
  const { rows } = await client.query<{ channel: string }>(
    'select distinct channel from public.payments where pay_run_id = $1 order by 1',
    [run],
  );
  for (const { channel } of rows) {
    await client.query(`select public.create_payment_file($1, $2, 'USD')`, [run, channel]);
  }
  await client.query(
    `update public.payments set status = 'paid', paid_on = $2, reference = 'R' || code where pay_run_id = $1`,
    [run, day],
  );
  await client.query(
    `update public.payroll r set payment_status = 'paid', payment_date = $2
     from public.payslips s where s.payroll_id = r.id and s.pay_run_id = $1`,
    [run, day],
  );
  await client.query(
    `update public.pay_runs set status = 'paid', paid_at = $2::date + interval '15 hours' where id = $1`,
    [run, day],
  );
}
