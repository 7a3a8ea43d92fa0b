-- Who may be assigned, and restoring what was deleted, under the rules.
drop function public.guard_availability(uuid, timestamptz, timestamptz, uuid);

-- Every guard, with the reason if they can't work the period, warnings, and the rules that it would break; for callers
-- who plan the site. p_shift_id is the shift being edited: its own assignments are no conflict. A guard on leave can be
-- assigned to a shift without a post, but does not count towards the headcount.
create function public.guard_availability(
  p_site_id uuid, p_start timestamptz, p_end timestamptz, p_shift_id uuid default null
) returns table (
  user_id uuid, full_name text, conflict text, warnings text[], on_leave boolean, problems jsonb
)
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := coalesce((select s.timezone from public.sites s where s.id = p_site_id), 'Africa/Monrovia');
  company_zone text := (select s.time_zone from private.settings s);
  shift public.shifts;
begin
  if p_site_id is null or private.may_plan(p_site_id) is not true then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  perform private.require_period(p_start, p_end);
  if p_end <= p_start then
    raise exception 'End must be after start.' using errcode = 'check_violation';
  end if;
  select s.post_id into shift.post_id from public.shifts s where s.id = p_shift_id and s.site_id = p_site_id;
  shift.site_id := p_site_id;
  shift.start_time := p_start;
  shift.end_time := p_end;
  return query
  with duty as materialized (
    select a.user_id, array_agg(a.period) as periods
    from public.assignments a
    where a.starts_at > p_start - interval '16 days' and a.starts_at < p_end + interval '15 days'
      and a.status <> 'cancelled' and a.shift_id is distinct from p_shift_id
    group by a.user_id
  )
  select p.id, coalesce(nullif(p.full_name, ''), p.email),
    (
      select format('Already on a shift, %s to %s',
        private.time_text(lower(a.period), zone), private.time_text(upper(a.period), zone))
      from public.assignments a
      where a.user_id = p.id and a.status <> 'cancelled' and a.period && tstzrange(p_start, p_end)
        and a.shift_id is distinct from p_shift_id
      limit 1
    ),
    private.warnings_for(p.id, tstzrange(p_start, p_end)), private.is_on_leave(p.id, tstzrange(p_start, p_end)),
    coalesce((
      select jsonb_agg(to_jsonb(b)) from (
        select d.* from private.duty_problems(p.id, p_start, p_end, duty.periods, company_zone) d
        union all
        select e.* from private.eligibility_problems(p.id, shift) e
      ) b
    ), '[]')
  from public.profiles p left join duty on duty.user_id = p.id
  where exists (select from public.user_roles r where r.user_id = p.id and r.role = 'guard')
  order by 2;
end
$$;
comment on function public.guard_availability is 'Nullable: conflict';

drop function public.assign_guards(uuid, uuid[], uuid[]);

