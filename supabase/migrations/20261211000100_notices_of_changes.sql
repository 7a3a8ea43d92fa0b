-- Guards learn what others change about their time: shifts that are moved, deleted, restored or copied, and leave that is
-- decided. Several shifts in one transaction make one notice.

-- By the clock of the site: "Freeport Gate, Tue, Jan 2, 6:00 PM to 6:00 AM".
create function private.duty_text(p_site uuid, p_start timestamptz, p_end timestamptz) returns text
language sql stable security definer set search_path = '' as $$
  select format('%s, %s to %s', s.name, to_char(p_start at time zone s.timezone, 'Dy, Mon FMDD, FMHH12:MI AM'),
    to_char(p_end at time zone s.timezone, 'FMHH12:MI AM'))
  from public.sites s where s.id = p_site;
$$;

-- Queues a notice, or adds lines to the one of this transaction. Callers get none of what they do themselves, and
-- rows that are loaded without a caller send none.
create function private.tell_of_shifts(p_person uuid, p_change text, p_lines text[]) returns void
language sql set search_path = '' as $$
  insert into public.notices as n (user_id, kind, title, body, link, dedupe_key)
  select p_person, 'roster',
    case p_change when 'assigned' then 'New shift' when 'moved' then 'Shift moved' else 'Shift removed' end,
    left(array_to_string(p_lines, e'\n'), 2000), '/staff/shifts',
    format('%s %s %s', p_change, p_person, pg_current_xact_id())
  where auth.role() is not null and p_person is distinct from auth.uid()
  on conflict (dedupe_key) do update set body = left(n.body || e'\n' || excluded.body, 2000);
$$;

