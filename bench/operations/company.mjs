// SQL of a company of 600 posts: each with a guard on a shift that runs now, and a shift earlier today. With the demo's own,
// fewer than the 200 sites above which a board shows the gravest posts only.

export const POSTS = 600;
const POSTS_OF_A_SITE = ['Gate', 'Yard', 'Lobby', 'Stores', 'Car park', 'Roof'];

export const FILL = `
  set session_replication_role = replica;
  insert into auth.users (id, email) select gen_random_uuid(), 'guard' || n || '@board.example' from generate_series(1, ${POSTS}) n;
  insert into profiles (id, email, full_name)
    select id, email, 'Guard ' || substring(email from '[0-9]+') from auth.users where email like '%@board.example';
  insert into user_roles (user_id, role) select id, 'guard' from auth.users where email like '%@board.example';
  insert into sites (name, client_name, address, latitude, longitude)
    select 'Board ' || n, 'Client ' || n % 40, 'Monrovia', 6.2 + n % 25 * 0.03, -10.8 + n / 25 * 0.03
    from generate_series(1, ${POSTS / POSTS_OF_A_SITE.length}) n;
  insert into posts (site_id, name) select s.id, p.name
    from sites s, unnest(array['${POSTS_OF_A_SITE.join("', '")}']) p (name)
    where s.name like 'Board %';
  set session_replication_role = origin;
  select private.hold_rights(array(select id from profiles));
  insert into shifts (site_id, post_id, start_time, end_time)
    select p.site_id, p.id, now() + h.first, now() + h.first + interval '6 hours'
    from posts p join sites s on s.id = p.site_id and s.name like 'Board %',
      (values (interval '-1 minute'), (interval '-7 hours')) h (first);
  insert into assignments (shift_id, user_id, override_reason)
    select s.id, u.id, 'Measured'
    from (
      select s.id, row_number() over (order by s.id) as n from shifts s join sites t on t.id = s.site_id
      where t.name like 'Board %' and s.start_time > now() - interval '1 hour'
    ) s
    join (
      select p.id, row_number() over (order by p.id) as n from profiles p where p.email like '%@board.example'
    ) u using (n);
  analyze;`;

/** One guard of the company clocks in. */
export const clockIn = (assignment, person) =>
  `select private.record_event_for('${person}', 'office', null, null, gen_random_uuid(), 'in', '${assignment}', now(),
    p_gps => '6.3000,-10.8000')`;

/** Assignments of the running shifts. */
export const ASSIGNMENTS = `
  select a.id, a.user_id from assignments a join sites s on s.id = a.site_id
  where s.name like 'Board %' and a.attendance_state = 'none' order by a.id`;

/** Guards who have not come to shifts that began an hour ago, written without the triggers of a planner's change. */
const fillDue = (count) => `
  insert into auth.users (id, email) select gen_random_uuid(), 'due' || n || '@due.example' from generate_series(1, ${count}) n;
  insert into profiles (id, email, full_name) select id, email, email from auth.users where email like '%@due.example';
  with made as (
    insert into shifts (site_id, start_time, end_time, notes)
    select s.id, now() - interval '1 hour', now() + interval '7 hours', 'due'
    from sites s, generate_series(1, ${count}) where s.name = 'Board 1'
    returning id, site_id, tstzrange(start_time, end_time) as period
  )
  insert into assignments (shift_id, site_id, period, user_id, created_at)
    select m.id, m.site_id, m.period, p.id, now() - interval '1 day'
    from (select *, row_number() over () as n from made) m
    join (select id, row_number() over () as n from profiles where email like '%@due.example') p using (n);
  analyze shifts, assignments;`;

/**
 * Measures in bench_times how long it takes to find what so many guards call for, and to store it as alerts. In one
 * transaction that leaves none of it, so that the server's own loop does not do it first.
 */
export const timeDueAlerts = (count) => `
  begin;
  create table bench_times (found integer, find_ms double precision, store_ms double precision);
  set local session_replication_role = replica;
  ${fillDue(count)}
  set local session_replication_role = origin;
  do $$
  declare
    began timestamptz := clock_timestamp();
    found timestamptz;
    due integer;
  begin
    select count(*) into due from private.alert_causes() c
    where not exists (select from public.alerts a where a.cause = c.cause);
    found := clock_timestamp();
    perform private.raise_due_alerts();
    insert into bench_times values (due, extract(epoch from found - began) * 1000,
      extract(epoch from clock_timestamp() - found) * 1000);
  end
  $$;
  set local session_replication_role = replica;
  delete from alerts where shift_id in (select id from shifts where notes = 'due');
  delete from assignments where shift_id in (select id from shifts where notes = 'due');
  delete from shifts where notes = 'due';
  commit;`;
