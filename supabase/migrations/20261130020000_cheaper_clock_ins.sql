-- Less work for each clock-in. Figures: docs/measurements/clock-ins.md.

-- private.follow_fact for the two tables that every clock event writes. Its dynamic statement is planned each time,
-- these once in a session.
create function private.follow_attendance_fact() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
  users uuid[];
  first date[];
  last date[];
begin
  if tg_op = 'INSERT' then
    select array_agg(r.user_id), array_agg((r.clock_in_at at time zone zone)::date),
      array_agg((coalesce(r.clock_out_at, r.clock_in_at) at time zone zone)::date)
    into users, first, last
    from new_rows r;
  else
    with was as (
      select id, assignment_id, user_id, site_id, clock_in_at, clock_out_at, flags, needs_review, corrected_at, correction_reason
      from old_rows
    ), became as (
      select id, assignment_id, user_id, site_id, clock_in_at, clock_out_at, flags, needs_review, corrected_at, correction_reason
      from new_rows
    )
    select array_agg(r.user_id), array_agg((r.clock_in_at at time zone zone)::date),
      array_agg((coalesce(r.clock_out_at, r.clock_in_at) at time zone zone)::date)
    into users, first, last
    from ((table became except table was) union all (table was except table became)) r;
  end if;
  if users is not null then
    perform private.time_changed(users, first, last);
  end if;
  return null;
end
$$;

create function private.follow_assignment_fact() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  users uuid[];
  first date[];
  last date[];
begin
  with was as (
    select id, shift_id, user_id, site_id, period, on_leave, overridden_rules, status = 'no_show' as absent, no_show_reason,
      status = 'cancelled' as is_off
    from old_rows
  ), became as (
    select id, shift_id, user_id, site_id, period, on_leave, overridden_rules, status = 'no_show' as absent, no_show_reason,
      status = 'cancelled' as is_off
    from new_rows
  )
  select array_agg(case when not r.is_off then r.user_id end), array_agg(lower(private.days_of(r.period))),
    array_agg(upper(private.days_of(r.period)) - 1)
  into users, first, last
  from ((table became except table was) union all (table was except table became)) r;
  if users is not null then
    perform private.time_changed(users, first, last);
  end if;
  return null;
end
$$;

drop trigger time_follows_inserts on public.attendance;
create trigger time_follows_inserts after insert on public.attendance referencing new table as new_rows
  for each statement execute function private.follow_attendance_fact();
drop trigger time_follows_updates on public.attendance;
create trigger time_follows_updates after update on public.attendance
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.follow_attendance_fact();
drop trigger time_follows_updates on public.assignments;
create trigger time_follows_updates after update on public.assignments
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.follow_assignment_fact();

-- Usually none waits: the update below is costly to plan, and without rows it runs its triggers, too.
create or replace function private.close_offers(p_shifts uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  gone public.offers;
begin
  if not exists (
    select from unnest(p_shifts) s (id)
    join public.offers waiting on waiting.shift_id = s.id and waiting.kind = 'offer' and waiting.status = 'asked'
  ) then
    return;
  end if;
  for gone in
    update public.offers o
    set status = 'lapsed', decided_at = now(),
      decision_note = case when ended.is_on_shift then 'You are on this shift.'
        else 'The shift has gone to somebody else.' end
    from (
      select waiting.id, exists (
          select from public.assignments a
          where a.shift_id = s.id and a.user_id = waiting.user_id and a.status in ('assigned', 'confirmed', 'completed')
        ) as is_on_shift,
        private.free_seats(s) < 1 as is_full
      from public.offers waiting join public.shifts s on s.id = waiting.shift_id
      where waiting.kind = 'offer' and waiting.status = 'asked' and s.id = any (p_shifts)
    ) ended
    where o.id = ended.id and (ended.is_on_shift or ended.is_full)
    returning o.*
  loop
    perform private.notify(gone.user_id, 'offer_lapsed', 'The shift has gone to somebody else',
      private.shift_text(gone.shift_id), '/staff', 'lapsed:' || gone.id)
    where gone.decision_note <> 'You are on this shift.';
  end loop;
end
$$;

create or replace function private.settle_drafts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    delete from public.roster_changes c using old_rows o
    where c.shift_id = o.shift_id and c.user_id = o.user_id and c.change = 'unassign';
  -- Usually there is none: a delete without rows still runs the triggers of the draft.
  elsif exists (
    select from public.roster_changes c join new_rows n on n.shift_id = c.shift_id and n.user_id = c.user_id
  ) then
    delete from public.roster_changes c using new_rows n
    where c.shift_id = n.shift_id and c.user_id = n.user_id
      and c.change = case n.status when 'cancelled' then 'unassign' else 'assign' end;
  end if;
  return null;
end
$$;

-- Usually the assignment has no record yet.
create or replace function private.record_of_another_way(assignment uuid, kind text, way text, at_time timestamptz) returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from public.attendance r where r.assignment_id = record_of_another_way.assignment) then
    return null;
  end if;
  return (
    select r.id from public.attendance r
    where r.assignment_id = record_of_another_way.assignment and exists (
      select from public.clock_events e
      where e.attendance_id = r.id and e.kind = record_of_another_way.kind
        and (e.way <> 'phone' or record_of_another_way.way <> 'phone')
        and (e.kind = 'in' or e.received_at >= coalesce(r.reopened_at, '-infinity'))
    ) and case record_of_another_way.kind
      when 'in' then r.clock_out_at is null or at_time < r.clock_out_at
      else r.clock_out_at is not null and not exists (
        select from public.attendance o
        where o.assignment_id = record_of_another_way.assignment and o.clock_out_at is null
      )
    end
    order by r.clock_in_at desc limit 1
  );
end
$$;

revoke all on function private.follow_attendance_fact, private.follow_assignment_fact from public;
