alter table public.profiles add column home_region text;
alter table public.profiles add column max_distance_km integer;
alter table public.sites add column max_distance_km integer;

revoke execute on function public.edit_person(uuid,text,text,text,text) from authenticated;

delete from private.personal_data r where to_jsonb(r) @> '{"texts": [], "newest": "1", "target": "public.profiles", "belongs": "r.id = $1", "blanked": ["email", "phone", "home_area", "home_position", "gender", "photo_path"], "withheld": [], "is_shared": false, "on_erasure": "blank"}';

create or replace FUNCTION private.check_assignment()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  shift public.shifts;
  zone text;
  duties tstzrange[];
  rest_before timestamptz;
  rest_after timestamptz;
  half interval;
  broken jsonb;
  is_checked boolean := true;
  is_moved boolean := false;
  may_override boolean;
  overrider uuid;
begin
  -- The lock keeps the shift's times unchanged until this assignment is inserted.
  select * into shift from public.shifts s where s.id = new.shift_id for share;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'foreign_key_violation';
  end if;
  new.site_id := shift.site_id;
  -- A guard who joins later is on duty from then on, under every rule below.
  if new.joins_at > shift.start_time and new.joins_at < shift.end_time then
    shift.start_time := new.joins_at;
  end if;
  new.period := tstzrange(shift.start_time, shift.end_time);
  new.override_reason := nullif(btrim(new.override_reason), '');
  if tg_op = 'INSERT' then
    -- A load without a caller sets it itself, which saves an update per attendance record.
    if auth.role() is not null then
      new.attendance_state := 'none';
    end if;
    new.overridden_rules := '{}';
    new.overridden_by := null;
  else
    if old.attendance_state <> 'none' and (new.shift_id, new.user_id) is distinct from (old.shift_id, old.user_id) then
      raise exception 'The guard has already clocked in, so this assignment can''t be given to someone else.'
        using errcode = 'PT409';
    end if;
    is_moved := (new.shift_id, new.user_id, new.override_reason)
      is not distinct from (old.shift_id, old.user_id, old.override_reason);
    is_checked := not is_moved or old.status = 'cancelled' or (new.site_id, new.period) <> (old.site_id, old.period);
    -- A reason belongs to one guard on one shift.
    if (new.shift_id, new.user_id) is distinct from (old.shift_id, old.user_id)
      and new.override_reason = old.override_reason
    then
      new.override_reason := null;
    end if;
  end if;
  -- Two planners take turns here, so that the second gets the reason and not the name of a constraint. A decision
  -- about the guard's leave takes the same lock, so that neither misses the other.
  if new.status <> 'cancelled' then
    perform pg_advisory_xact_lock(hashtextextended(new.user_id::text, 0));
  end if;
  new.on_leave := private.is_on_leave(new.user_id, new.period);
  if new.status = 'cancelled' then
    new.rest_span := null;
    return new;
  end if;
  if not is_checked then
    return new;
  end if;

  select s.time_zone into zone from private.settings s;
  select array_agg(a.period), max(upper(coalesce(a.rest_span, a.period))) filter (where a.period << new.period),
    min(lower(coalesce(a.rest_span, a.period))) filter (where a.period >> new.period)
  into duties, rest_before, rest_after
  from public.assignments a
  where a.user_id = new.user_id and a.id <> new.id and a.status <> 'cancelled'
    and a.period && tstzrange(shift.start_time - interval '15 days', shift.end_time + interval '15 days');
  half := make_interval(secs => (
    private.rules_on((shift.start_time at time zone zone)::date)).min_rest_hours::double precision * 1800);
  new.rest_span := tstzrange(
    least(lower(new.period), greatest(lower(new.period) - half, rest_before)),
    greatest(upper(new.period), least(upper(new.period) + half, rest_after))
  );

  select jsonb_agg(to_jsonb(p)) into broken from (
    select d.* from private.duty_problems(new.user_id, shift.start_time, shift.end_time, duties, zone) d
    union all
    select e.* from private.eligibility_problems(new.user_id, shift) e
  ) p;
  if broken is not null then
    overrider := auth.uid();
    may_override := overrider is null or private.may_oversee(shift.site_id);
    if not may_override and new.override_reason is not null then
      -- The draft's author overrides, even if somebody else publishes.
      overrider := private.find_drafting_overseer(new);
      may_override := overrider is not null;
    end if;
  end if;
  if broken is null then
    new.override_reason := null;
    new.overridden_rules := '{}';
    new.overridden_by := null;
  elsif is_moved then
    -- An override goes along with its shift, and what was broken before and is no worse now stays as it is.
    new.overridden_rules := array(
      select r from unnest(old.overridden_rules) r
      where broken @> jsonb_build_array(jsonb_build_object('rule', r))
    );
    select jsonb_agg(p) into broken from jsonb_array_elements(broken) p
    where not (p -> 'can_override')::boolean or not (
      p ->> 'rule' = any (old.overridden_rules)
      or old.status <> 'cancelled' and exists (
        select from private.duty_problems(new.user_id, lower(old.period), upper(old.period), duties, zone) d
        where d.rule = p ->> 'rule' and d.message = p ->> 'message'
      )
      -- The guard was put there before the home or the limit changed.
      or p ->> 'rule' = 'distance' and old.status <> 'cancelled' and new.site_id = old.site_id
    );
  elsif new.override_reason is not null and may_override and not broken @> '[{"can_override": false}]' then
    new.overridden_rules := array(select distinct p ->> 'rule' from jsonb_array_elements(broken) p order by 1);
    new.overridden_by := overrider;
    broken := null;
  end if;
  if broken is null then
    if rest_before > lower(new.period) or rest_after < upper(new.period) then
      perform private.shorten_rest_of_neighbours(new);
    end if;
    return new;
  end if;
  perform private.refuse_assignment(new, duties, broken, may_override);
