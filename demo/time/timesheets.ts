// The hours of three closed months, approved, and of this month. In a company triggers and the servers' job make them from
// the roster; the demo is loaded without triggers, and computes all of them in a few parts.
import { writeHolidays } from '../../server/roster/holidays.ts';
import { CLOSED_MONTHS } from '../calendar.ts';
import type { Loading, Step } from '../clients/business.ts';
import { insertRows } from '../insert-rows.ts';
import { idOf } from '../random.ts';

/** Years of public holidays: the closed months may lie in the last one. */
const YEARS = [-1, 0, 1];

/** Each is computed in a transaction of its own, which locks timesheets for a second. */
const PARTS = 12;

const EVERYBODY = `array(
  select e.user_id from (
    select a.user_id from public.assignments a union select e.user_id from private.employments e
  ) e where mod(abs(hashtext(e.user_id::text)), $3) = $4 order by 1)`;

/** First day of the oldest closed month, and last day of this one. */
const periodOf = ({ calendar }: Loading) => [
  calendar.month(-CLOSED_MONTHS).first,
  calendar.month(0).last,
];

export const timesheetSteps: readonly Step[] = [
  decideTime,
  ...Array.from({ length: PARTS }, (_, part) => (company: Loading) => computeTime(company, part)),
  approveTimesheets,
];

/** Who stayed on or came after a short rest in the closed months; one in ten is refused. */
async function decideTime({ client, people, calendar }: Loading): Promise<void> {
  const hr = people.named('hr').id;
  const year = Number(calendar.date(0).slice(0, 4));
  await writeHolidays(
    client,
    YEARS.map((offset) => year + offset),
  );
  await insertRows(client, 'company_holidays', [
    { id: idOf('holiday', 0), day: `${year}-12-26`, name: 'Day after Christmas', created_by: hr },
  ]);
  const { first } = calendar.month(0);
  await client.query(
    `insert into public.time_decisions (id, attendance_id, user_id, site_id, kind, approved, note, decided_by, decided_at)
     select md5(r.id || k.kind)::uuid, r.id, r.user_id, r.site_id, k.kind, hashtext(r.id::text) % 10 <> 0,
       case when hashtext(r.id::text) % 10 = 0 then 'Nobody asked the guard to stay.' end, $1,
       r.clock_out_at + interval '1 day'
     from public.attendance r
     join public.assignments a on a.id = r.assignment_id
     cross join lateral (
       select 'stayed_on' as kind where r.clock_out_at > upper(a.period) + interval '15 minutes'
       union all
       select 'rest_override' where a.overridden_rules && array['rest', 'weekly_rest']
     ) k
     where r.clock_in_at >= private.company_midnight($2) and r.clock_out_at < private.company_midnight($3)
       and r.user_id <> $1
     on conflict do nothing`,
    [hr, calendar.month(-CLOSED_MONTHS).first, first],
  );
  // The job goes on from here.
  await client.query('update private.time_swept set made_until = $1', [first]);
}

async function computeTime(company: Loading, part: number): Promise<void> {
  const { client } = company;
  const values = [...periodOf(company), PARTS, part];
  await client.query(
    `select private.add_timesheets(p.users, array_fill($1::date, array[cardinality(p.users)]),
       array_fill($2::date, array[cardinality(p.users)]))
     from (select ${EVERYBODY} as users) p`,
    values,
  );
  await client.query(`select private.compute_time(${EVERYBODY}, $1, $2)`, values);
}

async function approveTimesheets({ client, people, calendar }: Loading): Promise<void> {
  const hr = people.named('hr').id;
  const { first, last } = calendar.month(0);
  await client.query(
    `update public.timesheets t set status = 'approved', approved_by = $1,
       approved_at = private.company_midnight(t.period_end + 2) + interval '10 hours'
     where t.period_end < $2 and t.status = 'open' and t.open_issues = 0 and t.user_id <> $1`,
    [hr, first],
  );
  await client.query(
    `insert into public.timesheet_disputes (id, timesheet_id, user_id, day, note)
     select $1, d.timesheet_id, d.user_id, d.day, 'I stayed two hours longer, because my relief came late.'
     from public.timesheet_days d join public.timesheets t on t.id = d.timesheet_id
     where d.user_id = $2 and t.status = 'open' and d.worked_minutes > 0 order by d.day desc limit 1`,
    [idOf('dispute', 0), people.named('guard2').id],
  );
  await client.query('select private.compute_time(array[$1]::uuid[], $2, $3)', [
    people.named('guard2').id,
    first,
    last,
  ]);
}
