-- Writing the draft: changes of the board and of the engine, checked against the rules, all or none.

-- Planners of a site take turns, so that two of them can't fill one seat. In order of id, so that they never deadlock.
create function private.lock_rosters(p_sites uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('roster of ' || site.id, 0))
  from (select distinct s.id from unnest(p_sites) s (id) order by 1) site;
end
$$;

-- The same lock as an assignment takes, so that a draft and an assignment of one guard don't miss each other.
create function private.lock_guards(p_users uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(guard.id::text, 0))
  from (select distinct u.id from unnest(p_users) u (id) order by 1) guard;
end
$$;

-- The elements of p_rows as rows. A guard may be named once per shift.
create function private.require_roster_rows(p_rows jsonb) returns table (
  shift_id uuid, user_id uuid, change text, override_reason text
)
language plpgsql immutable set search_path = '' as $$
begin
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) not between 1 and 5000 then
    raise exception 'Send 1 to 5,000 rows as an array.' using errcode = 'invalid_parameter_value';
  end if;
  return query
    select r.shift_id, r.user_id, r.change, nullif(btrim(r.override_reason), '')
    from jsonb_to_recordset(p_rows) r (shift_id uuid, user_id uuid, change text, override_reason text);
  if exists (
    select from jsonb_to_recordset(p_rows) r (shift_id uuid, user_id uuid)
    group by r.shift_id, r.user_id
    having count(*) > 1 or r.shift_id is null or r.user_id is null
  ) then
    raise exception 'Name each guard once per shift.' using errcode = 'invalid_parameter_value';
  end if;
end
$$;

-- What speaks against a draft as it is stored: seats that are taken twice, and rules that its guards would break.
create function private.roster_problems(p_shifts uuid[], p_users uuid[]) returns table (
  shift_id uuid, user_id uuid, rule text, message text, can_override boolean
)
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
begin
  return query
  with wanted as materialized (
    select c.shift_id, c.user_id, c.period, c.override_reason is not null and private.may_oversee(c.site_id) as is_overridden
    from unnest(p_shifts, p_users) w (shift, person)
    join public.roster_changes c on c.shift_id = w.shift and c.user_id = w.person and c.change = 'assign'
  ),
  others as (
    select w.shift_id, w.user_id, array(
      select d.period from private.drafted_duties d
      where d.user_id = w.user_id and d.shift_id <> w.shift_id
        and d.starts_at > lower(w.period) - interval '15 days' and d.starts_at < upper(w.period) + interval '15 days'
    ) as duties
    from wanted w
  )
  select w.shift_id, w.user_id, p.rule, p.message, p.can_override
  from wanted w
  join others o on o.shift_id = w.shift_id and o.user_id = w.user_id
  cross join lateral (
    select * from private.duty_problems(w.user_id, lower(w.period), upper(w.period), o.duties, zone)
    union all
    select e.* from public.shifts s cross join lateral private.eligibility_problems(w.user_id, s) e where s.id = w.shift_id
  ) p
  where not (p.can_override and w.is_overridden)
  union all
  select f.id, w.user_id, 'full', format('This shift already has its %s', case f.required_headcount
    when 1 then 'guard' else f.required_headcount || ' guards' end), false
  from (
    select s.id, s.required_headcount
    from public.shifts s where s.id in (select v.shift_id from wanted v)
      and s.required_headcount < (
        select count(*) from private.drafted_duties d where d.shift_id = s.id
      )
  ) f
  join wanted w on w.shift_id = f.id;
end
$$;

-- Refuses a call with the list of what no longer fits, as JSON in the detail.
create function private.refuse_roster(p_conflicts jsonb, p_total integer) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if jsonb_array_length(p_conflicts) > 0 then
    raise exception 'The roster has changed: % of % changes no longer fit.',
      (select count(distinct (c ->> 'shift_id', c ->> 'user_id')) from jsonb_array_elements(p_conflicts) c), p_total
      using errcode = 'PT409', detail = p_conflicts::text;
  end if;
end
$$;

-- Shifts that are no longer to be planned, whichever change is asked for.
create function private.closed_shifts(p_shifts uuid[], p_users uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'shift_id', w.shift, 'user_id', w.person, 'rule', refusal.rule, 'message', refusal.message, 'can_override', false
  )), '[]')
  from unnest(p_shifts, p_users) w (shift, person)
  left join public.shifts s on s.id = w.shift
  cross join lateral (
    select 'gone' as rule, 'This shift no longer exists' as message where s.id is null
    union all
    select 'past', 'This shift has ended' where s.end_time <= now()
    union all
    select 'clocked', 'The guard has already clocked in'
    where exists (
      select from public.assignments a
      where a.shift_id = w.shift and a.user_id = w.person and a.attendance_state <> 'none' and a.status <> 'cancelled'
    )
    union all
    select 'nobody', 'There is no such account'
    where not exists (select from public.profiles p where p.id = w.person)
  ) refusal;
$$;

-- What stays in the draft for each row: an assignment that is published already needs no change, and a change back to
-- what is published is none. Null if nothing stays.
create function private.draft_of(p_changes jsonb) returns table (
  shift_id uuid, user_id uuid, change text, override_reason text
)
language sql stable security definer set search_path = '' as $$
  select r.shift_id, r.user_id, case when r.change = case when published.is_so then 'unassign' else 'assign' end then r.change end,
    r.override_reason
  from private.require_roster_rows(p_changes) r
  -- One look-up a row: an exists() would read all assignments into a hash table.
  left join lateral (
    select true as is_so from public.assignments a
    where a.shift_id = r.shift_id and a.user_id = r.user_id and a.status <> 'cancelled'
    limit 1
  ) published on true;
