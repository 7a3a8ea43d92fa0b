-- Rounds of tours, scans from phones that may be offline for days, and alerts for rounds that nobody finished.

-- The rounds due in a period, within shifts that have a guard. Half open: p_to is not included.
create function private.tour_rounds(p_from timestamptz, p_to timestamptz, p_sites uuid[] default null)
returns table (
  tour_id uuid, site_id uuid, shift_id uuid, due_at timestamptz, opens_at timestamptz, finish_by timestamptz
)
language sql stable security definer set search_path = '' as $$
  select distinct on (t.id, round.at) t.id, t.site_id, s.id, round.at,
    round.at - make_interval(mins => t.tolerance_minutes), round.at + make_interval(mins => t.tolerance_minutes)
  from public.tours t
  join public.sites place on place.id = t.site_id
  join public.shifts s on s.site_id = t.site_id and (t.post_id is null or s.post_id = t.post_id)
    and s.start_time < p_to and s.end_time > p_from
  cross join lateral (
    select s.start_time + n * make_interval(mins => t.every_minutes)
    from generate_series(1, 48) n where t.every_minutes is not null
    union all
    select (d.day::date + o.at) at time zone place.timezone
    from generate_series(
      (s.start_time at time zone place.timezone)::date, (s.end_time at time zone place.timezone)::date, interval '1 day'
    ) d (day), unnest(t.times) o (at)
  ) round (at)
  where t.is_active and (p_sites is null or t.site_id = any (p_sites))
    and round.at >= s.start_time and round.at < s.end_time and round.at >= p_from and round.at < p_to
    and exists (
      select from public.assignments a where a.shift_id = s.id and a.status not in ('cancelled', 'no_show')
    )
  order by t.id, round.at, s.start_time, s.id;
$$;

-- How many checkpoints of a round were scanned by somebody on a shift.
create function private.points_done(p_tour uuid, p_at timestamptz) returns integer
language sql stable security definer set search_path = '' as $$
  select count(distinct c.id)::integer
  from public.tours t
  join public.checkpoint_scans c on c.tour_id = t.id and c.tour_at = p_at
    and c.checkpoint_id = any (t.checkpoints) and not c.flags && array['unknown_code', 'no_shift']
  where t.id = p_tour;
$$;

create function private.tour_cause(p_tour uuid, p_at timestamptz) returns text
language sql immutable set search_path = ''
return format('tour:%s:%s', p_tour, floor(extract(epoch from p_at)));

-- Raises an alert for each round of the last 12 hours that was not finished in time, once each. For the scheduler.
create function private.due_tours() returns integer
language sql security definer set search_path = '' as $$
  select count(private.raise_alert('tour', private.tour_cause(r.tour_id, r.due_at), r.site_id, r.shift_id, null, null,
    format('%s, due %s: %s of %s checkpoints scanned', t.name, private.time_text(r.due_at, place.timezone),
      private.points_done(t.id, r.due_at), cardinality(t.checkpoints)),
    r.finish_by))::integer
  from private.tour_rounds(now() - interval '12 hours', now()) r
  join public.tours t on t.id = r.tour_id
  join public.sites place on place.id = r.site_id
  -- Not for rounds that were due before the tour was planned like this.
  where r.finish_by < now() and r.opens_at >= t.updated_at
    and not exists (select from public.alerts known where known.cause = private.tour_cause(r.tour_id, r.due_at))
    and private.points_done(t.id, r.due_at) < cardinality(t.checkpoints);
$$;

-- A number of a scan; null if it is none or out of range.
create function private.scan_number(entry jsonb, field text, lowest numeric, highest numeric) returns numeric
language sql immutable set search_path = ''
return case when jsonb_typeof(entry -> field) = 'number'
  and (entry ->> field)::numeric between lowest and highest then (entry ->> field)::numeric end;

