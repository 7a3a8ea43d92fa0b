-- Shifts, wanted guards and staffed seats of each day, kept as they change, so that the totals of the weeks ahead don't count
-- every shift.

-- What each statement has changed, by the day in UTC on which the shifts start. A day has as many rows as it had changes until
-- private.merge_shift_days joins them: transactions that plan the same day never wait for each other.
create table private.shift_days (
  day date not null,
  shifts integer not null,
  required integer not null,
  assigned integer not null
);
create index shift_days_day_idx on private.shift_days (day);
alter table private.shift_days enable row level security;
revoke all on private.shift_days from public, anon, authenticated, service_role;

create function private.utc_day(p_at timestamptz) returns date
language sql immutable set search_path = ''
return (p_at at time zone 'UTC')::date;

create function private.keep_shift_days() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Transition tables that an event does not have can't be named in its plan.
  case tg_op
    when 'INSERT' then
      insert into private.shift_days
      select private.utc_day(n.start_time), count(*), sum(n.required_headcount), 0 from new_rows n group by 1;
    when 'DELETE' then
      insert into private.shift_days
      select private.utc_day(o.start_time), -count(*), -sum(o.required_headcount), 0 from old_rows o group by 1;
    when 'UPDATE' then
      insert into private.shift_days values
        (private.utc_day(old.start_time), -1, -old.required_headcount, 0),
        (private.utc_day(new.start_time), 1, new.required_headcount, 0);
    else
      delete from private.shift_days;
  end case;
  return null;
end
$$;
create trigger days_follow_inserts after insert on public.shifts
  referencing new table as new_rows for each statement execute function private.keep_shift_days();
create trigger days_follow_deletes after delete on public.shifts
  referencing old table as old_rows for each statement execute function private.keep_shift_days();
create trigger days_follow_updates after update on public.shifts for each row
  when ((old.start_time, old.required_headcount) is distinct from (new.start_time, new.required_headcount))
  execute function private.keep_shift_days();
create trigger days_follow_truncates after truncate on public.shifts
  for each statement execute function private.keep_shift_days();

create function private.keep_staffed_days() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  case tg_op
    when 'INSERT' then
      insert into private.shift_days
      select private.utc_day(n.starts_at), 0, 0, count(*) from new_rows n where n.counts_as_staffed group by 1;
    when 'DELETE' then
      insert into private.shift_days
      select private.utc_day(o.starts_at), 0, 0, -count(*) from old_rows o where o.counts_as_staffed group by 1;
    when 'UPDATE' then
      insert into private.shift_days
      select private.utc_day(c.starts_at), 0, 0, c.seats
      from (values (old.starts_at, old.counts_as_staffed, -1), (new.starts_at, new.counts_as_staffed, 1))
        c (starts_at, counts_as_staffed, seats)
      where c.counts_as_staffed;
    else
      update private.shift_days set assigned = 0;
  end case;
  return null;
end
$$;
create trigger days_follow_inserts after insert on public.assignments
  referencing new table as new_rows for each statement execute function private.keep_staffed_days();
create trigger days_follow_deletes after delete on public.assignments
  referencing old table as old_rows for each statement execute function private.keep_staffed_days();
-- A clock-in changes neither.
create trigger days_follow_updates after update on public.assignments for each row
  when ((old.starts_at, old.counts_as_staffed) is distinct from (new.starts_at, new.counts_as_staffed))
  execute function private.keep_staffed_days();
create trigger days_follow_truncates after truncate on public.assignments
  for each statement execute function private.keep_staffed_days();

-- Adds the difference between the tables and the sums. One statement has one snapshot, so concurrent writes are in both or neither.
create function private.recount_shift_days() returns void
language sql security definer set search_path = '' as $$
  insert into private.shift_days
  select c.day, sum(c.shifts), sum(c.required), sum(c.assigned)
  from (
    select private.utc_day(s.start_time) as day, count(*) as shifts, sum(s.required_headcount) as required, 0 as assigned
    from public.shifts s group by 1
    union all
    select private.utc_day(a.starts_at), 0, 0, count(*) from public.assignments a where a.counts_as_staffed group by 1
    union all
    select d.day, -sum(d.shifts), -sum(d.required), -sum(d.assigned) from private.shift_days d group by 1
  ) c
  group by c.day
  having (sum(c.shifts), sum(c.required), sum(c.assigned)) <> (0, 0, 0);
$$;

-- Joins the rows of each day. @returns how many days had several
create function private.merge_shift_days() returns integer
language sql security definer set search_path = '' as $$
  with gone as (
    delete from private.shift_days d
    where d.day in (select w.day from private.shift_days w group by w.day having count(*) > 1)
    returning d.*
  ), merged as (
    insert into private.shift_days
    select g.day, sum(g.shifts), sum(g.required), sum(g.assigned) from gone g group by g.day
    returning day
  )
  select count(*)::integer from merged;
$$;

-- Totals of shifts that start in [starts, ends) and end after ends_after, of all sites or of some.
create or replace function private.totals_of_shifts(
  starts timestamptz, ends timestamptz, ends_after timestamptz, sites uuid[], staffing text
) returns table (shifts integer, assigned integer, required integer)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  earliest constant timestamptz := greatest(starts, private.first_start(ends_after));
  -- What starts later ends later, too.
  whole_from constant timestamptz := greatest(starts, ends_after);
  -- Whole days are added up, and the shifts beside them counted: [first_day, last_day).
  first_day timestamptz := date_trunc('day', whole_from + interval '1 day' - interval '1 microsecond', 'UTC');
  last_day timestamptz := date_trunc('day', ends, 'UTC');
begin
  if staffing is not null then
    return query select t.* from private.totals_of_staffing(earliest, ends, ends_after, sites, staffing) t;
    return;
  end if;
  if sites is not null or last_day <= first_day then
    first_day := ends;
    last_day := ends;
  end if;
  return query
  with days as (
    select coalesce(sum(d.shifts), 0) as shifts, coalesce(sum(d.required), 0) as required,
      coalesce(sum(d.assigned), 0) as assigned
    from private.shift_days d
    where d.day >= private.utc_day(first_day) and d.day < private.utc_day(last_day)
  ), counted as (
    select count(*) as shifts, coalesce(sum(e.required_headcount), 0) as required
    from (
      select s.required_headcount from public.shifts s
      where s.start_time >= earliest and s.start_time < first_day and s.end_time > ends_after
        and (sites is null or s.site_id = any (sites))
      union all
      select s.required_headcount from public.shifts s
      where s.start_time >= last_day and s.start_time < ends and s.end_time > ends_after
        and (sites is null or s.site_id = any (sites))
    ) e
  ), seats as (
    -- An assignment starts with its shift.
    select (
      select count(*) from public.assignments a
      where a.starts_at >= whole_from and a.starts_at < first_day and a.counts_as_staffed
        and (sites is null or a.site_id = any (sites))
    ) + (
      select count(*) from public.assignments a
      where a.starts_at >= last_day and a.starts_at < ends and a.counts_as_staffed
        and (sites is null or a.site_id = any (sites))
    ) as assigned
  ), begun as (
    select count(*) as assigned from public.shifts s join public.assignments a on a.shift_id = s.id
    where s.start_time >= earliest and s.start_time < least(ends, ends_after) and s.end_time > ends_after
      and a.counts_as_staffed and (sites is null or s.site_id = any (sites))
  )
  select (d.shifts + c.shifts)::integer, (d.assigned + s.assigned + b.assigned)::integer, (d.required + c.required)::integer
  from days d, counted c, seats s, begun b;
end
$$;

revoke all on all functions in schema private from public;