-- Tells guards of a shift to come that they were assigned to it ('assigned') or taken off it ('removed'). Once an
-- assignment, and not the caller.
create function private.tell_guards(p_shift_id uuid, p_change text, p_ids uuid[], p_users uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify(told.person, 'roster', told.title, told.body, '/staff/shifts', told.key)
  from (
    select w.person, case p_change when 'assigned' then 'New shift' else 'Shift removed' end as title,
      format('%s, %s to %s', s.name, to_char(h.start_time at time zone s.timezone, 'Dy, Mon FMDD, FMHH12:MI AM'),
        to_char(h.end_time at time zone s.timezone, 'FMHH12:MI AM')) as body,
      format('%s %s', p_change, w.assignment) as key
    from unnest(p_ids, p_users) w (assignment, person)
    join public.shifts h on h.id = p_shift_id and h.end_time > now()
    join public.sites s on s.id = h.site_id and private.may_plan(s.id)
    where w.person is distinct from auth.uid()
    -- In order, so that two planners never deadlock.
    order by w.person
  ) told;
end
$$;

-- Adds and removes guards of a shift, all or none. p_override_reason lets a caller who oversees the site add guards
-- against rules that can be overridden. Runs as the caller: the policies of assignments decide.
create function public.assign_guards(
  p_shift_id uuid, p_user_ids uuid[], p_remove_user_ids uuid[] default '{}', p_override_reason text default null
) returns setof public.assignments
language plpgsql set search_path = '' as $$
declare
  site uuid;
  missing uuid;
  ids uuid[];
  users uuid[];
begin
  select s.site_id into site from public.shifts s where s.id = p_shift_id;
  if not found then
    raise exception 'This shift no longer exists.' using errcode = 'PT404';
  end if;
  -- Checked here, because a delete that the policies forbid just finds no rows.
  if not private.may_plan(site) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  if char_length(p_override_reason) > 500 then
    raise exception 'Reason must be at most 500 characters' using errcode = 'check_violation';
  end if;
  select wanted.id into missing from unnest(p_user_ids) wanted (id)
  where not exists (select from public.profiles p where p.id = wanted.id);
  if found then
    raise exception 'There is no account %.', missing using errcode = 'foreign_key_violation';
  end if;
  with gone as (
    delete from public.assignments a where a.shift_id = p_shift_id and a.user_id = any (p_remove_user_ids)
    returning a.id, a.user_id, a.status
  )
  select array_agg(g.id), array_agg(g.user_id) into ids, users from gone g where g.status <> 'cancelled';
  perform private.tell_guards(p_shift_id, 'removed', ids, users);
  with added as (
    -- In order of id, so that two planners never deadlock.
    insert into public.assignments (shift_id, user_id, override_reason)
    select p_shift_id, wanted.id, p_override_reason
    from (select distinct u.id from unnest(p_user_ids) u (id)) wanted
    where not exists (
      select from public.assignments a
      where a.shift_id = p_shift_id and a.user_id = wanted.id and a.status <> 'cancelled'
    )
    order by wanted.id
    returning id, user_id
  )
  select array_agg(n.id), array_agg(n.user_id) into ids, users from added n;
  perform private.tell_guards(p_shift_id, 'assigned', ids, users);
  return query select * from public.assignments a where a.shift_id = p_shift_id order by a.created_at, a.id;
end
$$;

-- Inserts deleted assignments again, with all that planners and guards entered; the rest is derived again.
create function private.insert_assignments(p_rows public.assignments[]) returns void
language sql set search_path = '' as $$
  insert into public.assignments (id, shift_id, user_id, status, role_at_shift, override_reason, confirmed_at,
    declined_at, declined_reason, joins_at, no_show_reason, no_show_at, no_show_by, created_at)
  select a.id, a.shift_id, a.user_id, a.status, a.role_at_shift, a.override_reason, a.confirmed_at,
    a.declined_at, a.declined_reason, a.joins_at, a.no_show_reason, a.no_show_at, a.no_show_by, a.created_at
  from unnest(p_rows) a
  -- In order of guard, so that two planners never deadlock; those with a reason last, next to what they override.
  order by a.user_id, a.override_reason is not null;
$$;

-- Restores a deleted shift with the guards that were on it. Guards whom the rules forbid by now, or whose account was
-- deleted, are left out with the reason. Runs as the caller: the policies of shifts and assignments decide.
create or replace function public.restore_shift(p_shift jsonb, p_assignments jsonb default '[]')
returns table (restored integer, left_out text[])
language plpgsql set search_path = '' as $$
declare
  guard public.assignments;
  reason text;
  broken text;
begin
  if jsonb_typeof(p_shift) is distinct from 'object' or jsonb_typeof(p_assignments) is distinct from 'array'
    or jsonb_array_length(p_assignments) > 2000
  then
    raise exception 'Send the shift as an object and its assignments as an array of at most 2000.'
      using errcode = 'invalid_parameter_value';
  end if;
  insert into public.shifts select (jsonb_populate_record(null::public.shifts, p_shift)).*;
  restored := 0;
  left_out := '{}';
  -- In order of guard, so that two planners never deadlock.
  for guard in select * from jsonb_populate_recordset(null::public.assignments, p_assignments) a order by a.user_id loop
    begin
      guard.shift_id := (p_shift ->> 'id')::uuid;
      perform private.insert_assignments(array[guard]);
      restored := restored + 1;
    exception
      when exclusion_violation or check_violation then
        get stacked diagnostics reason = message_text, broken = constraint_name;
        -- A rule names no constraint; a value that the table refuses does.
        if broken <> '' then
          raise;
        end if;
        left_out := left_out || reason;
      when foreign_key_violation then
        left_out := left_out || 'The account of one guard no longer exists.'::text;
    end;
  end loop;
  return next;
end
$$;

-- Inserts deleted rows again, shifts with their assignments. Returns false, and inserts none, if one is refused.
create or replace function private.restore_rows(p_table text, p_rows jsonb) returns boolean
language plpgsql set search_path = '' as $$
declare
  state text;
begin
  perform private.insert_rows(p_table, p_rows);
  if p_table = 'shifts' then
    perform private.insert_assignments(array(
      select jsonb_populate_record(null::public.assignments, a || jsonb_build_object('shift_id', h.row ->> 'id'))
      from jsonb_array_elements(p_rows) h (row), jsonb_array_elements(h.row -> 'assignments') a
    ));
  end if;
  return true;
exception when others then
  get stacked diagnostics state = returned_sqlstate;
  if state like '40%' then
    raise;
  end if;
  return false;
end
$$;

-- Deletes rows, all or none, and returns them for restore_records; shifts with their assignments.
create or replace function public.delete_records(p_table text, p_ids uuid[]) returns jsonb
language plpgsql set search_path = '' as $$
declare
  chosen uuid[];
  wanted uuid;
  before jsonb;
  gone integer;
  refused jsonb[];
  state text;
  message text;
  broken text;
begin
  perform private.require_deletable(p_table);
  perform private.require_many(p_ids);
  chosen := array(select distinct u.id from unnest(p_ids) u (id) order by 1);
  execute format(
    'select coalesce(jsonb_object_agg(t.id, to_jsonb(t)), ''{}'') from public.%I t where t.id = any ($1)', p_table
  ) into before using chosen;
  if p_table = 'shifts' then
    select coalesce(jsonb_object_agg(h.key, h.value || jsonb_build_object('assignments', (
      select coalesce(jsonb_agg(to_jsonb(a)), '[]')
      from public.assignments a where a.shift_id = h.key::uuid
    ))), '{}') into before
    from jsonb_each(before) h;
  end if;
  select array_agg(jsonb_build_object('id', u.id, 'reason', found.obstacle,
    'name', private.name_of_row(p_table, before -> u.id::text)) order by u.id)
  into refused
  from unnest(chosen) u (id)
  cross join lateral (
    select case
      when not before ? u.id::text then 'It no longer exists, or you may not delete it.'
      when p_table = 'user_roles' and before -> u.id::text ->> 'user_id' = auth.uid()::text
        then 'You can''t change your own roles.'
    end as obstacle
  ) found
  where found.obstacle is not null;
  perform private.refuse_many(refused, cardinality(chosen), 'deleted');

  if not private.delete_rows(p_table, chosen) then
    -- Row by row, to learn which rows are refused and why.
    foreach wanted in array chosen loop
      begin
        execute format('delete from public.%I t where t.id = $1', p_table) using wanted;
        get diagnostics gone = row_count;
        if gone = 0 then
          raise exception 'You may not delete it.' using errcode = 'PT409';
        end if;
      exception when others then
        get stacked diagnostics state = returned_sqlstate, message = message_text, broken = constraint_name;
        if state like '40%' then
          raise;
        end if;
        refused := refused || jsonb_build_object('id', wanted,
          'name', private.name_of_row(p_table, before -> wanted::text),
          'reason', private.reason_of(state, message, broken));
      end;
    end loop;
    perform private.refuse_many(refused, cardinality(chosen), 'deleted');
  end if;
  return (select jsonb_agg(before -> u.id::text order by u.id) from unnest(chosen) u (id));
end
$$;

revoke all on all functions in schema private from public;
-- For functions that run as the caller.
grant execute on function private.tell_guards, private.insert_assignments to authenticated, service_role;
revoke all on function public.guard_availability, public.assign_guards from public, anon;
grant execute on function public.guard_availability, public.assign_guards to authenticated;
