// Alerts of yesterday and today with their ends, and the log of the control room.

import { HOUR, iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { insertRows } from '../insert-rows.ts';
import { idOf } from '../random.ts';

/** Guards who came late or never, in the last 36 hours: at the time of loading ($1), acknowledged by the dispatcher ($2). */
const ALERTS = `
  insert into public.alerts (cause, kind, shift_id, assignment_id, user_id, site_id, detail, raised_at,
    escalations, escalated_at, acknowledged_at, acknowledged_by, closed_at, closed_by, outcome, note, created_at, updated_at)
  select 'missing:' || late.id, 'missing', late.shift_id, late.id, late.user_id, late.site_id,
    private.alert_detail('missing', late.shift_id, late.id), late.raised_at,
    case when late.has_acknowledged then 0 else 2 end,
    case when not late.has_acknowledged then least(late.raised_at + interval '10 minutes', $1::timestamptz) end,
    case when late.has_acknowledged
      then least(late.raised_at + late.minutes * interval '30 seconds', late.closed_at, $1::timestamptz) end,
    case when late.has_acknowledged then $2::uuid end,
    late.closed_at, case when late.outcome in ('covered', 'excused') then $2::uuid end, late.outcome,
    case late.outcome
      when 'arrived' then 'Clocked in at ' || to_char(late.clock_in_at at time zone late.timezone, 'FMHH12:MI AM')
      when 'covered' then 'The guard of the watch before stayed until the patrol came.'
      when 'excused' then 'Called in sick at the gate. The client was informed.'
    end, late.raised_at, coalesce(late.closed_at, late.raised_at)
  from (
    select a.*, t.timezone, r.clock_in_at, how.*, a.starts_at + interval '10 minutes' as raised_at,
      2 + row_number() over (order by a.starts_at, a.id) % 5 as minutes,
      ended.outcome is not null or row_number() over (order by a.starts_at desc, a.id) % 2 = 0 as has_acknowledged,
      ended.outcome,
      case ended.outcome
        when 'arrived' then r.clock_in_at
        when 'covered' then a.starts_at + interval '31 minutes'
        when 'excused' then a.starts_at + interval '24 minutes'
      end as closed_at
    from public.assignments a
    join public.sites t on t.id = a.site_id
    left join lateral (
      select r.clock_in_at, r.late_minutes from public.attendance r
      where r.assignment_id = a.id order by r.clock_in_at limit 1
    ) r on true
    cross join lateral (select upper(a.period) > $1::timestamptz as is_running) how
    cross join lateral (
      select case
        when r.clock_in_at is not null then 'arrived'
        when how.is_running then null
        when a.id::text < '8' then 'excused'
        else 'covered'
      end as outcome
    ) ended
    where a.starts_at between $1::timestamptz - interval '36 hours' and $1::timestamptz - interval '10 minutes'
      and not a.on_leave and (r.late_minutes > 10 or r.clock_in_at is null and (
        a.status = 'no_show' and not how.is_running or a.status in ('assigned', 'confirmed') and how.is_running
      ))
  ) late`;

/** Half of the guards who came late in the last 36 hours had said so; of those to come, one is late and one can't come. */
const SAID = `
  insert into public.duty_notices (assignment_id, shift_id, user_id, site_id, kind, minutes, reason, starts_at,
    device_at, said_at, received_at)
  select s.id, s.shift_id, s.user_id, s.site_id, s.kind, s.minutes, s.reason, s.starts_at, s.at, s.at,
    s.at + interval '2 seconds'
  from (
    select a.id, a.shift_id, a.user_id, a.site_id, a.starts_at, 'running_late' as kind, least(240, r.late_minutes + 5)
      as minutes, 'No transport from Paynesville' as reason, a.starts_at - interval '25 minutes' as at
    from public.assignments a join public.attendance r on r.assignment_id = a.id
    where a.starts_at between $1::timestamptz - interval '36 hours' and $1::timestamptz
      and r.late_minutes > 10 and a.id::text < '8'
    union all
    select n.id, n.shift_id, n.user_id, n.site_id, n.starts_at, case n.place when 1 then 'cant_come'
      else 'running_late' end, case n.place when 2 then 20 end,
      case n.place when 1 then 'Ill, fever since last night' else 'Bus broke down' end,
      $1::timestamptz - n.place * interval '4 minutes'
    from (
      select one.*, row_number() over (order by one.starts_at, one.id) as place
      from (
        select distinct on (a.site_id) a.* from public.assignments a
        where a.starts_at between $1::timestamptz + interval '1 hour' and $1::timestamptz + interval '10 hours'
          and a.status = 'confirmed' and not a.on_leave and a.user_id <> all ($2::uuid[])
        order by a.site_id, a.starts_at, a.id
      ) one
      order by one.starts_at, one.id limit 2
    ) n
  ) s
  on conflict do nothing`;

/** Hours ago, text and whether it is for the next watch. */
const NOTES = [
  [2, 'Patrol car 2 is in the workshop until tomorrow noon. Car 4 covers Bushrod Island.', true],
  [5, 'Water at the Freeport access road. Guards for the port leave 30 minutes earlier.', true],
  [7, 'Radio check at 06:00: all sites answered.', false],
  [11, 'Client at Mamba Point asked for a second guard on Saturday. Sent to operations.', false],
  [19, 'Generator test at the depot: expect the alarm between 14:00 and 14:20.', false],
  [26, 'Watch handed over. No open incidents.', false],
] as const;

/** Signs as the person would, and moves it to the time; the claims last for the statement. */
const SIGN = `
  with session as materialized (
    select set_config('request.jwt.claims', json_build_object('sub', $1::uuid, 'role', 'authenticated')::text, true) as set
  ),
  signed as materialized (
    select w.* from session s cross join lateral public.sign_watch($2, $3) w where s.set is not null
  )
  select id from signed`;

const PLACE_IN_TIME = `
  update public.watch_handovers set from_at = $2, signed_at = $3, accepted_at = $4, accepted_by = $5 where id = $1`;

/** The handover of the watch before, read by the dispatcher, and the last one, which nobody has read. */
async function insertWatch({ client, people, calendar }: Loading): Promise<void> {
  const now = calendar.now.getTime();
  const ops = people.named('ops').id;
  const dispatcher = people.named('dispatcher').id;
  const [before, last] = [idOf('watch', 0), idOf('watch', 1)];
  await client.query(SIGN, [
    ops,
    before,
    'Quiet watch. Patrol car 2 is back from the workshop on Monday.',
  ]);
  await client.query(PLACE_IN_TIME, [
    before,
    iso(now - 24 * HOUR),
    iso(now - 12 * HOUR),
    iso(now - 11.8 * HOUR),
    dispatcher,
  ]);
  await client.query(SIGN, [
    ops,
    last,
    'Client at Mamba Point expects a call about Saturday. Keys of the depot are in the safe.',
  ]);
  await client.query(PLACE_IN_TIME, [
    last,
    iso(now - 12 * HOUR),
    iso(now - 0.4 * HOUR),
    null,
    null,
  ]);
}

export async function insertControlRoom(loading: Loading): Promise<void> {
  const { client, people, calendar } = loading;
  const dispatcher = people.named('dispatcher').id;
  const now = calendar.now.getTime();
  await client.query(ALERTS, [iso(now), dispatcher]);
  const named = ['guard', 'guard2'].map((name) => people.named(name).id);
  await client.query(SAID, [iso(now), named]);
  await insertRows(
    client,
    'room_notes',
    NOTES.map(([hours, body, isPinned], number) => ({
      id: idOf('room note', number),
      body,
      is_pinned: isPinned,
      created_by: dispatcher,
      created_at: iso(now - hours * HOUR),
      updated_at: iso(now - hours * HOUR),
    })),
  );
  await insertWatch(loading);
}
