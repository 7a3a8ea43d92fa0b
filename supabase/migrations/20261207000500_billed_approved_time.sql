-- Unbilled hours: approved timesheets that are billed are left out too, before a pay run locks them; and a timesheet that only
-- borders on the days is left out once it can't have hours within them.

-- As in 20261202000000: a row for each approved or locked timesheet. An approved one can change, which clears both flags in the
-- same transaction, as billing does.
create or replace function private.follow_locked_timesheet() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Locking changes neither hours nor billing.
  if tg_op = 'UPDATE' then
    if old.status in ('approved', 'locked') and new.status in ('approved', 'locked')
      and (old.user_id, old.period_start, old.period_end) = (new.user_id, new.period_start, new.period_end)
    then
      return null;
    end if;
  end if;
  delete from private.billed_timesheets b where b.timesheet_id = new.id;
  if new.status in ('approved', 'locked') then
    insert into private.billed_timesheets (timesheet_id, user_id, first_day, last_day)
    values (new.id, new.user_id, new.period_start, new.period_end);
  end if;
  return null;
end
$$;
create or replace trigger z_follow_locked_new after insert on public.timesheets for each row
  when (new.status in ('approved', 'locked')) execute function private.follow_locked_timesheet();
create or replace trigger z_follow_locked after update of status, user_id, period_start, period_end on public.timesheets for each row
  when (old.status in ('approved', 'locked') or new.status in ('approved', 'locked'))
  execute function private.follow_locked_timesheet();

insert into private.billed_timesheets (timesheet_id, user_id, first_day, last_day)
select t.id, t.user_id, t.period_start, t.period_end from public.timesheets t where t.status = 'approved'
on conflict do nothing;

-- Without `where is_billed`, as the other updates: it must wait for a check that runs. Of open timesheets there are no rows.
create function private.recheck_changed_segments() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.billed_timesheets b set is_checked = false, is_billed = false
  where b.timesheet_id in (select c.timesheet_id from changed c);
  return null;
end
$$;
create trigger z_recheck_inserts after insert on public.time_segments referencing new table as changed
  for each statement execute function private.recheck_changed_segments();
create trigger z_recheck_deletes after delete on public.time_segments referencing old table as changed
  for each statement execute function private.recheck_changed_segments();
-- A segment is replaced rather than updated, but nothing forbids it: both timesheets are meant if it moves.
create function private.recheck_updated_segments() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.billed_timesheets b set is_checked = false, is_billed = false
  where b.timesheet_id in (select o.timesheet_id from old_rows o union select n.timesheet_id from new_rows n);
  return null;
end
$$;
create trigger z_recheck_updates after update on public.time_segments referencing old table as old_rows new table as new_rows
  for each statement execute function private.recheck_updated_segments();

-- Segments may be written while another transaction approves their timesheet, whose row is not visible to the triggers above. The sums
-- of the timesheet are written after them, which waits for the approval.
create function private.recheck_summed_timesheet() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.billed_timesheets b set is_checked = false, is_billed = false where b.timesheet_id = new.id;
  return null;
end
$$;
create trigger z_recheck_summed after update of computed_at on public.timesheets for each row
  when (new.status in ('approved', 'locked') and old.computed_at is distinct from new.computed_at)
  execute function private.recheck_summed_timesheet();

-- Since when the company's days begin as they do now.
alter table private.settings add column time_zone_since timestamptz not null default now();
create function private.note_time_zone() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.time_zone_since := now();
  return new;
end
$$;
create trigger c_time_zone before update on private.settings
  for each row when (old.time_zone <> new.time_zone) execute function private.note_time_zone();

-- As before, but without timesheets that begin the day after or end the day before, unless the company's zone has changed since: the day
-- of a segment is that of the company when it was computed, which is never before the work.
create or replace function private.timesheets_to_bill(p_from date, p_to date) returns uuid[]
language plpgsql stable security definer set search_path = '' set work_mem = '32MB'
set plan_cache_mode = 'force_custom_plan' as $$
declare
  -- The days after it have begun and ended in the zone of today.
  since constant date := (select (s.time_zone_since at time zone 'UTC')::date + 2 from private.settings s);
  first constant date := case when p_from - 1 > since then p_from else p_from - 1 end;
  last constant date := case when p_to + 1 > since then p_to else p_to + 1 end;
begin
  return array(
    select t.id from public.timesheets t
    where t.period_start <= last and t.period_end >= first
      and not exists (
        select from private.billed_timesheets b where b.timesheet_id = t.id and b.is_billed and b.last_day >= first
      )
  );
end
$$;

revoke all on all functions in schema private from public;
