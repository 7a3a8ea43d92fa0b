// Every table of sums that is made of other rows, and the same figures from those rows, without the functions that store them.
import type { PoolClient } from 'pg';
import { becomeOwner } from './session.ts';

/** Sums of voided runs stay and are not read. */
const IN_USE = `(select id from pay_runs where status in ('locked', 'paid'))`;

/** Worked minutes of payslips by site and month: `of_slip` are all of the payslip's. */
const WORKED = `(
  select s.id as payslip_id, t.site_id, date_trunc('month', t.day)::date as month, sum(t.minutes) as minutes,
    sum(sum(t.minutes)) over (partition by s.id) as of_slip
  from payslips s
  join pay_runs r on r.id = s.pay_run_id
  join timesheets h on h.user_id = s.user_id and h.period_start <= r.period_end and h.period_end >= r.period_start
  join time_segments t on t.timesheet_id = h.id and t.day between r.period_start and r.period_end
  where t.class not in ('unpaid', 'leave_paid', 'leave_unpaid')
  group by 1, 2, 3
)`;

/** Billed minutes of lines by month: `of_line` are all of the line's. */
const BILLED = `(
  select b.invoice_line_id, date_trunc('month', lower(b.span) at time zone z.time_zone)::date as month,
    sum(b.minutes) as minutes, sum(sum(b.minutes)) over (partition by b.invoice_line_id) as of_line
  from billed_time b cross join private.settings z where b.freed_at is null group by 1, 2
)`;

interface StoredSum {
  /** Rows that readers use now. */
  stored: string;
  counted: string;
}

