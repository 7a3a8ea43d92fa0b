// A week of a guard whose month is locked and billed, before his phone sends what it kept. March 2025, on US$1.00 an hour, billed
// at US$2.00. Everything is rolled back.
import type { Pool } from 'pg';
import { admin, finance, guardHere } from './people.ts';
import { LENIENT_RULES } from './scene.ts';
import { as, type Timesheets, withHours } from './timesheets.ts';

/** Nobody has worked or been paid. */
export const NOTHING_YET = `${LENIENT_RULES}; delete from clock_events; delete from attendance;
  delete from assignments where user_id = '${guardHere.id}'; delete from shifts; delete from contract_posts;
  truncate staff, pay_runs, timesheets cascade`;

/** Twelve hours on Monday, and nobody on Wednesday. */
export const WEEK = ['3 06:00-18:00', '5 06:00-18:00 | -'];
export const STATE = `select concat_ws(' ', status, attendance_state, no_show_reason) from assignments
  where starts_at::date = '2025-03-05' and user_id = '${guardHere.id}'`;

export const LATE = `select private.record_event_for($1, 'phone', null, null, $2, $3, $4, $5, null, now())`;
export const MONTH = `'2025-03-01', '2025-03-31'`;

/** Locks a month as it is, with approved timesheets. */
export async function lockRun(sheets: Timesheets, day = '2025-03-01'): Promise<string> {
  await sheets.client.query(
    `update timesheets set status = 'approved' where status = 'open' and period_start = date_trunc('month', $1::date)`,
    [day],
  );
  const [{ id } = {}] = await as(
    sheets,
    finance,
    `select create_pay_run('monthly', 'USD', $1) as id`,
    [day],
  );
  await as(sheets, finance, 'select calculate_pay_run($1)', [id]);
  await as(sheets, admin, 'select approve_pay_run($1)', [id]);
  await as(sheets, finance, 'select lock_pay_run($1)', [id]);
  return String(id);
}

export interface Place {
  pool: Pool;
  site: string;
}

export interface Month {
  shifts: string[];
  until?: number;
  terms?: Record<string, unknown>;
}

export interface Late {
  sheets: Timesheets;
  contract: string;
  run: string;
  one: (sql: string, values?: unknown[]) => Promise<unknown>;
  /** The phone sends the shift of a day of March, or of 32 for the first of April. */
  send: (day: number, from: string, to: string) => Promise<void>;
  approve: () => Promise<Record<string, unknown> | undefined>;
  reject: () => Promise<unknown>;
  /** `required worked uncovered` of the month. */
  coverage: () => Promise<unknown>;
  unbilled: () => Promise<unknown>;
  /** Drafts the month and issues what it drew. @returns `kind quantity amount` of the lines */
  bill: (from?: string, to?: string) => Promise<string[]>;
  /** What locked runs paid by hours and adjustments. */
  paid: () => Promise<unknown>;
}

export const at = (day: number, time: string): string =>
  `${new Date(Date.UTC(2025, 2, day)).toISOString().slice(0, 10)}T${time}Z`;

export function lateStory(
  { pool, site }: Place,
  { shifts, until, terms = {} }: Month,
  work: (told: Late) => Promise<void>,
): Promise<void> {
  return withHours(pool, site, { shifts, ...(until && { until }) }, async (sheets) => {
    const { client, person } = sheets;
    const one: Late['one'] = async (sql, values = []) =>
      Object.values((await client.query(sql, values)).rows[0] ?? {})[0];
    await client.query(
      `insert into staff (full_name, user_id, hire_date, pay_basis, salary_amount) values ('Guard', $1, '2024-01-01', 'hourly', 1)`,
      [person],
    );
    const customer = await one(
      `insert into clients (name, number_of_guards, monthly_rate, location) values ('Embassy', 1, 100, 'Here') returning id`,
    );
    await client.query('update sites set client_id = $1 where id = $2', [customer, sheets.site]);
    const contract = String(
      await one(
        `insert into contracts (client_id, title, starts_on, gap_credit) values ($1, 'Guards', '2025-01-01', $2) returning id`,
        [customer, terms.gap_credit ?? 'hours'],
      ),
    );
    const { basis = 'worked', ...columns } = terms;
    await client.query(
      `insert into contract_posts (contract_id, site_id, basis, monthly_amount, minimum_hours) values ($1, $2, $3, $4, $5)`,
      [contract, sheets.site, basis, columns.monthly_amount, columns.minimum_hours],
    );
    await client.query(
      `insert into rates (contract_id, amount, effective_from) values ($1, 2, '2025-01-01')`,
      [contract],
    );
    const decide = (isApproved: boolean) =>
      as(
        sheets,
        admin,
        `select d.* from (
           select id from pay_adjustments where user_id = $1 and kind = 'late_event' order by status = 'to_decide' desc limit 1
         ) a, decide_adjustment(a.id, $2) d`,
        [person, isApproved],
      );
    await work({
      sheets,
      contract,
      one,
      run: await lockRun(sheets),
      send: async (day, from, to) => {
        const assignment = await one(
          `select id from assignments where user_id = $1 and starts_at::date = $2::date`,
          [person, at(day, '00:00')],
        );
        const ends = to < from ? day + 1 : day;
        for (const [kind, time] of [
          ['in', at(day, from)],
          ['out', at(ends, to)],
        ])
          await client.query(LATE, [person, crypto.randomUUID(), kind, assignment, time]);
      },
      approve: async () => (await decide(true))[0],
      reject: () => decide(false),
      coverage: async () =>
        (
          await as(
            sheets,
            finance,
            `select concat_ws(' ', sum(required_minutes), sum(worked_minutes), sum(uncovered_minutes)) as text
             from coverage(${MONTH}, $1)`,
            [customer],
          )
        )[0]?.text,
      unbilled: async () =>
        (
          await as(
            sheets,
            finance,
            `select concat_ws(' ', reason, sum(minutes)) as text from unbilled_hours(${MONTH}, $1) group by reason`,
            [customer],
          )
        ).map(({ text }) => text),
      bill: async (from = '2025-03-01', to = '2025-03-31') => {
        const drafts = await as(sheets, finance, 'select * from draft_invoices($1, $2, $3)', [
          from,
          to,
          customer,
        ]);
        const lines = await client.query<{ text: string }>(
          `select concat_ws(' ', l.kind, trim_scale(l.quantity), l.amount) as text from invoice_lines l
           join invoices i on i.id = l.invoice_id where i.contract_id = $1 and i.status = 'draft' order by l.position`,
          [contract],
        );
        for (const { invoice_id: id } of drafts) {
          if (id) await as(sheets, finance, 'select issue_invoice($1)', [id]);
        }
        return lines.rows.map(({ text }) => text);
      },
      paid: () =>
        one(
          `select sum(l.amount) from payslip_lines l join payslips s on s.id = l.payslip_id
           join pay_runs r on r.id = s.pay_run_id
           where r.status in ('locked', 'paid') and l.kind in ('regular', 'overtime_1', 'overtime_2', 'night', 'adjustment')`,
        ),
    });
  });
}
