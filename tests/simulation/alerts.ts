// Invariants of alerts: one is there exactly while its cause is.
import type { Invariant } from './invariant.ts';

/**
 * Causes by raw facts of shifts that began within three days. `due` is since when, with the delay of the site; `is_running`
 * as long as somebody can still come.
 */
const CAUSES = `
  with seat as (
    select a.id, a.shift_id, a.user_id, a.site_id, a.status, a.created_at, s.required_headcount, s.post_id,
      s.start_time, s.end_time, coalesce(a.joins_at, s.start_time) as starts,
      (select count(*) from attendance r where r.assignment_id = a.id) as records,
      exists (select from attendance r where r.assignment_id = a.id and r.clock_out_at is null
        and not 'overtaken' = any (r.flags)) as is_in,
      exists (select from attendance r where r.assignment_id = a.id and r.clock_out_at is null) as is_open,
      (select max(r.clock_out_at) from attendance r where r.assignment_id = a.id) as went
    from assignments a join shifts s on s.id = a.shift_id
    where s.start_time <= now() and s.start_time > now() - interval '3 days'
      and a.status in ('assigned', 'confirmed', 'completed') and not exists (
        select from leave_requests l where l.user_id = a.user_id and l.status = 'approved'
          and greatest(s.start_time, coalesce(a.joins_at, s.start_time)) < (l.end_date + 1)::timestamp at time zone 'UTC'
          and s.end_time > l.start_date::timestamp at time zone 'UTC')
  ),
  causes as (
    select 'missing:' || b.id as cause, b.end_time > now() as is_running,
      greatest(b.starts, b.created_at) + make_interval(mins => t.alert_after_minutes) as due
    from seat b join sites t on t.id = b.site_id where b.records = 0 and b.status <> 'completed'
    union all
    select 'empty:' || s.id, s.end_time > now(), s.start_time
    from shifts s
    where s.start_time <= now() and s.start_time > now() - interval '3 days'
      and (select count(*) from seat b where b.shift_id = s.id) < s.required_headcount
    union all
    select 'left_early:' || b.id, b.end_time > now(), b.went
    from seat b
    where not b.is_open and b.records > 0 and b.went < b.end_time - interval '15 minutes'
      and (select count(*) from seat o where o.shift_id = b.shift_id and o.is_in) < b.required_headcount
      and not exists (
        select from shifts relief join assignments a on a.shift_id = relief.id
        join attendance r on r.assignment_id = a.id and r.clock_out_at is null
        where relief.post_id = b.post_id and relief.start_time between b.end_time - interval '1 hour' and b.end_time)
  )`;

export const ALERTS: readonly Invariant[] = [
  {
    name: 'every cause of an alert has one, after its delay',
    // Who has closed one by hand has dealt with its cause. The job looks every half minute.
    sql: `${CAUSES}
      select c.cause, c.due from causes c where c.is_running and c.due < now() - interval '1 minute'
        and not exists (select from alerts a where a.cause = c.cause)`,
  },
  {
    name: 'every open alert has its cause, for twelve hours after the shift',
    sql: `${CAUSES}
      select a.id, a.cause, a.raised_at from alerts a
      left join shifts s on s.id = a.shift_id
      where a.closed_at is null and a.kind in ('missing', 'empty', 'left_early')
        and (s.end_time is null or s.end_time < now() - interval '12 hours 5 minutes'
          or not exists (select from causes c where c.cause = a.cause))`,
  },
  {
    name: 'what a guard says before a shift has an alert while it counts, and no longer',
    sql: `
      with said as (
        select n.kind || ':' || n.id as cause, n.received_at,
          n.ended_at is null and s.end_time > now() and a.user_id = n.user_id and a.status in ('assigned', 'confirmed')
            and coalesce(greatest(a.joins_at, s.start_time), s.start_time) = n.starts_at
            and not exists (select from attendance r where r.assignment_id = a.id)
            and not exists (select from leave_requests l where l.user_id = n.user_id and l.status = 'approved'
              and s.start_time < (l.end_date + 1)::timestamp at time zone 'UTC'
              and s.end_time > l.start_date::timestamp at time zone 'UTC') as counts
        from duty_notices n left join assignments a on a.id = n.assignment_id left join shifts s on s.id = n.shift_id
      )
      select d.cause, d.counts from said d
      where coalesce(d.counts, false) and d.received_at < now() - interval '1 minute'
        and not exists (select from alerts l where l.cause = d.cause)
      union all
      select l.cause, false from alerts l
      where l.kind in ('cant_come', 'running_late') and l.closed_at is null
        and not exists (select from said d where d.cause = l.cause and d.counts)`,
  },
  {
    name: 'a cause has one open alert',
    sql: `
      select a.kind, a.shift_id, a.assignment_id, count(*)::int from alerts a
      where a.closed_at is null and a.kind in ('missing', 'empty', 'left_early') group by 1, 2, 3 having count(*) > 1`,
  },
  {
    name: 'everybody who must know of an alert gets a notice of it',
    sql: `
      select a.id, a.cause, a.escalations from alerts a
      where a.escalations > 0 and a.escalated_at > now() - interval '1 day'
        and exists (select from user_roles r where r.role = 'ops_manager')
        and not exists (select from notices n where n.kind = 'alert' and n.created_at >= a.raised_at
          and n.user_id in (select r.user_id from user_roles r where r.role in ('ops_manager', 'admin'))
          and n.created_at between a.escalated_at - interval '1 second' and a.escalated_at + interval '1 second')`,
  },
];
