// SQL of a company of 600 posts: each with a guard on a shift that runs now, and a shift later today.

export const POSTS = 600;

export const FILL = `
  set session_replication_role = replica;
  insert into auth.users (id, email) select gen_random_uuid(), 'guard' || n || '@board.example' from generate_series(1, ${POSTS}) n;
  insert into profiles (id, email, full_name)
    select id, email, 'Guard ' || substring(email from '[0-9]+') from auth.users where email like '%@board.example';
  insert into user_roles (user_id, role) select id, 'guard' from auth.users where email like '%@board.example';
  insert into sites (name, client_name, address, latitude, longitude)
    select 'Board ' || n, 'Client ' || n % 40, 'Monrovia', 6.2 + n % 25 * 0.03, -10.8 + n / 25 * 0.03
    from generate_series(1, ${POSTS / 2}) n;
  insert into posts (site_id, name) select s.id, p.name from sites s, (values ('Gate'), ('Yard')) p (name)
    where s.name like 'Board %';
  set session_replication_role = origin;
  insert into shifts (site_id, post_id, start_time, end_time)
    select p.site_id, p.id, now() + h.first, now() + h.first + interval '6 hours'
    from posts p join sites s on s.id = p.site_id and s.name like 'Board %',
      (values (interval '-5 minutes'), (interval '-7 hours')) h (first);
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

/** So many guards who have not come to shifts that began an hour ago, written without the triggers of a planner's change. */
export const fillDue = (count) => `
  set session_replication_role = replica;
  insert into auth.users (id, email) select gen_random_uuid(), 'due' || n || '@due.example' from generate_series(1, ${count}) n;
  insert into profiles (id, email, full_name) select id, email, email from auth.users where email like '%@due.example';
  with chosen as (select id from sites where name = 'Board 1'),
    made as (
      insert into shifts (site_id, start_time, end_time)
      select c.id, now() - interval '1 hour', now() + interval '7 hours' from chosen c, generate_series(1, ${count})
      returning id, site_id, tstzrange(start_time, end_time) as period
    )
  insert into assignments (shift_id, site_id, period, user_id, created_at)
    select m.id, m.site_id, m.period, p.id, now() - interval '1 day'
    from (select *, row_number() over () as n from made) m
    join (select id, row_number() over () as n from profiles where email like '%@due.example') p using (n);
  set session_replication_role = origin;
  analyze;`;