-- Tells guards of shifts to come that they were assigned to them ('assigned') or taken off them ('removed').
create function private.tell_guards_of(p_change text, p_shifts uuid[], p_users uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.tell_of_shifts(told.person, p_change, told.lines)
  from (
    select w.person, array_agg(private.duty_text(h.site_id, h.start_time, h.end_time) order by h.start_time) as lines
    from unnest(p_shifts, p_users) w (shift, person)
    join public.shifts h on h.id = w.shift and h.end_time > now()
    where private.may_plan(h.site_id)
    group by w.person
    -- In order, so that two planners never deadlock.
    order by w.person
  ) told;
end
$$;

create or replace function private.tell_guards(p_shift_id uuid, p_change text, p_ids uuid[], p_users uuid[])
returns void
language sql set search_path = '' as $$
  select private.tell_guards_of(p_change, array(select p_shift_id from unnest(p_users)), p_users);
$$;

-- Definer, because planners write no notices.
create function private.tell_of_changed_shift() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A change of the post sends its own notices.
  if private.expansion() = 'on' then
    return old;
  end if;
  perform private.tell_of_shifts(a.user_id, case tg_op when 'UPDATE' then 'moved' else 'removed' end, array[
    concat_ws(', before: ',
      case tg_op when 'UPDATE' then private.duty_text(new.site_id, new.start_time, new.end_time) end,
      private.duty_text(old.site_id, old.start_time, old.end_time))
  ])
  from public.assignments a
  where a.shift_id = old.id and a.status in ('assigned', 'confirmed')
  order by a.user_id;
  return old;
end
$$;
create trigger notify_of_removal before delete on public.shifts
  for each row when (old.end_time > now()) execute function private.tell_of_changed_shift();
create trigger notify_of_move after update on public.shifts
  for each row when (
    (old.site_id, old.start_time, old.end_time) is distinct from (new.site_id, new.start_time, new.end_time)
    and greatest(old.end_time, new.end_time) > now()
  ) execute function private.tell_of_changed_shift();

-- As before, and tells them.
create or replace function private.insert_assignments(p_rows public.assignments[]) returns void
language sql set search_path = '' as $$
  insert into public.assignments (id, shift_id, user_id, status, role_at_shift, override_reason, confirmed_at,
    declined_at, declined_reason, joins_at, no_show_reason, no_show_at, no_show_by, created_at)
  select a.id, a.shift_id, a.user_id, a.status, a.role_at_shift, a.override_reason, a.confirmed_at,
    a.declined_at, a.declined_reason, a.joins_at, a.no_show_reason, a.no_show_at, a.no_show_by, a.created_at
  from unnest(p_rows) a
  -- In order of guard, so that two planners never deadlock; those with a reason last, next to what they override.
  order by a.user_id, a.override_reason is not null;
  select private.tell_guards_of('assigned', array_agg(a.shift_id), array_agg(a.user_id))
  from unnest(p_rows) a where a.status in ('assigned', 'confirmed');
$$;

-- As before, and tells the guards.
create or replace function private.copy_shifts(
  p_sources uuid[], p_days integer[], p_with_guards boolean, p_write boolean, p_skips_leave boolean default false,
  p_without uuid[] default '{}', p_despite_leave uuid[] default '{}'
) returns table (day date, made integer, existing integer, assigned integer, left_out text[], warned text[])
language plpgsql set search_path = '' as $$
declare
  plan private.shift_copy[];
  shifts uuid[];
  users uuid[];
begin
  if cardinality(p_sources)::bigint * cardinality(p_days) > 5000 then
    raise exception 'That would be more than 5,000 shifts. Choose a shorter time.' using errcode = 'check_violation';
  end if;
  if p_write then
    -- Two planners who copy at once take turns at each site, so that the second sees the shifts of the first.
    perform pg_advisory_xact_lock(hashtextextended('copy shifts ' || site.id, 0))
    from (select distinct s.site_id as id from public.shifts s where s.id = any (p_sources) order by 1) site;
  end if;
  plan := array(
    select c from private.plan_copies(
      p_sources, p_days, p_with_guards, not p_write, p_skips_leave, p_without, p_despite_leave
    ) c
  );
  if p_write then
    insert into public.shifts (id, site_id, start_time, end_time, required_headcount, notes, post_id)
    select c.id, c.site_id, c.start_time, c.end_time, c.required_headcount, c.notes, c.post_id
    from unnest(plan) c where not c.already_exists
    order by c.start_time, c.site_id;
    with added as (
      -- In order of guard, so that two planners never deadlock.
      insert into public.assignments (shift_id, user_id, role_at_shift)
      select c.id, work.person, work.role
      from unnest(plan) c cross join lateral unnest(c.guards, c.roles) work (person, role)
      order by work.person, c.start_time
      returning shift_id, user_id
    )
    select array_agg(n.shift_id), array_agg(n.user_id) into shifts, users from added n;
    perform private.tell_guards_of('assigned', shifts, users);
  end if;
  return query
  select c.day, count(*) filter (where not c.already_exists)::integer,
    count(*) filter (where c.already_exists)::integer,
    sum(cardinality(c.guards))::integer,
    array(select said from unnest(plan) o cross join unnest(o.left_out) said where o.day = c.day order by 1),
    array(select said from unnest(plan) w cross join unnest(w.warned) said where w.day = c.day order by 1)
  from unnest(plan) c
  group by c.day order by c.day;
end
$$;

create function private.tell_of_decided_leave() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.role() is not null and new.user_id is distinct from auth.uid() then
    perform private.notify(new.user_id, 'leave', 'Leave ' || new.status,
      concat_ws(e'\n',
        format('%s leave, %s', initcap(new.type), case
          when new.start_date = new.end_date then to_char(new.start_date, 'Mon FMDD')
          else to_char(new.start_date, 'Mon FMDD') || ' to ' || to_char(new.end_date, 'Mon FMDD')
        end),
        new.decision_note
      ),
      '/staff/me', format('leave %s %s', new.status, new.id));
  end if;
  return null;
end
$$;
create trigger notify_of_decision after update on public.leave_requests
  for each row when (new.status <> old.status) execute function private.tell_of_decided_leave();

revoke all on function
  private.duty_text, private.tell_of_shifts, private.tell_guards_of, private.tell_of_changed_shift,
  private.tell_of_decided_leave
from public;
grant execute on function private.tell_guards_of to authenticated, service_role;
