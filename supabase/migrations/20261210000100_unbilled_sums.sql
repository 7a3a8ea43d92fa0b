-- Unbilled hours as sums of timesheets and months, so that the weeks between the end of a month and its invoices are not read by the hour.

-- What is left to bill of each timesheet in a month of the company. A timesheet has a row for each site, contract and reason, and
-- none if nothing is left. The rows are right unless private.unbilled_changes has an entry that concerns the timesheet.
create table private.unbilled_sums (
  timesheet_id uuid not null references public.timesheets (id) on delete cascade,
  month date not null,
  site_id uuid not null,
  user_id uuid not null,
  contract_id uuid,
  -- As if the timesheet were approved.
  reason text not null check (reason in ('no_contract', 'no_rate', 'month_not_billed', 'not_drafted')),
  minutes integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- Sorted.
  attendance_ids uuid[] not null
);
create index unbilled_sums_timesheet_id_idx on private.unbilled_sums (timesheet_id);
create index unbilled_sums_month_idx on private.unbilled_sums (month, site_id);
create index unbilled_sums_contract_id_idx on private.unbilled_sums (contract_id);
alter table private.unbilled_sums enable row level security;
revoke all on private.unbilled_sums from public, anon, authenticated, service_role;

-- What has changed since the sums were made: each transaction adds what it touches, and the job that sums removes what it has
-- read before. Nobody waits for anybody. An entry names what changed and not the timesheets behind it, because another transaction may
-- be writing one that this one can't see; it is looked up by those who read the sums.
create table private.unbilled_changes (
  id bigint generated always as identity primary key,
  timesheet_id uuid,
  user_id uuid,
  site_id uuid,
  contract_id uuid,
  -- Of the last three.
  first_day date not null default '-infinity',
  last_day date not null default 'infinity',
  -- The entry names one thing, or nothing, which stands for all timesheets.
  check (num_nonnulls(timesheet_id, user_id, site_id, contract_id) <= 1)
);
alter table private.unbilled_changes enable row level security;
revoke all on private.unbilled_changes from public, anon, authenticated, service_role;

-- The timesheets whose sums of [p_first, p_last] may be out of date; without p_is_named those that no entry names.
create function private.timesheets_to_sum(p_first date, p_last date, p_is_named boolean default true) returns setof uuid
language plpgsql stable security definer set search_path = '' set jit = off set plan_cache_mode = 'force_custom_plan' as $$
begin
  -- The usual state of a quiet company.
  if not exists (select from private.unbilled_changes) then
    return;
  end if;
  return query
  select t.id from private.unbilled_changes c join public.timesheets t on t.id = c.timesheet_id
  where p_is_named and t.period_start <= p_last and t.period_end >= p_first
  union
  select t.id
  from private.unbilled_changes c
  join public.timesheets t on t.user_id = c.user_id and t.period_start <= c.last_day and t.period_end >= c.first_day
  where c.user_id is not null and t.period_start <= p_last and t.period_end >= p_first
  union
  select s.timesheet_id
  from (
    select c.site_id, greatest(c.first_day, p_first) as first, least(c.last_day, p_last) as last
    from private.unbilled_changes c where c.site_id is not null
  ) c
  join public.time_segments s on s.site_id = c.site_id
    and s.starts_at >= c.first::timestamptz - interval '2 days' and s.starts_at < c.last::timestamptz + interval '3 days'
  union
  select u.timesheet_id from private.unbilled_changes c join private.unbilled_sums u on u.contract_id = c.contract_id
  where c.contract_id is not null
  union
  select t.id from public.timesheets t
  where t.period_start <= p_last and t.period_end >= p_first and exists (
    select from private.unbilled_changes c where num_nonnulls(c.timesheet_id, c.user_id, c.site_id, c.contract_id) = 0
  );
end
$$;

-- Why time is not billed, once its timesheet is approved.
create function private.unbilled_reason(contract_id uuid, basis text, rate numeric) returns text
language sql immutable as $$
  select case when contract_id is null then 'no_contract' when basis = 'fixed' then 'month_not_billed'
    when rate is null then 'no_rate' else 'not_drafted' end;
