// Pay runs with the payslips that returns to authorities are made of.
import type { PoolClient } from 'pg';
import { becomeOwner } from './session.ts';

export type Slip = { name: string; gross: number; tax: number; employee: number; employer: number };

/** Pay of US$143 a month, from the worked figures: tax 10.81, NASSCORP 5.72 and 8.58. */
export const MUSU: Slip = {
  name: 'Musu Flomo',
  gross: 143,
  tax: 10.81,
  employee: 5.72,
  employer: 8.58,
};
export const KORPO: Slip = { name: 'Korpo Kollie', gross: 100, tax: 5, employee: 4, employer: 6 };

/** A run as far as its status, locked by default. Its people are found by their names. @returns its id */
export async function addRun(
  client: PoolClient,
  run: { start: string; end: string; currency?: string; status?: string },
  slips: Slip[],
): Promise<string> {
  const { status = 'locked' } = run;
  await becomeOwner(client);
  const { rows } = await client.query<{ id: string }>(
    `insert into pay_runs (pay_group, currency, period_start, period_end, lrd_per_usd)
     values ('monthly', $1, $2, $3, 184) returning id`,
    [run.currency ?? 'USD', run.start, run.end],
  );
  const id = rows[0]?.id ?? '';
  for (const { name, gross, tax, employee, employer } of slips) {
    await client.query(
      `with person as (
         insert into staff (full_name, salary_amount) select $1, 143
         where not exists (select from staff where full_name = $1) returning id
       ), slip as (
         insert into payslips (pay_run_id, staff_id, currency, gross, taxable, deductions, net, employer_cost, published_at)
         select $2, coalesce((select id from person), (select id from staff where full_name = $1)), $3, $4::numeric,
           $4, $5::numeric + $6, $4 - $5::numeric - $6, $7, $8
         returning id
       )
       insert into payslip_lines (payslip_id, position, kind, label, amount, taxable)
       select s.id, l.position, l.kind, l.kind, l.amount, l.kind = 'salary'
       from slip s, (values (1, 'salary', $4::numeric), (2, 'income_tax', -$5::numeric), (3, 'nasscorp', -$6::numeric))
         l (position, kind, amount)`,
      [
        name,
        id,
        run.currency ?? 'USD',
        gross,
        tax,
        employee,
        employer,
        status === 'locked' ? new Date() : null,
      ],
    );
  }
  const steps = ['calculated', 'approved', 'locked'];
  for (const step of steps.slice(0, steps.indexOf(status) + 1)) {
    await client.query(
      `update pay_runs set status = $2, locked_at = case when $2 = 'locked' then now() end where id = $1`,
      [id, step],
    );
  }
  return id;
}