end
$function$;

create or replace FUNCTION private.roster_places(chosen uuid[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'sites', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', s.id, 'name', s.name, 'client', s.client_name, 'zone', s.timezone,
        'latitude', s.latitude, 'longitude', s.longitude, 'county', s.county, 'max_distance_km', s.max_distance_km,
        'supervisors', coalesce((
          select jsonb_agg(coalesce(nullif(p.full_name, ''), p.email) order by p.full_name)
          from public.user_roles r join public.profiles p on p.id = r.user_id
          where r.role = 'supervisor' and r.site_id = s.id
        ), '[]')
      ) order by s.name, s.id)
      from public.sites s where s.id = any (chosen)
    ), '[]'),
    'courses', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'title', c.title) order by c.title) from public.training_courses c
    ), '[]'),
    'posts', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', p.id, 'site_id', p.site_id, 'name', p.name, 'gender', p.gender, 'lone_worker', p.lone_worker,
        'needs_induction', p.needs_induction,
        'courses', coalesce((
          select jsonb_agg(n.course_id order by n.course_id) from public.post_courses n where n.post_id = p.id
        ), '[]')
      ) order by p.name, p.id)
      from public.posts p where p.site_id = any (chosen)
    ), '[]')
  );
$function$;

create or replace FUNCTION private.roster_people(p_from date, p_to date, chosen uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  -- The planner knows these bounds, so it reads the weeks that count instead of all years.
  begins constant timestamptz := private.company_midnight(p_from);
  ends constant timestamptz := private.company_midnight(p_to + 1);
  zone constant text := (select s.time_zone from private.settings s);
  night_at constant time := (private.rules_on(p_from)).night_at;
  guards constant uuid[] := private.roster_guards(begins, ends, chosen);
begin
  return (
  with known as (
    select k.user_id, jsonb_object_agg(k.site_id, k.shifts) as sites
    from (
      select a.user_id, a.site_id, count(*) as shifts from public.assignments a
      where a.starts_at >= begins - interval '84 days' and a.starts_at < begins and a.site_id = any (chosen)
        and a.counts_as_staffed and a.user_id = any (guards)
      group by 1, 2
    ) k
    group by k.user_id
  ),
  earlier as materialized (
    select a.user_id, lower(a.period) at time zone zone as starts, upper(a.period) at time zone zone as ends
    from public.assignments a
    where a.starts_at >= begins - interval '28 days' and a.starts_at < begins
      and a.counts_as_staffed and a.user_id = any (guards)
  ),
  past as (
    select e.user_id, sum(extract(epoch from e.ends - e.starts) / 3600) as hours,
      count(*) filter (where e.starts <= n.at and e.ends > n.at
        or e.starts <= n.at + interval '1 day' and e.ends > n.at + interval '1 day') as nights,
      count(*) filter (where extract(isodow from e.starts) = 7) as sundays
    from earlier e
    cross join lateral (select date_trunc('day', e.starts) + night_at as at) n
    group by e.user_id
  ),
  outside as (
    select d.user_id, jsonb_agg(
      jsonb_build_array(private.epoch_minutes(lower(d.period)), private.epoch_minutes(upper(d.period)))
      order by lower(d.period)
    ) as duties
    from private.drafted_duties d
    where d.starts_at >= begins - interval '15 days' and d.starts_at < ends + interval '15 days'
      and d.user_id = any (guards)
      and not (d.site_id = any (chosen) and lower(d.period) >= begins and lower(d.period) < ends)
    group by d.user_id
  ),
  certificates as (
    select n.user_id, jsonb_object_agg(n.course_id, private.epoch_minutes(n.expires_at)) as courses
    from (
      select c.user_id, c.course_id, max(c.expires_at) as expires_at from public.certifications c
      where c.expires_at < '2200-01-01' and c.user_id = any (guards) group by 1, 2
    ) n
    group by n.user_id
  ),
  leave as (
    select l.user_id, jsonb_agg(jsonb_build_array(l.start_date, l.end_date) order by l.start_date) as days
    from public.leave_requests l
    where l.status = 'approved' and l.end_date >= p_from - 1 and l.start_date <= p_to + 2 and l.user_id = any (guards)
    group by l.user_id
  ),
  wishes as (
    select a.user_id, jsonb_agg(jsonb_build_object(
      'kind', a.kind, 'weekday', a.weekday, 'from', a.from_day, 'to', a.to_day, 'part', a.part
    ) order by a.created_at, a.id) as wishes
    from public.availability a
    where (a.from_day is null or a.from_day <= p_to + 1) and (a.to_day is null or a.to_day >= p_from)
      and a.user_id = any (guards)
    group by a.user_id
  ),
  bans as (
    select b.user_id, jsonb_agg(b.site_id) as sites from public.site_bans b
    where b.site_id = any (chosen) and b.user_id = any (guards) group by 1
  ),
  inductions as (
    select i.user_id, jsonb_agg(i.site_id) as sites
    from public.site_inductions i where i.site_id = any (chosen) and i.user_id = any (guards) group by 1
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', g.id, 'name', coalesce(nullif(g.full_name, ''), g.email, g.phone, ''), 'gender', g.gender, 'phone', g.phone,
    'home', case when g.home_position is not null then jsonb_build_array(
      split_part(g.home_position, ',', 1)::double precision, split_part(g.home_position, ',', 2)::double precision
    ) end,
    'home_region', g.home_region, 'max_distance_km', g.max_distance_km,
    'certificates', coalesce(c.courses, '{}'), 'leave', coalesce(l.days, '[]'), 'wishes', coalesce(w.wishes, '[]'),
    'banned', coalesce(b.sites, '[]'), 'inducted', coalesce(i.sites, '[]'), 'known', coalesce(k.sites, '{}'),
    'past', jsonb_build_object(
      'hours', coalesce(round(p.hours, 2), 0), 'nights', coalesce(p.nights, 0), 'sundays', coalesce(p.sundays, 0)
    ),
    'outside', coalesce(o.duties, '[]')
  ) order by g.full_name, g.id), '[]')
  from public.profiles g
  left join certificates c on c.user_id = g.id
  left join leave l on l.user_id = g.id
  left join wishes w on w.user_id = g.id
  left join bans b on b.user_id = g.id
  left join inductions i on i.user_id = g.id
  left join known k on k.user_id = g.id
  left join past p on p.user_id = g.id
  left join outside o on o.user_id = g.id
  where g.id = any (guards)
  );