$$;

-- Changes the draft: [{"shift_id", "user_id", "change": "assign" | "unassign" | "reset", "override_reason"}]. Assign and
-- unassign say how it shall be after publishing; reset returns to what is published. Nothing is changed if one of them
-- breaks a rule or no longer fits: the detail of the error is a list of {shift_id, user_id, rule, message, can_override}.
-- @returns {"applied": rows that changed, "changes": the draft rows of these shifts and guards}
create function public.apply_roster(p_changes jsonb) returns jsonb
language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  shifts uuid[];
  users uuid[];
  sites uuid[];
  applied integer;
  conflicts jsonb;
begin
  if exists (
    select from private.require_roster_rows(p_changes) r
    where r.change is null or r.change not in ('assign', 'unassign', 'reset') or char_length(r.override_reason) > 500
  ) then
    raise exception 'A change is assign, unassign or reset, with a reason of at most 500 characters.'
      using errcode = 'invalid_parameter_value';
  end if;
  select array_agg(r.shift_id), array_agg(r.user_id) into shifts, users
  from private.require_roster_rows(p_changes) r;
  sites := array(select distinct s.site_id from public.shifts s where s.id = any (shifts));
  if cardinality(private.planned_sites(sites)) < cardinality(sites) then
    raise exception 'You don''t plan the shifts of all these sites.' using errcode = 'insufficient_privilege';
  end if;
  perform private.lock_rosters(sites);
  perform private.lock_guards(users);
  perform private.refuse_roster(private.closed_shifts(shifts, users), cardinality(shifts));

  with draft as materialized (
    select * from private.draft_of(p_changes)
  ),
  removed as (
    delete from public.roster_changes c using draft d
    where c.shift_id = d.shift_id and c.user_id = d.user_id and d.change is null
    returning 1
  ),
  written as (
    insert into public.roster_changes as c (shift_id, user_id, change, override_reason)
    select d.shift_id, d.user_id, d.change, d.override_reason from draft d
    where d.change is not null
    order by d.user_id, d.shift_id
    on conflict (shift_id, user_id) do update
      set change = excluded.change, override_reason = excluded.override_reason
      where (c.change, c.override_reason) is distinct from (excluded.change, excluded.override_reason)
    returning 1
  )
  select (select count(*) from removed) + (select count(*) from written) into applied;
  delete from public.roster_pins n using private.require_roster_rows(p_changes) r
  where n.shift_id = r.shift_id and n.user_id = r.user_id and r.change = 'unassign';
  insert into public.roster_periods (starts_on)
  select distinct date_trunc('week', s.start_time at time zone g.time_zone)::date
  from public.shifts s, private.settings g where s.id = any (shifts)
  on conflict (starts_on) do nothing;

  select coalesce(jsonb_agg(to_jsonb(p)), '[]') into conflicts from private.roster_problems(shifts, users) p;
  perform private.refuse_roster(conflicts, cardinality(shifts));
  return jsonb_build_object('applied', applied, 'changes', coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', c.id, 'shift_id', c.shift_id, 'user_id', c.user_id, 'change', c.change, 'override_reason', c.override_reason
    ))
    from public.roster_changes c join unnest(shifts, users) w (shift, person) on c.shift_id = w.shift and c.user_id = w.person
  ), '[]'));
end
$$;

-- Pins guards to their shifts, or unpins them: [{"shift_id", "user_id"}]. @returns how many changed
create function public.pin_roster(p_pins jsonb, p_pinned boolean) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  sites uuid[] := array(
    select distinct s.site_id from private.require_roster_rows(p_pins) r join public.shifts s on s.id = r.shift_id
  );
  changed integer;
begin
  if p_pinned is null then
    raise exception 'Say whether to pin or unpin.' using errcode = 'invalid_parameter_value';
  end if;
  if cardinality(private.planned_sites(sites)) < cardinality(sites) then
    raise exception 'You don''t plan the shifts of all these sites.' using errcode = 'insufficient_privilege';
  end if;
  if p_pinned then
    insert into public.roster_pins (shift_id, user_id)
    select r.shift_id, r.user_id from private.require_roster_rows(p_pins) r
    order by r.shift_id, r.user_id
    on conflict (shift_id, user_id) do nothing;
  else
    delete from public.roster_pins n using private.require_roster_rows(p_pins) r
    where n.shift_id = r.shift_id and n.user_id = r.user_id;
  end if;
  get diagnostics changed = row_count;
  return changed;
end
$$;

-- The draft follows assignments that are written at once, such as from the shift dialog: a change that has happened is
-- none any more.
create function private.settle_drafts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    delete from public.roster_changes c using old_rows o
    where c.shift_id = o.shift_id and c.user_id = o.user_id and c.change = 'unassign';
  else
    delete from public.roster_changes c using new_rows n
    where c.shift_id = n.shift_id and c.user_id = n.user_id
      and c.change = case n.status when 'cancelled' then 'unassign' else 'assign' end;
  end if;
  return null;
end
$$;
create trigger drafts_settle_on_insert after insert on public.assignments
  referencing new table as new_rows for each statement execute function private.settle_drafts();
create trigger drafts_settle_on_update after update on public.assignments
  referencing new table as new_rows for each statement execute function private.settle_drafts();
create trigger drafts_settle_on_delete after delete on public.assignments
  referencing old table as old_rows for each statement execute function private.settle_drafts();

revoke all on all functions in schema private from public;
revoke all on function public.apply_roster, public.pin_roster from public, anon;
grant execute on function public.apply_roster, public.pin_roster to authenticated;
