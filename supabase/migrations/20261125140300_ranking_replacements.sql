-- Who can stand in on a shift, best first, and what came of calling them.
create table public.replacement_calls (
  id uuid primary key default gen_random_uuid(),
  shift_id uuid not null references public.shifts (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  result text not null check (result in ('reached', 'no_answer', 'coming', 'refused', 'wrong_number')),
  note text check (char_length(note) <= 500),
  site_id uuid not null references public.sites (id),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now()
);
comment on column public.replacement_calls.site_id is 'Derived: the site of the shift, so that policies need no join';
create index replacement_calls_shift_id_idx on public.replacement_calls (shift_id, created_at);
create index replacement_calls_user_id_idx on public.replacement_calls (user_id, created_at desc);
create index replacement_calls_site_id_idx on public.replacement_calls (site_id);
create index replacement_calls_created_by_idx on public.replacement_calls (created_by);
select private.keep_history_of('public.replacement_calls');

alter table public.replacement_calls enable row level security;
revoke all on public.replacement_calls from anon, authenticated;
-- Written by note_call alone.
grant select on public.replacement_calls to authenticated;
create policy "Planners read every call" on public.replacement_calls
  for select to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));
create policy "Supervisors read the calls of their own sites" on public.replacement_calls
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));

alter publication supabase_realtime add table public.replacement_calls;
alter table public.replacement_calls replica identity full;

create function private.move_calls() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.replacement_calls c set site_id = new.site_id where c.shift_id = new.id;
  return null;
end
$$;
create trigger calls_follow after update on public.shifts
  for each row when (old.site_id <> new.site_id) execute function private.move_calls();

-- Notes what came of calling somebody about a shift.
create function public.note_call(p_shift_id uuid, p_user_id uuid, p_result text, p_note text default null)
returns public.replacement_calls
language plpgsql security definer set search_path = '' as $$
declare
  noted public.replacement_calls;
  site uuid;
begin
  perform private.require_member();
  select s.site_id into site from public.shifts s where s.id = p_shift_id;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'PT404';
  end if;
  if not private.may_plan(site) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  if p_user_id is null or p_result is null
    or p_result not in ('reached', 'no_answer', 'coming', 'refused', 'wrong_number')
  then
    raise exception 'Choose who was called, and what came of it.' using errcode = 'invalid_parameter_value';
  end if;
  insert into public.replacement_calls (shift_id, user_id, result, note, site_id, created_by)
  values (p_shift_id, p_user_id, p_result, nullif(btrim(p_note), ''), site, auth.uid())
  returning * into noted;
  return noted;
end
$$;

-- The sixty best of those who may lawfully come to the shift, or to the rest of one that runs; for callers who plan the
-- site. The score is what the person costs, by the weights of the rule set where it has one:
--   site: weight_known_post, less a quarter for each shift there in twelve weeks;
--   distance: weight_distance for each 10 km from home, up to 40 km; 10 km where a position is missing;
--   overtime: weight_overtime for each 4 h;
--   hours left: weight_fair_hours when none would be left this week, in proportion before;
--   last answer within 60 days: 10 less for a yes, 10 more for a no or no answer, 40 more for a wrong number;
--   off duty: up to 10 more for less than 24 h.
create function public.rank_replacements(shift_id uuid) returns table (
  user_id uuid, full_name text, phone text, rank integer, distance_km numeric, week_hours numeric, hours_left numeric,
  overtime_hours numeric, knows_site integer, last_answer text, is_free_until timestamptz, reasons text[]
)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  shift public.shifts;
  site public.sites;
  rules public.rule_sets;
  zone text := (select s.time_zone from private.settings s);
  work tstzrange;
  days daterange;
  week tstzrange;
  own_hours numeric;
  rest interval;
  -- Duties outside it break no rule of this one: as in duty_problems.
  reach tstzrange;