$$;

-- Sums what is left of these timesheets.
create function private.sum_unbilled(p_timesheets uuid[]) returns void
language plpgsql security definer set search_path = '' set jit = off set plan_cache_mode = 'force_custom_plan' as $$
declare
  sites uuid[] := array(select s.id from public.sites s);
  this record;
begin
  delete from private.unbilled_sums u where u.timesheet_id = any (p_timesheets);
  for this in
    -- With the neighbours: the days of a segment are those of the zone that the company had when it was computed.
    select m.month::date as month, array_agg(t.id) as timesheets
    from public.timesheets t
    cross join lateral generate_series(
      date_trunc('month', t.period_start::timestamp - interval '1 day'), t.period_end::timestamp + interval '1 day', interval '1 month'
    ) m (month)
    where t.id = any (p_timesheets)
    group by m.month
  loop
    insert into private.unbilled_sums (timesheet_id, month, site_id, user_id, contract_id, reason, minutes, first_at, last_at,
      attendance_ids)
    select o.timesheet_id, this.month, o.site_id, o.user_id, o.contract_id, o.reason, sum(o.minutes), min(lower(o.span)),
      max(upper(o.span)), coalesce(array_agg(distinct o.attendance_id) filter (where o.attendance_id is not null), '{}')
    from (
      select o.*, private.unbilled_reason(o.contract_id, o.basis, o.rate) as reason
      from private.open_spans(sites, this.month, (this.month + interval '1 month - 1 day')::date, this.timesheets) o
    ) o
    group by o.timesheet_id, o.site_id, o.user_id, o.contract_id, o.reason;
  end loop;
end
$$;

-- Sums some of the timesheets that have changed. The name is that of the job of the releases before.
create or replace function private.check_billed_timesheets() returns void
language plpgsql security definer set search_path = '' set jit = off set plan_cache_mode = 'force_custom_plan' as $$
declare
  chosen bigint[];
begin
  if not exists (select from private.unbilled_changes)
    -- One at a time: else a slower run could overwrite the sums of a newer one.
    or not pg_try_advisory_xact_lock(hashtextextended('sum_unbilled', 0))
  then
    return;
  end if;
  if exists (select from private.unbilled_changes c where c.timesheet_id is null) then
    -- Entries that are committed during this statement are neither found nor removed: all its parts see the same.
    with expanded as (
      insert into private.unbilled_changes (timesheet_id)
      select t.id from private.timesheets_to_sum('-infinity', 'infinity', false) t (id)
    )
    delete from private.unbilled_changes c where c.timesheet_id is null;
  end if;
  chosen := array(select c.id from private.unbilled_changes c where c.timesheet_id is not null order by c.id limit 1000);
  -- The statements below see all that was committed with these entries. What is committed later has entries that stay.
  perform private.sum_unbilled(array(
    select t.id from public.timesheets t
    where t.id in (select c.timesheet_id from private.unbilled_changes c where c.id = any (chosen))
    for key share
  ));
  delete from private.unbilled_changes c where c.id = any (chosen);
end
$$;

-- What the sums depend on. The triggers are those of 20261202000000 and 20261207000500, which marked the timesheets themselves.

drop trigger z_follow_locked_new on public.timesheets;
drop trigger z_follow_locked on public.timesheets;
drop trigger z_recheck_summed on public.timesheets;
drop function private.follow_locked_timesheet();
drop function private.recheck_summed_timesheet();
drop table private.billed_timesheets;

create function private.recheck_new_timesheets() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unbilled_changes (timesheet_id) select c.id from changed c;
  return null;
end
$$;
create trigger z_recheck_inserts after insert on public.timesheets referencing new table as changed
  for each statement execute function private.recheck_new_timesheets();
create function private.recheck_moved_timesheet() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unbilled_changes (timesheet_id) values (new.id);
  return null;
