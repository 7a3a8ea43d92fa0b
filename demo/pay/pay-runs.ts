// Pay runs of the closed months (their hours are approved, see timesheets.ts), computed by the functions that the portal calls,
// and the open one of this month.

import { actAs } from '../act-as.ts';
import { CLOSED_MONTHS } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { idOf } from '../random.ts';

export async function insertPayRuns({ client, people, calendar }: Loading): Promise<void> {
  const finance = people.named('finance').id;
  const admin = people.named('admin').id;
  await client.query('analyze public.timesheets, public.time_segments, public.timesheet_days');
  for (let month = -CLOSED_MONTHS; month <= 0; month += 1) {
    const { first, last } = calendar.month(month);
    const run = idOf('pay run', month + CLOSED_MONTHS);
    const after = (days: number) => calendar.past(calendar.at(calendar.dayOf(last) + days, 8));
    await actAs(client, finance);
    await client.query(
      `insert into public.pay_runs (id, pay_group, currency, period_start, period_end, lrd_per_usd, rate_date, created_by)
       values ($1, 'monthly', 'USD', $2, $3, 184, '2025-01-01', $4)`,
      [run, first, last, finance],
    );
    await client.query('select public.calculate_pay_run($1)', [run]);
    await client.query(
      'update public.pay_runs set created_at = $2, calculated_at = $2 where id = $1',
      [run, after(2)],
    );
    if (month === 0) break;
    await actAs(client, admin);
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
    if (month < -1) await pay(run, calendar.date(calendar.dayOf(last) + 4));
  }
  await insertAdjustments();
  await actAs(client);
  // Everybody has read them long ago.
  await client.query(`delete from public.notices where kind = 'payslip'`);

  /** A raise that was entered late for some, and amounts that the office found missing; all to decide. */
  async function insertAdjustments(): Promise<void> {
    const { first, last } = calendar.month(-1);
    const staff = people.guards.map((_, number) => idOf('staff', number));
    await client.query(
      `update public.pay_bases set amount = amount + 8
       where staff_id = any ($1) and payment_frequency = 'monthly' and effective_from <= $2`,
      [staff.slice(3, 9), first],
    );
    await client.query('select public.propose_corrections($1)', [
      idOf('pay run', CLOSED_MONTHS - 1),
    ]);
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
  }

  /** Everybody's money has arrived; those without an account got cash. */
  async function pay(run: string, day: string): Promise<void> {
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
}
