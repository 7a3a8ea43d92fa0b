// What must hold after every day, computed from stored facts. No query calls a function of the product, and none reads what the
// product has derived, except to compare it.
import { BOOKS, DOCUMENTS } from './books.ts';
import type { Broken, Invariant } from './invariant.ts';
import { checkJournal, checkOpenSeats } from './screens.ts';
import type { World } from './world.ts';

export const INVARIANTS: readonly Invariant[] = [
  {
    name: 'every minute between clock-in and clock-out is in exactly one segment',
    // Segments of a person can't overlap; leave may be the segment of a minute that was worked all the same.
    sql: `
      with worked as (
        select a.id, a.user_id, date_trunc('minute', a.clock_in_at) as came, date_trunc('minute', a.clock_out_at) as went
        from attendance a where a.clock_out_at is not null
      )
      select w.id, w.user_id, w.came, w.went, sum(extract(epoch from
        least(s.ends_at, w.went) - greatest(s.starts_at, w.came)) / 60) as minutes
      from worked w
      left join time_segments s on s.user_id = w.user_id and s.starts_at < w.went and s.ends_at > w.came
      group by w.id, w.user_id, w.came, w.went
      having coalesce(sum(extract(epoch from least(s.ends_at, w.went) - greatest(s.starts_at, w.came)) / 60), 0)
        <> extract(epoch from w.went - w.came) / 60`,
  },
  {
    name: 'every person with a fact in a period has its timesheet',
    sql: `
      select a.user_id, a.clock_in_at from attendance a
      where not exists (
        select from timesheets t where t.user_id = a.user_id and a.clock_in_at::date between t.period_start and t.period_end)`,
  },
  {
    name: 'nobody gets a notice twice',
    sql: `
      select n.user_id, n.kind, n.title, n.body, n.created_at::date as day, count(*)::int
      from notices n group by 1, 2, 3, 4, 5 having count(*) > 1`,
  },
  {
    name: 'no guard is clocked in twice at once, except in records that are flagged',
    sql: `
      select a.id, b.id as other from attendance a join attendance b on b.user_id = a.user_id and b.id > a.id
        and tstzrange(a.clock_in_at, a.clock_out_at) && tstzrange(b.clock_in_at, b.clock_out_at)
      where not ('overlaps' = any (a.flags) or 'overlaps' = any (b.flags))`,
  },
  {
    name: 'every stored clock event is the cause of its record',
    sql: `
      select e.id, e.kind, e.effective_at, a.clock_in_at, a.clock_out_at
      from clock_events e left join attendance a on a.id = e.attendance_id
      where a.id is null and not exists (
        select from pay_adjustments p where p.details ->> 'assignment_id' = e.assignment_id::text)`,
  },
  {
    name: 'no job is late, and no queue has a row that failed',
    sql: `
      select name as what, next_at from private.jobs where next_at < now() - interval '5 minutes'
      union all select 'hours of ' || user_id || ' ' || coalesce(error, ''), try_at from private.time_to_compute
      union all select 'notice ' || coalesce(last_error, ''), next_at from private.notice_deliveries
        where state = 'failed' or last_error is not null`,
  },
];

/** Rows that are shown of a broken invariant. */
const SHOWN = 8;

/** Documents that are not what they were when they were locked or issued. Those of a voided run are gone from the list. */
async function checkDocuments({ product, documents }: World): Promise<Broken[]> {
  const rows = await product.sql<{ document: string; hash: string }>(DOCUMENTS);
  const changed = rows.flatMap(({ document, hash }) => {
    const known = documents.get(document);
    documents.set(document, hash);
    return known === undefined || known === hash ? [] : [document];
  });
  const found = new Set(rows.map(({ document }) => document));
  // A timesheet is open again, and a payslip withdrawn, when its run is voided.
  const gone = [...documents.keys()].filter((document) => !found.has(document));
  for (const document of gone) documents.delete(document);
  const lost = gone.filter((document) => !/^(timesheet|payslip) /.test(document));
  return [
    { name: 'locked and issued documents never change', rows: changed },
    { name: 'issued documents never vanish', rows: lost },
  ].filter((one) => one.rows.length > 0);
}

export async function check(world: World): Promise<Broken[]> {
  const broken: Broken[] = [];
  for (const { name, sql } of [...INVARIANTS, ...BOOKS]) {
    const rows = await world.product.sql(sql);
    if (rows.length > 0) broken.push({ name, rows: rows.slice(0, SHOWN) });
  }
  return [
    ...broken,
    ...(await checkDocuments(world)),
    ...(await checkOpenSeats(world)),
    ...(await checkJournal(world)),
  ];
}
