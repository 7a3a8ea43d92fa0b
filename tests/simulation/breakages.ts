// For each invariant a fact that breaks it. An invariant that no breakage trips would be none.
import type { Breakage } from './breakage.ts';
import { BREAKAGES_OF_BOOKS } from './breakages-of-books.ts';
import { BREAKAGES_OF_CLIENTS } from './breakages-of-clients.ts';
import { BREAKAGES_OF_DUTY } from './breakages-of-duty.ts';
import { BREAKAGES_OF_PAGES } from './breakages-of-pages.ts';
import { MINUTE_MS } from './clock.ts';

/** All lists count the seats of a coming shift. */
const ONE_SEAT_MORE = `
  update shifts set required_headcount = required_headcount + 1 where id = (
    select s.id from shifts s where s.start_time > now() + interval '1 hour'
      and s.start_time < now() + interval '20 hours' order by s.start_time, s.id limit 1)`;

const BOARDS = [
  'list of shifts',
  'roster',
  'operations board',
  'dashboard',
  'totals of the list',
].map((screen) => `open seats are equal: ${screen}`);

const CAUSELESS = 'every open alert has its cause, for twelve hours after the shift';
/** A shift that is running, and that has no alert. */
const FULL = `
  from shifts s where now() between s.start_time + interval '10 minutes' and s.end_time
    and not exists (select from alerts a where a.shift_id = s.id and a.kind = 'empty') order by s.id limit 1`;

const BREAKAGES_OF_WORK: readonly Breakage[] = [
  {
    breaks: 'every minute between clock-in and clock-out is in exactly one segment',
    sql: [
      `delete from time_segments where id = (
        select s.id from time_segments s join attendance a on a.id = s.attendance_id
        where s.class = 'unpaid' and a.clock_out_at is not null and s.starts_at >= a.clock_in_at
        order by s.starts_at desc limit 1)`,
    ],
  },
  {
    breaks: 'every person with a fact in a period has its timesheet',
    sql: [
      `delete from timesheets where id = (
        select t.id from timesheets t join attendance a on a.user_id = t.user_id
          and a.clock_in_at::date between t.period_start and t.period_end
        where t.status = 'open' limit 1)`,
    ],
  },
  {
    breaks: 'nobody gets a notice twice',
    sql: [
      `insert into notices (user_id, kind, title, body, created_at)
        select user_id, kind, title, body, created_at + interval '1 hour' from notices order by created_at limit 1`,
    ],
  },
  {
    breaks: 'no notice is delivered twice on one channel',
    sql: [
      `insert into private.notice_deliveries (user_id, channel, notice_ids, state, next_at)
        select user_id, 'email', array[id, id], 'sent', now() from notices limit 1`,
    ],
  },
  {
    breaks: 'no guard is clocked in twice at once, except in records that are flagged',
    sql: [
      `insert into attendance (id, assignment_id, user_id, site_id, clock_in_at, clock_out_at)
        select gen_random_uuid(), assignment_id, user_id, site_id, clock_in_at, clock_out_at
        from attendance where clock_out_at is not null and not 'overlaps' = any (flags) order by clock_in_at limit 1`,
    ],
  },
  {
    breaks: 'every stored clock event is the cause of its record',
    sql: [
      `update clock_events e set attendance_id = gen_random_uuid() where id = (
        select e.id from clock_events e where not exists (
          select from pay_adjustments p where p.details ->> 'assignment_id' = e.assignment_id::text)
        order by e.effective_at limit 1)`,
    ],
  },
  {
    breaks:
      'each call for service is over with one outcome, or open without one, as its timeline says',
    sql: [
      `update service_calls set state = 'open', closed_at = null, outcome = null where id = (
        select id from service_calls where state = 'closed' order by received_at limit 1)`,
    ],
  },
  {
    breaks: 'a unit is on the call to which it was last sent, until one of them ends it',
    sql: [
      `update response_units set state = 'on_scene', call_id = (
        select id from service_calls where closed_at is not null order by received_at limit 1)
        where id = (select id from response_units where call_id is null order by call_sign limit 1)`,
    ],
  },
  {
    breaks: 'no job is late, and no queue has a row that failed',
    sql: [
      `update private.jobs set next_at = now() - interval '6 minutes' where name = (
        select name from private.jobs order by next_at desc limit 1)`,
    ],
  },
  ...BOARDS.map((breaks) => ({ breaks, sql: [ONE_SEAT_MORE], also: BOARDS })),
  {
    breaks: 'every cause of an alert has one, after its delay',
    sql: [
      `update shifts set required_headcount = required_headcount + 1 where id = (
        select s.id from shifts s where now() between s.start_time + interval '10 minutes' and s.end_time
          and not exists (select from alerts a where a.shift_id = s.id and a.kind = 'empty') order by s.id limit 1)`,
    ],
    also: BOARDS,
  },
  {
    breaks: 'what a guard says before a shift has an alert while it counts, and no longer',
    sql: [
      `insert into alerts (cause, kind, shift_id, site_id) select 'cant_come:nothing', 'cant_come', id, site_id ${FULL}`,
    ],
  },
  {
    breaks: CAUSELESS,
    sql: [
      `insert into alerts (cause, kind, shift_id, site_id) select 'empty:nothing', 'empty', id, site_id ${FULL}`,
    ],
  },
  {
    breaks: 'a cause has one open alert',
    sql: [
      `insert into alerts (cause, kind, shift_id, site_id)
        select 'empty:' || n, 'empty', id, site_id from (select id, site_id ${FULL}) s cross join generate_series(1, 2) n`,
    ],
    also: [CAUSELESS],
  },
  {
    breaks: 'everybody who must know of an alert gets a notice of it',
    sql: [
      `insert into alerts (cause, kind, shift_id, site_id, escalations, raised_at, escalated_at, closed_at, outcome)
        select 'empty:known', 'empty', id, site_id, 1, now() - interval '2 hours', now() - interval '55 minutes 7 seconds',
          now(), 'closed' ${FULL}`,
    ],
  },
  {
    breaks:
      'no connection is left over: none waits in a transaction, and there are no more than the pools have',
    act: async ({ product, clock }) => {
      const end = await product.leaveTransactionOpen();
      clock.moveTo(Date.now() + 2 * MINUTE_MS);
      return end;
    },
  },
  {
    breaks: 'nobody reads a row outside the permission matrix',
    // Guards with the session of the admin.
    act: async ({ company }) => {
      const { guards, admin } = company;
      company.guards = guards.map((guard) => ({ ...guard, client: admin.client }));
      return () => {
        company.guards = guards;
      };
    },
    also: ['announcements on screens are those that address the reader, with who has read them'],
  },
  {
    breaks: 'the log has no error and no 5xx',
    act: async ({ product }) => {
      product.readLog('{"level":50,"msg":"A job failed"}\n');
      return () => {};
    },
  },
  {
    breaks: 'no clock event of a phone is lost',
    act: async ({ sent }) => {
      const [last] = sent.slice(-1);
      if (last) sent.push({ ...last, refusal: '400 The shift is over.' });
      return () => sent.splice(-1);
    },
  },
];

export const BREAKAGES: readonly Breakage[] = [
  ...BREAKAGES_OF_WORK,
  ...BREAKAGES_OF_DUTY,
  ...BREAKAGES_OF_CLIENTS,
  ...BREAKAGES_OF_BOOKS,
  ...BREAKAGES_OF_PAGES,
];