end
$function$;

create or replace FUNCTION private.eligibility_problems(p_person uuid, p_shift public.shifts)
 RETURNS TABLE(rule text, message text, can_override boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  last_day date;
  person_gender text;
  post public.posts;
  missing text;
  too_far text := private.distance_problem(p_person, p_shift.site_id);
begin
  select p.left_on, p.gender into last_day, person_gender from public.profiles p where p.id = p_person;
  if last_day is not null and last_day < lower(private.days_of(tstzrange(p_shift.start_time, p_shift.end_time))) then
    return query values ('inactive', 'Employment has ended', false);
  end if;
  if exists (select from public.site_bans b where b.user_id = p_person and b.site_id = p_shift.site_id) then
    return query values ('ban', 'Banned from this site', false);
  end if;
  if too_far is not null then
    return query values ('distance', too_far, true);
  end if;
  if p_shift.post_id is null then
    return;
  end if;
  select * into post from public.posts p where p.id = p_shift.post_id;
  if post.gender is not null and post.gender is distinct from person_gender then
    return query values ('gender', format('The post is for %s guards', post.gender), false);
  end if;
  if private.is_on_leave(p_person, tstzrange(p_shift.start_time, p_shift.end_time)) then
    return query values ('leave', 'On approved leave', true);
  end if;
  -- Only the newest certificate of each course counts.
  select string_agg(c.title, ', ' order by c.title) into missing
  from public.post_courses needed join public.training_courses c on c.id = needed.course_id
  where needed.post_id = p_shift.post_id and coalesce((
    select max(held.expires_at) < p_shift.end_time from public.certifications held
    where held.user_id = p_person and held.course_id = needed.course_id
  ), true);
  if missing is not null then
    return query values ('certificate', format('No valid certificate: %s', missing), true);
  end if;
  if post.needs_induction and not exists (
    select from public.site_inductions i where i.user_id = p_person and i.site_id = p_shift.site_id
  ) then
    return query values ('induction', 'Not inducted at this site', true);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.reach_km()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN 60;

CREATE OR REPLACE FUNCTION private.region_of(p_county text, p_zone text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN COALESCE(p_county, CASE p_zone WHEN 'Africa/Lagos'::text THEN 'Nigeria'::text WHEN 'Africa/Accra'::text THEN 'Ghana'::text ELSE 'Liberia'::text END);

CREATE OR REPLACE FUNCTION private.is_same_region(one text, other text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN ((one = other) OR (('Liberia'::text = ANY (ARRAY[one, other])) AND (NOT (('Nigeria'::text = ANY (ARRAY[one, other])) OR ('Ghana'::text = ANY (ARRAY[one, other]))))));

CREATE OR REPLACE FUNCTION private.distance_problem(p_person uuid, p_site uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person public.profiles;
  site public.sites;
  region text;
  metres integer;
  most integer;
begin
  select * into person from public.profiles p where p.id = p_person;
  select * into site from public.sites s where s.id = p_site;
  metres := private.distance_m(person.home_position, site.latitude, site.longitude);
  most := least(person.max_distance_km, site.max_distance_km);
  if metres is null or most is null then
    region := private.region_of(site.county, site.timezone);
    if private.is_same_region(person.home_region, region) or metres is null and person.home_region is null then
      return null;
    end if;
    if metres is null then
      return format('Lives in %s, not in %s', person.home_region, region);
    end if;
    most := private.reach_km();
  end if;
  if metres > most * 1000 then
    return format('Lives %s km away, %s km at most', ceil(metres / 1000.0), most);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.edit_person(p_user_id uuid, p_full_name text, p_email text DEFAULT NULL::text, p_phone text DEFAULT NULL::text, p_home_area text DEFAULT NULL::text, p_reach jsonb DEFAULT NULL::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  person_name text := nullif(trim(left(p_full_name, 300)), '');
  address text := nullif(lower(trim(left(p_email, 300))), '');
  number text := ltrim(private.e164(p_phone), '+');
  before auth.users;
begin
  perform private.require_admin();
  select * into before from auth.users u where u.id = p_user_id and u.deleted_at is null for update;
  if not found then
    raise exception 'There is no such account.' using errcode = 'PT404';
  end if;
  if person_name is null then
    raise exception 'Full name is required' using errcode = 'check_violation';
  end if;
  if nullif(trim(left(p_phone, 100)), '') is not null and number is null then
    raise exception 'Invalid phone number' using errcode = 'check_violation';
  end if;
  if address !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$' or char_length(address) > 255 then
    raise exception 'Invalid email' using errcode = 'check_violation';
  end if;
  if address is null and number is null then
    raise exception 'Enter a phone number or an email address' using errcode = 'check_violation';
  end if;
  if before.is_sso_user and address is distinct from before.email then
    raise exception 'This address comes from the company''s own sign-in.' using errcode = 'PT409';
  end if;
  if exists (select from auth.users u where u.email = address and not u.is_sso_user and u.id <> p_user_id) then
    raise exception 'There is already an account with this email address.' using errcode = 'PT409';
  end if;
  if exists (select from auth.users u where u.phone = number and u.id <> p_user_id) then
    raise exception 'There is already an account with this phone number.' using errcode = 'PT409';
  end if;
  update auth.users u set
    email = address, phone = number, updated_at = now(),
    email_confirmed_at = case when address is not distinct from u.email then u.email_confirmed_at
      when address is not null then now() end,
    phone_confirmed_at = case when number is not distinct from u.phone then u.phone_confirmed_at
      when number is not null then now() end
  where u.id = p_user_id and (u.email is distinct from address or u.phone is distinct from number);
  delete from auth.identities i where i.user_id = p_user_id
    and (i.provider = 'email' and address is null or i.provider = 'phone' and number is null);
  insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
  select p_user_id::text, p_user_id, jsonb_build_object('sub', p_user_id) || given.facts, given.provider, now(), now()
  from (values
    ('email', address, jsonb_build_object('email', address, 'email_verified', true)),
    ('phone', number, jsonb_build_object('phone', number, 'phone_verified', true))
  ) given (provider, value, facts)
  where given.value is not null and not before.is_sso_user
  on conflict (provider_id, provider) do update
    set identity_data = auth.identities.identity_data || excluded.identity_data, updated_at = now();
  update public.profiles p set full_name = person_name, home_area = p_home_area where p.id = p_user_id;
  if p_reach is not null then
    if not private.is_position(nullif(p_reach ->> 'home_position', '')) then
      raise exception 'Home position must be a latitude and a longitude, such as 6.3005,-10.7969'
        using errcode = 'check_violation';
    end if;
    update public.profiles p set
      home_region = nullif(p_reach ->> 'home_region', ''), home_position = nullif(p_reach ->> 'home_position', ''),
      max_distance_km = (p_reach ->> 'max_distance_km')::integer
    where p.id = p_user_id;
  end if;
  update public.staff s set full_name = person_name, email = address, phone = '+' || number
  where s.user_id = p_user_id;
  if (before.email, before.phone) is distinct from (address, number) then
    perform private.record_security_event('addresses_changed_by_admin', p_user_id, '{}');
  end if;
end
$function$;

alter table public.profiles add constraint profiles_home_region_known CHECK ((home_region = ANY (ARRAY['Bomi'::text, 'Bong'::text, 'Gbarpolu'::text, 'Grand Bassa'::text, 'Grand Cape Mount'::text, 'Grand Gedeh'::text, 'Grand Kru'::text, 'Lofa'::text, 'Margibi'::text, 'Maryland'::text, 'Montserrado'::text, 'Nimba'::text, 'River Cess'::text, 'River Gee'::text, 'Sinoe'::text, 'Ghana'::text, 'Nigeria'::text])));

alter table public.profiles add constraint profiles_max_distance_km_check CHECK (((max_distance_km >= 1) AND (max_distance_km <= 2000)));

alter table public.sites add constraint sites_max_distance_km_check CHECK (((max_distance_km >= 1) AND (max_distance_km <= 2000)));

grant execute on function public.edit_person(uuid,text,text,text,text,jsonb) to authenticated;

insert into private.personal_data ("texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure") select "texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure" from jsonb_populate_record(null::private.personal_data, '{"texts": [], "newest": "1", "target": "public.profiles", "belongs": "r.id = $1", "blanked": ["email", "phone", "home_area", "home_position", "home_region", "max_distance_km", "gender", "photo_path"], "withheld": [], "is_shared": false, "on_erasure": "blank"}');

drop function public.edit_person(uuid,text,text,text,text);