begin
  perform private.require_member();
  select * into shift from public.shifts s where s.id = rank_replacements.shift_id;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'PT404';
  end if;
  if not private.may_plan(shift.site_id) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  shift.start_time := private.arrival_at(shift);
  if shift.end_time <= shift.start_time then
    return;
  end if;
  select * into site from public.sites t where t.id = shift.site_id;
  work := tstzrange(shift.start_time, shift.end_time);
  days := private.days_of(work);
  rules := private.rules_on(lower(days));
  week := tstzrange(date_trunc('week', lower(days)::timestamp) at time zone zone,
    (date_trunc('week', lower(days)::timestamp) + interval '7 days') at time zone zone);
  own_hours := extract(epoch from shift.end_time - shift.start_time) / 3600;
  rest := make_interval(secs => rules.min_rest_hours::double precision * 3600);
  reach := tstzrange(
    lower(work) - make_interval(days => greatest(8, rules.consecutive_days + 1, rules.consecutive_nights + 1)),
    upper(work) + make_interval(days => greatest(8, rules.consecutive_days + 1, rules.consecutive_nights + 1)));
  return query
  with duty as materialized (
    select d.user_id, array_agg(d.period) as periods,
      coalesce(sum(extract(epoch from upper(d.period) - lower(d.period)) / 3600)
        filter (where week @> lower(d.period)), 0) as hours,
      max(upper(d.period)) filter (where d.period << work) as last_end,
      min(lower(d.period)) filter (where d.period >> work) as next_start,
      -- The rule `rest`, and overlaps.
      bool_or(d.period && tstzrange(lower(work) - rest, upper(work) + rest)) as is_near,
      bool_or(d.is_on_duty and lower(work) < now() + interval '12 hours') as is_on_duty
    from (
      select a.user_id, a.period, a.attendance_state = 'in' and upper(a.period) > now() - interval '4 hours' as is_on_duty
      from public.assignments a
      where a.starts_at > lower(reach) - interval '3 days' and a.starts_at < upper(reach)
        and a.status <> 'cancelled' and a.period && reach
      union all
      select c.user_id, c.period, false from public.roster_changes c where c.change = 'assign' and c.period && reach
    ) d
    group by d.user_id
  ),
  known as materialized (
    select a.user_id, count(*)::integer as shifts
    from public.assignments a
    where a.site_id = shift.site_id and a.starts_at >= now() - interval '84 days' and a.starts_at < now()
      and a.status in ('assigned', 'confirmed', 'completed') and not a.on_leave
    group by a.user_id
  ),
  last as materialized (
    select distinct on (given.user_id) given.user_id, given.answer
    from (
      select o.user_id, coalesce(o.answered_at, o.decided_at) as given_at, case
          when o.answer = 'yes' then 'accepted'
          when o.answer = 'no' then 'declined'
          -- Others were faster, or the planner changed their mind: not the guard's doing.
          when o.decided_at > o.created_at + interval '10 minutes' then 'no_answer'
        end as answer
      from public.offers o
      where o.kind = 'offer' and o.status in ('approved', 'declined', 'lapsed')
        and o.created_at > now() - interval '60 days'
      union all
      select c.user_id, c.created_at, c.result from public.replacement_calls c
      where c.created_at > now() - interval '60 days'
    ) given
    where given.answer is not null
    order by given.user_id, given.given_at desc
  ),
  -- What is cheap to exclude, before the functions that hold the rules.
  candidate as materialized (
    select p.id, coalesce(nullif(p.full_name, ''), p.email, p.phone) as name, p.phone, d.periods,
      coalesce(d.hours, 0) as hours, d.next_start, coalesce(k.shifts, 0) as shifts, l.answer,
      round(private.distance_m(p.home_position, site.latitude, site.longitude) / 1000.0, 1) as km,
      greatest(0, coalesce(d.hours, 0) + own_hours - rules.week_hours)
        - greatest(0, coalesce(d.hours, 0) - rules.week_hours) as overtime,
      extract(epoch from lower(work) - d.last_end) / 3600 as hours_off
    from public.profiles p
    left join duty d on d.user_id = p.id
    left join known k on k.user_id = p.id
    left join last l on l.user_id = p.id
    where p.id in (select r.user_id from public.user_roles r where r.role = 'guard')
      and (p.left_on is null or p.left_on >= lower(days))
      and not coalesce(d.is_near or d.is_on_duty, false)
      and coalesce(d.hours, 0) + own_hours <= rules.week_hours + rules.week_overtime_hours
      and p.id not in (
        select l.user_id from public.leave_requests l
        where l.status = 'approved' and l.start_date < upper(days) and l.end_date >= lower(days)
      )
      and p.id not in (select b.user_id from public.site_bans b where b.site_id = shift.site_id)
  ),
  scored as (
    select f.*,
      rules.weight_known_post * (1 - least(1, f.shifts / 4.0))
      + rules.weight_distance * least(coalesce(f.km, 10), 40) / 10
      + rules.weight_overtime * f.overtime / 4
      + rules.weight_fair_hours * (f.hours + own_hours) / (rules.week_hours + rules.week_overtime_hours)
      + case when f.answer in ('accepted', 'coming') then -10
          when f.answer in ('declined', 'refused', 'no_answer') then 10
          when f.answer = 'wrong_number' then 40 else 0 end
      + least(10, greatest(0, coalesce(24 - f.hours_off, 0))) as cost
    from candidate f
    order by cost, f.name, f.id
    -- Keeps this order apart from the filter below, which stops at its limit.
    offset 0
  ),
  lawful as (
    select s.* from scored s
    where not exists (select from private.eligibility_problems(s.id, shift))
      and not exists (
        select from private.duty_problems(s.id, shift.start_time, shift.end_time, s.periods, zone)
      )
    limit 60
  )
  select s.id, s.name, s.phone, (row_number() over (order by s.cost, s.name, s.id))::integer, s.km, round(s.hours, 1),
    round(rules.week_hours + rules.week_overtime_hours - s.hours, 1), round(s.overtime, 1), s.shifts, s.answer,
    s.next_start,
    array_remove(array[
      case when s.shifts = 0 then 'New to this site'
        else format('Knows this site: %s %s', s.shifts, case s.shifts when 1 then 'shift' else 'shifts' end) end,
      s.km || ' km away',
      private.hours_text(rules.week_hours + rules.week_overtime_hours - s.hours) || ' h left this week',
      case when s.overtime > 0 then private.hours_text(s.overtime) || ' h overtime' end,
      case when s.hours_off < 24 then private.hours_text(floor(s.hours_off)) || ' h rest before' end
    ], null)
  from lawful s
  order by s.cost, s.name, s.id;
end
$$;
comment on function public.rank_replacements is 'Nullable: phone, distance_km, last_answer, is_free_until';

revoke all on all functions in schema private from public;
revoke all on function public.note_call, public.rank_replacements from public, anon;
grant execute on function public.note_call, public.rank_replacements to authenticated;