end
$$;
create trigger z_recheck_moved after update of user_id, period_start, period_end on public.timesheets for each row
  when ((old.user_id, old.period_start, old.period_end) is distinct from (new.user_id, new.period_start, new.period_end))
  execute function private.recheck_moved_timesheet();

create or replace function private.recheck_changed_segments() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unbilled_changes (timesheet_id) select distinct c.timesheet_id from changed c;
  return null;
end
$$;
create or replace function private.recheck_updated_segments() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unbilled_changes (timesheet_id)
  select o.timesheet_id from old_rows o union select n.timesheet_id from new_rows n;
  return null;
end
$$;

create or replace function private.recheck_billed_users() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unbilled_changes (user_id, first_day, last_day)
  select c.user_id, (min(lower(c.span)) at time zone 'UTC')::date - 2, (max(upper(c.span)) at time zone 'UTC')::date + 2
  from changed c group by c.user_id;
  return null;
end
$$;
create function private.recheck_moved_time() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unbilled_changes (user_id, first_day, last_day)
  select c.user_id, (min(lower(c.span)) at time zone 'UTC')::date - 2, (max(upper(c.span)) at time zone 'UTC')::date + 2
  from (select o.user_id, o.span from old_rows o union all select n.user_id, n.span from new_rows n) c
  group by c.user_id;
  return null;
end
$$;
create or replace trigger z_recheck_updates after update on public.billed_time
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.recheck_moved_time();

create or replace function private.recheck_timesheets_of_site(p_sites uuid[], p_from timestamptz, p_to timestamptz) returns void
language sql security definer set search_path = '' as $$
  insert into private.unbilled_changes (site_id, first_day, last_day)
  select distinct s.id, (p_from at time zone 'UTC')::date - 2, (p_to at time zone 'UTC')::date + 2
  from unnest(p_sites) s (id) where s.id is not null;
$$;

-- The hours that the line covers are of its site, and those that it leaves are of its contract.
create or replace function private.recheck_fixed_line() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  line public.invoice_lines;
begin
  foreach line in array case tg_op when 'INSERT' then array[new] when 'DELETE' then array[old] else array[old, new] end loop
    perform private.recheck_timesheets_of_site(
      array(select p.site_id from public.contract_posts p where p.id = line.contract_post_id) || line.site_id,
      line.month::timestamptz, line.month::timestamptz + interval '1 month');
    insert into private.unbilled_changes (contract_id)
    select p.contract_id from public.contract_posts p where p.id = line.contract_post_id;
  end loop;
  return null;
end
$$;

create or replace trigger z_recheck_changed after update on public.contract_posts
  for each row when ((old.contract_id, old.site_id, old.post_id, old.basis, old.starts_on, old.ends_on)
    is distinct from (new.contract_id, new.site_id, new.post_id, new.basis, new.starts_on, new.ends_on))
  execute function private.recheck_contract_post();

-- Whether an hour has a rate, not which.
create function private.recheck_rates() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unbilled_changes (contract_id)
  select x.id from unnest(array[old.contract_id, new.contract_id]) x (id) where x.id is not null;
  return null;
end
$$;
create trigger z_recheck after insert or delete on public.rates
  for each row execute function private.recheck_rates();
create trigger z_recheck_changed after update on public.rates
  for each row when ((old.contract_id, old.contract_post_id, old.kind, old.effective_from)
    is distinct from (new.contract_id, new.contract_post_id, new.kind, new.effective_from))
  execute function private.recheck_rates();

-- A month begins at the company's midnight.
create function private.recheck_all_timesheets() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.unbilled_changes default values;
  return null;
end
$$;
create trigger z_recheck_zone after update of time_zone on private.settings
  for each row when (old.time_zone is distinct from new.time_zone) execute function private.recheck_all_timesheets();

-- The newest first.
insert into private.unbilled_changes (timesheet_id) select t.id from public.timesheets t order by t.period_start desc;

revoke all on all functions in schema private from public;
