-- Which locked timesheets have nothing left to bill, so that the screen of unbilled hours reads only the others.

-- A row for each locked timesheet. Its hours can't change, so only billing can: each change of it clears both flags in the
-- same transaction, and a job checks again. A timesheet counts as billed only after a check.
create table private.billed_timesheets (
  timesheet_id uuid primary key references public.timesheets (id) on delete cascade,
  user_id uuid not null,
  first_day date not null,
  last_day date not null,
  is_checked boolean not null default false,
  -- All of it is billed or waived, or belongs to a monthly amount that is billed.
  is_billed boolean not null default false check (is_checked or not is_billed)
);
create index billed_timesheets_user_id_idx on private.billed_timesheets (user_id, last_day);
create index billed_timesheets_to_check_idx on private.billed_timesheets (first_day) where not is_checked;
alter table private.billed_timesheets enable row level security;
revoke all on private.billed_timesheets from public, anon, authenticated, service_role;

insert into private.billed_timesheets (timesheet_id, user_id, first_day, last_day)
select t.id, t.user_id, t.period_start, t.period_end from public.timesheets t where t.status = 'locked';

-- No `where is_billed` in the updates below: they must wait for a check that runs, which has locked the rows.

create function private.recheck_timesheets_of_site(p_sites uuid[], p_from timestamptz, p_to timestamptz) returns void
language sql security definer set search_path = '' as $$
  update private.billed_timesheets b set is_checked = false, is_billed = false
  where b.timesheet_id in (
    select s.timesheet_id from public.time_segments s
    where s.site_id = any (p_sites) and s.starts_at >= p_from - interval '2 days' and s.starts_at < p_to + interval '2 days'
  );
$$;

create function private.recheck_billed_users() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A row that moves to other minutes is not foreseen, so the old rows of an update are enough.
  update private.billed_timesheets b set is_checked = false, is_billed = false
  from (
    select c.user_id, ((min(lower(c.span)) at time zone 'UTC') - interval '2 days')::date as first,
      ((max(upper(c.span)) at time zone 'UTC') + interval '2 days')::date as last
    from changed c group by c.user_id
  ) c
  where b.user_id = c.user_id and b.first_day <= c.last and b.last_day >= c.first;
  return null;
end
$$;
create trigger z_recheck_inserts after insert on public.billed_time referencing new table as changed
  for each statement execute function private.recheck_billed_users();
create trigger z_recheck_updates after update on public.billed_time referencing old table as changed
  for each statement execute function private.recheck_billed_users();
create trigger z_recheck_deletes after delete on public.billed_time referencing old table as changed
  for each statement execute function private.recheck_billed_users();

-- The hours of a post with a monthly amount count as billed with the line of their month.
create function private.recheck_fixed_line() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  line public.invoice_lines;
begin
  foreach line in array case tg_op when 'INSERT' then array[new] when 'DELETE' then array[old] else array[old, new] end loop
    perform private.recheck_timesheets_of_site(
      array(select p.site_id from public.contract_posts p where p.id = line.contract_post_id) || line.site_id,
      line.month::timestamptz, line.month::timestamptz + interval '1 month');
  end loop;
  return null;
end
$$;
create trigger z_recheck_new after insert on public.invoice_lines
  for each row when (new.kind = 'fixed') execute function private.recheck_fixed_line();
create trigger z_recheck_changed after update of kind, month, contract_post_id, credited_at on public.invoice_lines
  for each row when ((old.kind = 'fixed' or new.kind = 'fixed') and (old.kind, old.month, old.contract_post_id, old.credited_at)
    is distinct from (new.kind, new.month, new.contract_post_id, new.credited_at))
  execute function private.recheck_fixed_line();
create trigger z_recheck_deleted after delete on public.invoice_lines
  for each row when (old.kind = 'fixed') execute function private.recheck_fixed_line();

-- A contract's row decides whether hours are billed one by one or by the month. Of an insert, old is null; of a delete, new.
create function private.recheck_contract_post() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.recheck_timesheets_of_site(array[old.site_id, new.site_id], '-infinity', 'infinity');
  return null;
end
$$;
create trigger z_recheck after insert or delete on public.contract_posts
  for each row execute function private.recheck_contract_post();
create trigger z_recheck_changed after update on public.contract_posts
  for each row when ((old.site_id, old.post_id, old.basis, old.starts_on, old.ends_on)
    is distinct from (new.site_id, new.post_id, new.basis, new.starts_on, new.ends_on))
  execute function private.recheck_contract_post();

create function private.recheck_shift() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.recheck_timesheets_of_site(array[old.site_id], old.start_time, old.end_time);
  if tg_op = 'UPDATE' then
    perform private.recheck_timesheets_of_site(array[new.site_id], new.start_time, new.end_time);
  end if;
  return null;
end
$$;
create trigger z_recheck after update of site_id, post_id on public.shifts for each row
  when (old.start_time < now() and (old.site_id, old.post_id) is distinct from (new.site_id, new.post_id))
  execute function private.recheck_shift();
create trigger z_recheck_deleted after delete on public.shifts for each row
  when (old.start_time < now()) execute function private.recheck_shift();

create function private.follow_locked_timesheet() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.billed_timesheets b where b.timesheet_id = new.id;
  if new.status = 'locked' then
    insert into private.billed_timesheets (timesheet_id, user_id, first_day, last_day)
    values (new.id, new.user_id, new.period_start, new.period_end);
  end if;
  return null;
end
$$;
create trigger z_follow_locked_new after insert on public.timesheets for each row
  when (new.status = 'locked') execute function private.follow_locked_timesheet();
create trigger z_follow_locked after update of status, pay_run_id on public.timesheets for each row
  when (old.status = 'locked' or new.status = 'locked') execute function private.follow_locked_timesheet();

revoke all on all functions in schema private from public;