export const STORED_SUMS: Record<string, StoredSum> = {
  paid_minutes: {
    stored: `select m.payslip_id, m.site_id, m.month, m.minutes
      from private.paid_minutes m join payslips s on s.id = m.payslip_id
      where s.user_id is not null and m.pay_run_id in ${IN_USE}`,
    counted: `select s.id, t.site_id, date_trunc('month', t.day)::date, sum(t.minutes)
      from private.summed_pay_runs d
      join pay_runs r on r.id = d.pay_run_id
      join payslips s on s.pay_run_id = r.id
      join timesheets h on h.user_id = s.user_id and h.pay_run_id = r.id and h.status = 'locked'
      join time_segments t on t.timesheet_id = h.id and t.day between r.period_start and r.period_end
      where t.class not in ('unpaid', 'leave_paid', 'leave_unpaid') and r.id in ${IN_USE} group by 1, 2, 3`,
  },
  wage_sums: {
    stored: `select w.pay_run_id, w.site_id, w.month, round(w.wages, 6), round(w.employer, 6), w.minutes
      from private.wage_sums w join private.settled_runs d on d.pay_run_id = w.pay_run_id
      where d.is_summed and d.pay_run_id in ${IN_USE}
        and d.apart = (select count(*) from private.payslips_apart a where a.pay_run_id = d.pay_run_id)`,
    counted: `select r.id, w.site_id, coalesce(w.month, date_trunc('month', r.period_end)::date),
        round(sum(s.gross * coalesce(w.minutes / w.of_slip, 1)), 6),
        round(sum(s.employer_cost * coalesce(w.minutes / w.of_slip, 1)), 6), coalesce(sum(w.minutes), 0)
      from private.settled_runs d
      join pay_runs r on r.id = d.pay_run_id
      join payslips s on s.pay_run_id = r.id and s.id not in (select payslip_id from private.payslips_apart)
      left join ${WORKED} w on w.payslip_id = s.id
      where d.is_summed and r.id in ${IN_USE}
        and d.apart = (select count(*) from private.payslips_apart a where a.pay_run_id = r.id)
      group by 1, 2, 3`,
  },
  pay_run_sums: {
    stored: `select pay_run_id, gross, taxable, employer_cost, net, coalesce(income_tax, 0), coalesce(nasscorp, 0),
        coalesce(staff_advances, 0), coalesce(other_deductions, 0) from private.pay_run_sums`,
    counted: `select s.pay_run_id, sum(s.gross), sum(s.taxable), sum(s.employer_cost), sum(s.net), sum(l.tax), sum(l.nasscorp),
        sum(l.advances), sum(l.others)
      from private.pay_run_sums x
      join payslips s on s.pay_run_id = x.pay_run_id
      cross join lateral (
        select coalesce(sum(l.amount) filter (where l.kind = 'income_tax'), 0) as tax,
          coalesce(sum(l.amount) filter (where l.kind = 'nasscorp'), 0) as nasscorp,
          coalesce(sum(l.amount) filter (where l.kind in ('advance', 'loan', 'uniform')), 0) as advances,
          coalesce(sum(l.amount) filter (where l.kind in ('deduction', 'other')), 0) as others
        from payslip_lines l where l.payslip_id = s.id
      ) l group by 1`,
  },
  billed_minutes: {
    stored: `select m.invoice_line_id, m.month, m.minutes
      from private.billed_minutes m join invoice_lines l on l.id = m.invoice_line_id where l.credited_at is null`,
    counted: `select l.id, b.month, b.minutes
      from private.summed_invoices d join invoice_lines l on l.invoice_id = d.invoice_id
      join ${BILLED} b on b.invoice_line_id = l.id where l.credited_at is null`,
  },
  billed_sums: {
    stored: `select invoice_id, client_id, currency, issued_on, period_start, period_end, site_id, month, round(amount, 6), minutes
      from private.billed_sums`,
    counted: `select i.id, i.client_id, i.currency, i.issued_on, i.period_start, i.period_end, l.site_id,
        coalesce(b.month, l.month, date_trunc('month', i.period_end)::date) as in_month,
        round(sum(l.amount * coalesce(b.minutes / b.of_line, 1)), 6), coalesce(sum(b.minutes), 0)
      from private.settled_invoices d
      join invoices i on i.id = d.invoice_id
      join invoice_lines l on l.invoice_id = i.id and l.credited_at is null
      left join ${BILLED} b on b.invoice_line_id = l.id
      group by i.id, l.site_id, in_month`,
  },
  unbilled_sums: {
    stored: `select timesheet_id, month, site_id, user_id, contract_id, reason, minutes, first_at, last_at, attendance_ids
      from private.unbilled_sums
      where timesheet_id not in (select * from private.timesheets_to_sum('-infinity', 'infinity'))`,
    counted: `select o.timesheet_id, m.month, o.site_id, o.user_id, o.contract_id,
        case when o.contract_id is null then 'no_contract' when o.basis = 'fixed' then 'month_not_billed'
          when o.rate is null then 'no_rate' else 'not_drafted' end as reason,
        sum(o.minutes), min(lower(o.span)), max(upper(o.span)),
        coalesce(array_agg(distinct o.attendance_id) filter (where o.attendance_id is not null), '{}')
      from (select generate_series(min(period_start) - interval '1 month', max(period_end) + interval '1 month', '1 month')
        as day from timesheets) d
      cross join lateral (select date_trunc('month', d.day)::date as month) m
      cross join lateral private.open_spans(
        array(select id from sites), m.month, (m.month + interval '1 month - 1 day')::date) o
      where o.timesheet_id not in (select * from private.timesheets_to_sum('-infinity', 'infinity'))
      group by 1, 2, 3, 4, 5, reason`,
  },
};

const rowsOf = async (client: PoolClient, sql: string): Promise<string[]> => {
  const { rows } = await client.query<{ row: string }>(
    `select row_to_json(row (s.*))::text as row from (${sql}) s order by 1`,
  );
  return rows.map(({ row }) => row);
};

/** @returns the rows of each table as they are stored, and as they are counted */
export async function readSums(client: PoolClient) {
  await becomeOwner(client);
  const stored: Record<string, string[]> = {};
  const counted: Record<string, string[]> = {};
  for (const [table, sum] of Object.entries(STORED_SUMS)) {
    stored[table] = await rowsOf(client, sum.stored);
    counted[table] = await rowsOf(client, sum.counted);
  }
  return { stored, counted };
}
