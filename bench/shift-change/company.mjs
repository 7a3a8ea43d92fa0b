// SQL of a company of 50,000 guards on 9,000 sites, all of them on shifts that begin soon.

export const GUARDS = 50_000;
const SITES = 9_000;
const POSITION = { latitude: 6.3, longitude: -10.8 };

/** At the gate of every site, within its geofence. */
export const AT_THE_GATE = `${POSITION.latitude}0012,${POSITION.longitude}00034`;

/** Without triggers, which would check a plan of 50,000 assignments row by row. @param {number} minutes until the shifts begin */
export const fill = (minutes) => `
  set session_replication_role = replica;
  create temp table new_guards as select n, gen_random_uuid() as id from generate_series(0, ${GUARDS - 1}) n;
  create temp table new_sites as select n, gen_random_uuid() as id, gen_random_uuid() as shift_id
    from generate_series(0, ${SITES - 1}) n;
  insert into auth.users (id, email) select id, 'guard' || n || '@bench.example' from new_guards;
  insert into profiles (id, email, full_name) select id, 'guard' || n || '@bench.example', 'Guard ' || n from new_guards;
  insert into user_roles (user_id, role) select id, 'guard' from new_guards;
  insert into sites (id, name, client_name, address, latitude, longitude)
    select id, 'Gate ' || n, 'Client ' || n % 500, 'Monrovia', ${POSITION.latitude}, ${POSITION.longitude} from new_sites;
  insert into shifts (id, site_id, start_time, end_time, required_headcount)
    select shift_id, id, now() + interval '${minutes} minutes', now() + interval '${minutes} minutes 8 hours', ${Math.ceil(GUARDS / SITES)}
    from new_sites;
  insert into assignments (shift_id, site_id, period, user_id, created_at)
    select s.id, s.site_id, tstzrange(s.start_time, s.end_time), g.id, now() - interval '1 day'
    from new_guards g join new_sites t on t.n = g.n % ${SITES} join shifts s on s.id = t.shift_id;
  set session_replication_role = origin;
  select private.hold_rights(array(select id from new_guards));
  analyze;`;

/** The next guards who clock in, in no order. @param {number} count */
export const comingGuards = (count) =>
  `select user_id as "userId", id as "assignmentId" from assignments order by md5(id::text) limit ${count}`;

export const STORED = `
  select
    (select count(*)::int from clock_events where id = any ($1)) as known,
    (select count(*)::int from clock_events) as events,
    (select count(*)::int from clock_events where not chain_intact) as broken,
    (select count(*)::int from attendance where id = any ($1)) as records,
    (select count(*)::int from attendance) - (select count(distinct assignment_id)::int from attendance) as doubled,
    (select count(*)::int from assignments where attendance_state = 'in') as present`;