-- The round that a scan belongs to: of the tour that the guard had open, else the nearest.
create function private.round_of_scan(p_checkpoint uuid, p_site uuid, p_at timestamptz, p_tour text)
returns table (tour_id uuid, due_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select r.tour_id, r.due_at
  from private.tour_rounds(p_at - interval '4 hours', p_at + interval '4 hours', array[p_site]) r
  join public.tours t on t.id = r.tour_id and p_checkpoint = any (t.checkpoints)
  where p_at between r.opens_at and r.finish_by
  order by r.tour_id::text = p_tour desc nulls last, abs(extract(epoch from r.due_at - p_at)), r.tour_id
  limit 1;
$$;

-- Stores scans in the order of the list, each once: {"id", "code", "way", "device_at", "offset_ms", "gps", "accuracy_m",
-- "tour_id"}. None is refused for its content; what is wrong becomes a flag. Returns each with its flags.
create function public.record_scans(p_scans jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  entry jsonb;
  scan public.checkpoint_scans;
  point public.checkpoints;
  tour public.tours;
  result jsonb := '[]';
begin
  perform private.require_member();
  if p_scans is null or jsonb_typeof(p_scans) <> 'array' or jsonb_array_length(p_scans) not between 1 and 500 then
    raise exception 'Send a list of 1 to 500 scans.' using errcode = 'invalid_parameter_value';
  end if;
  -- One list per guard at a time, so that a repeat finds the first.
  perform pg_advisory_xact_lock(hashtextextended(me::text, 0));
  for entry in select e.value from jsonb_array_elements(p_scans) with ordinality e (value, place) order by e.place loop
    if jsonb_typeof(entry) <> 'object' or coalesce(entry ->> 'id', '') !~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      or coalesce(entry ->> 'way', '') not in ('camera', 'nfc', 'typed') or coalesce(entry ->> 'code', '') = ''
      or entry ->> 'device_at' is null or isfinite((entry ->> 'device_at')::timestamptz) is false
    then
      raise exception 'A scan has an id, a code, a way and a time.' using errcode = 'invalid_parameter_value';
    end if;
    select * into scan from public.checkpoint_scans c where c.id = (entry ->> 'id')::uuid;
    if found then
      if scan.user_id <> me then
        raise exception 'This id belongs to another scan.' using errcode = 'unique_violation';
      end if;
      result := result || jsonb_build_object('id', scan.id, 'flags', scan.flags);
      continue;
    end if;
    tour := null;
    scan := null;
    scan.id := (entry ->> 'id')::uuid;
    scan.user_id := me;
    scan.code := left(entry ->> 'code', 64);
    scan.way := entry ->> 'way';
    scan.device_at := (entry ->> 'device_at')::timestamptz;
    scan.scanned_at := greatest(timestamptz '2000-01-01', least(now(), scan.device_at + make_interval(
      secs => coalesce(private.scan_number(entry, 'offset_ms', -1e12, 1e12), 0)::double precision / 1000)));
    scan.received_at := clock_timestamp();
    scan.gps := case when private.is_position(entry ->> 'gps') then entry ->> 'gps' end;
    scan.accuracy_m := private.scan_number(entry, 'accuracy_m', 0, 1e6);
    scan.flags := '{}';
    select * into point from public.checkpoints c where c.code_secret = private.tidy_code(entry ->> 'code');
    scan.checkpoint_id := point.id;
    select a.id, coalesce(point.site_id, a.site_id) into scan.assignment_id, scan.site_id
    from public.assignments a
    where a.user_id = me and a.status <> 'cancelled' and (point.id is null or a.site_id = point.site_id)
      and a.period && tstzrange(scan.scanned_at - interval '2 hours', scan.scanned_at + interval '1 hour', '[]')
    order by a.period @> scan.scanned_at desc, a.starts_at limit 1;
    scan.site_id := coalesce(scan.site_id, point.site_id);
    if scan.assignment_id is null then
      scan.flags := scan.flags || 'no_shift'::text;
    end if;
    if point.id is null then
      scan.flags := scan.flags || 'unknown_code'::text;
    else
      scan.distance_m := private.distance_m(scan.gps, point.latitude, point.longitude);
      -- Labels hang indoors, where positions are off.
      if scan.distance_m > 100 + coalesce(scan.accuracy_m, 0) then
        scan.flags := scan.flags || 'too_far'::text;
      end if;
      select r.tour_id, r.due_at into scan.tour_id, scan.tour_at
      from private.round_of_scan(point.id, point.site_id, scan.scanned_at, entry ->> 'tour_id') r;
      select * into tour from public.tours t where t.id = scan.tour_id;
      if exists (
        select from public.checkpoint_scans c where c.user_id = me and c.checkpoint_id <> point.id
          and c.scanned_at > scan.scanned_at - make_interval(secs => coalesce(tour.min_seconds, 5))
          and c.scanned_at <= scan.scanned_at
      ) then
        scan.flags := scan.flags || 'too_early'::text;
      end if;
      if exists (
        select from unnest(tour.checkpoints) with ordinality before (id, place)
        where before.place < array_position(tour.checkpoints, point.id) and not exists (
          select from public.checkpoint_scans c where c.tour_id = tour.id and c.tour_at = scan.tour_at
            and c.checkpoint_id = before.id and c.scanned_at <= scan.scanned_at
        )
      ) then
        scan.flags := scan.flags || 'out_of_order'::text;
      end if;
    end if;
    insert into public.checkpoint_scans select scan.*;
    if tour.id is not null and private.points_done(tour.id, scan.tour_at) = cardinality(tour.checkpoints) then
      perform private.close_alert(private.tour_cause(tour.id, scan.tour_at), 'answered',
        'All checkpoints were scanned in time. The scans arrived late.');
    end if;
    result := result || jsonb_build_object('id', scan.id, 'flags', scan.flags);
  end loop;
  return result;
end
$$;

-- The rounds of the caller's running and next shift. Phones never receive the codes.
create function public.my_tours() returns table (
  tour_id uuid, name text, site_name text, timezone text, due_at timestamptz, opens_at timestamptz,
  finish_by timestamptz, points jsonb
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_member();
  return query
    select r.tour_id, t.name, place.name, place.timezone, r.due_at, r.opens_at, r.finish_by, (
      select jsonb_agg(jsonb_build_object('id', c.id, 'number', c.number, 'name', c.name, 'scanned_at', (
        select min(done.scanned_at) from public.checkpoint_scans done
        where done.tour_id = r.tour_id and done.tour_at = r.due_at and done.checkpoint_id = c.id
      )) order by o.place)
      from unnest(t.checkpoints) with ordinality o (id, place) join public.checkpoints c on c.id = o.id
    )
    from private.tour_rounds(now() - interval '4 hours', now() + interval '16 hours', private.assigned_sites()) r
    join public.tours t on t.id = r.tour_id
    join public.sites place on place.id = r.site_id
    where exists (
      select from public.assignments a join public.shifts s on s.id = a.shift_id
      where a.user_id = auth.uid() and a.status not in ('cancelled', 'no_show') and s.site_id = r.site_id
        and (t.post_id is null or s.post_id = t.post_id) and r.due_at >= s.start_time and r.due_at < s.end_time
        and (s.end_time > now() or a.attendance_state = 'in')
    )
    order by r.due_at, t.name limit 60;
end
$$;

-- The rounds of a day at a site, or at all sites that the caller plans, with what was scanned.
create function public.tours_of_day(p_day date, p_site_id uuid default null) returns table (
  tour_id uuid, name text, site_id uuid, site_name text, timezone text, due_at timestamptz, finish_by timestamptz,
  points integer, points_done integer, scans jsonb
)
language plpgsql stable security definer set search_path = '' as $$
declare
  sites uuid[];
begin
  if p_day is null or p_day not between '2000-01-01' and '2199-12-31' then
    raise exception 'Choose a day.' using errcode = 'invalid_parameter_value';
  end if;
  sites := array(
    select distinct t.site_id from public.tours t
    where (p_site_id is null or t.site_id = p_site_id) and private.may_plan(t.site_id)
  );
  return query
    select r.tour_id, t.name, t.site_id, place.name, place.timezone, r.due_at, r.finish_by,
      cardinality(t.checkpoints), private.points_done(t.id, r.due_at), coalesce((
        select jsonb_agg(jsonb_build_object('id', c.id, 'checkpoint', p.name, 'number', p.number,
          'guard', private.name_of_person(c.user_id), 'scanned_at', c.scanned_at, 'way', c.way,
          'distance_m', c.distance_m, 'flags', c.flags) order by c.scanned_at, c.received_at)
        from public.checkpoint_scans c left join public.checkpoints p on p.id = c.checkpoint_id
        where c.tour_id = r.tour_id and c.tour_at = r.due_at
      ), '[]')
    from private.tour_rounds(private.company_midnight(p_day), private.company_midnight(p_day + 1), sites) r
    join public.tours t on t.id = r.tour_id
    join public.sites place on place.id = r.site_id
    order by r.due_at, place.name, t.name
    limit 400;
end
$$;

-- What was scanned on a day and belongs to no round that tours_of_day lists: between two rounds, with an unknown code, or
-- of a round whose tour or shift was changed since. Scans without a site are for planners of all sites.
create function public.scans_outside_rounds(p_day date, p_site_id uuid default null) returns table (
  id uuid, checkpoint text, code text, guard text, site_name text, timezone text, scanned_at timestamptz,
  distance_m integer, flags text[]
)
language plpgsql stable security definer set search_path = '' as $$
declare
  plans_all constant boolean := private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher');
  sites uuid[];
  begins timestamptz;
  ends timestamptz;
begin
  if p_day is null or p_day not between '2000-01-01' and '2199-12-31' then
    raise exception 'Choose a day.' using errcode = 'invalid_parameter_value';
  end if;
  begins := private.company_midnight(p_day);
  ends := private.company_midnight(p_day + 1);
  sites := array(
    select t.id from public.sites t
    where (p_site_id is null or t.id = p_site_id) and (plans_all or private.may_plan(t.id))
  );
  return query
    with rounds as (
      -- A round is open for at most four hours before and after its time.
      select r.tour_id, r.due_at
      from private.tour_rounds(begins - interval '4 hours', ends + interval '4 hours', sites) r
    )
    select c.id, p.name, case when p.id is null then c.code end, private.name_of_person(c.user_id), t.name, t.timezone,
      c.scanned_at, c.distance_m, c.flags
    from public.checkpoint_scans c
    left join public.checkpoints p on p.id = c.checkpoint_id
    left join public.sites t on t.id = c.site_id
    where c.scanned_at >= begins and c.scanned_at < ends
      and (c.site_id = any (sites) or c.site_id is null and p_site_id is null and plans_all)
      and not exists (select from rounds r where r.tour_id = c.tour_id and r.due_at = c.tour_at)
    order by c.scanned_at, c.received_at
    limit 400;
end
$$;
comment on function public.scans_outside_rounds is 'Nullable: checkpoint, code, site_name, timezone, distance_m';

revoke all on all functions in schema private from public;
revoke all on function public.record_scans, public.my_tours, public.tours_of_day, public.scans_outside_rounds
from public, anon;
grant execute on function
  public.record_scans, public.my_tours, public.tours_of_day, public.scans_outside_rounds
to authenticated;
