-- Timesheets follow their facts at once: a statement that changes attendance, assignments, leave, decisions or disputes
-- computes the weeks that it touches. What can't be computed now (another session is writing the timesheet, or an
-- error) waits here, because a computation must never refuse a clock event, and so do clock events, which must be fast.
-- The servers repeat the job below every two seconds.
create table private.time_to_compute (
  user_id uuid not null references public.profiles (id) on delete cascade,
  day date not null,
  error text,
  -- After an error.
  try_at timestamptz not null default now(),
  primary key (user_id, day)
);
alter table private.time_to_compute enable row level security;
revoke all on private.time_to_compute from public, anon, authenticated, service_role;

-- Computes what waits, of all people or of these, many at once. If that fails, each person alone; the error of one that
-- fails alone is kept, and tried again a minute later.
create function private.compute_waiting_time(p_users uuid[] default null) returns void
language plpgsql security definer set search_path = '' as $$
declare
  due record;
  person uuid;
  failure text;
begin
  for due in
    with taken as (
      delete from private.time_to_compute w
      where (w.user_id, w.day) in (
        select x.user_id, x.day from private.time_to_compute x
        where (p_users is null or x.user_id = any (p_users)) and x.try_at <= now()
        order by date_trunc('month', x.day::timestamp), x.user_id limit 500 for update skip locked
      )
      returning w.user_id, w.day
    )
    select array_agg(distinct t.user_id) as users, min(t.day) as first, max(t.day) as last from taken t
    group by date_trunc('month', t.day::timestamp) order by 2
  loop
    begin
      perform private.compute_time(due.users, due.first, due.last);
    exception when others then
      foreach person in array due.users loop
        begin
          perform private.compute_time(array[person], due.first, due.last);
        exception when others then
          get stacked diagnostics failure = message_text;
          insert into private.time_to_compute (user_id, day, error, try_at)
          select person, d, failure, now() + interval '1 minute' from unnest(array[due.first, due.last]) d
          on conflict (user_id, day) do nothing;
        end;
      end loop;
    end;
  end loop;
end
$$;

-- Shifts that have ended since the last run without attendance, or without a clock-out: their missing minutes and
-- issues begin now, although no row changes.
create table private.time_swept (
  only_row boolean primary key default true check (only_row),
  until timestamptz not null
);
insert into private.time_swept (until) values (now());
alter table private.time_swept enable row level security;
revoke all on private.time_swept from public, anon, authenticated, service_role;

create function private.due_time() returns void
language plpgsql security definer set search_path = '' as $$
declare
  since timestamptz;
begin
  select s.until into since from private.time_swept s for update;
  insert into private.time_to_compute (user_id, day)
  select distinct a.user_id, lower(private.days_of(a.period)) from public.assignments a
  where a.starts_at > since - interval '7 days' and a.starts_at < now() and upper(a.period) > since
    and upper(a.period) <= now() and a.attendance_state <> 'out' and a.status <> 'cancelled'
  on conflict do nothing;
  update private.time_swept set until = now();
  perform private.compute_waiting_time();
end
$$;

-- Computes the days of these people now if their timesheets are free, else later. Both arrays have one entry per fact.
create function private.time_changed(p_users uuid[], p_first date[], p_last date[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  part record;
  waiting uuid[];
  failure text;
begin
  -- One computation for each pair of weeks: facts far apart must not compute what lies between.
  for part in
    select array_agg(distinct f.u) as users, min(f.first) as first, max(f.last) as last
    from unnest(p_users, p_first, p_last) f (u, first, last)
    where f.u is not null and f.last >= f.first and isfinite(f.first) and isfinite(f.last) and exists (
      select from public.timesheets t
      where t.user_id = f.u and t.status <> 'locked'
        and daterange(t.period_start, t.period_end, '[]')
          && daterange(date_trunc('week', f.first::timestamp)::date, date_trunc('week', f.last::timestamp)::date + 7)
    )
    group by date_trunc('week', f.first::timestamp), date_trunc('week', f.last::timestamp)
  loop
    begin
      failure := null;
      -- A clock event answers at once: a relief of hundreds of guards must not queue for computations.
      waiting := case when coalesce(current_setting('app.clock_event', true), '') <> '' then part.users
        else private.compute_time(part.users, part.first, part.last, false) end;
    exception when others then
      get stacked diagnostics failure = message_text;
      waiting := part.users;
      perform set_config('app.computing_time', '', true);
    end;
    insert into private.time_to_compute (user_id, day, error)
    select w, d, failure from unnest(waiting) w, unnest(array[part.first, part.last]) d order by 1, 2
    on conflict (user_id, day) do nothing;
  end loop;
end
$$;

-- The trigger of every fact. Arguments: what the hours depend on, as select list of a row; and the SQL of its person,
-- first and last day, from those columns and the company's zone `s.time_zone`.
create function private.follow_fact() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  users uuid[];
  first date[];
  last date[];
  facts text := case tg_op
    when 'INSERT' then 'select %1$s from new_rows'
    when 'DELETE' then 'select %1$s from old_rows'
    else '(select %1$s from new_rows except select %1$s from old_rows)
      union all (select %1$s from old_rows except select %1$s from new_rows)' end;
begin
  execute format('select array_agg(f.u), array_agg(f.first), array_agg(f.last)
    from (' || facts || ') r cross join private.settings s cross join lateral (select %2$s) f (u, first, last)',
    tg_argv[0], tg_argv[1])
  into users, first, last;
  if users is not null then
    perform private.time_changed(users, first, last);
  end if;
  return null;
end
$$;

create function private.follow_facts_of(facts regclass, columns text, days text) returns void
language plpgsql set search_path = '' as $$
begin
  execute format('create trigger time_follows_inserts after insert on %s referencing new table as new_rows
    for each statement execute function private.follow_fact(%L, %L)', facts, columns, days);
  execute format('create trigger time_follows_updates after update on %s
    referencing old table as old_rows new table as new_rows
    for each statement execute function private.follow_fact(%L, %L)', facts, columns, days);
  execute format('create trigger time_follows_deletes after delete on %s referencing old table as old_rows
    for each statement execute function private.follow_fact(%L, %L)', facts, columns, days);
end
$$;
select private.follow_facts_of('public.attendance',
  'id, assignment_id, user_id, site_id, clock_in_at, clock_out_at, flags, needs_review, corrected_at, correction_reason',
  'r.user_id, (r.clock_in_at at time zone s.time_zone)::date,
    (coalesce(r.clock_out_at, r.clock_in_at) at time zone s.time_zone)::date');
select private.follow_facts_of('public.assignments',
  $c$id, shift_id, user_id, site_id, period, on_leave, overridden_rules, status = 'no_show' as absent, no_show_reason,
    status = 'cancelled' as is_off$c$,
  'case when not r.is_off then r.user_id end, lower(private.days_of(r.period)), upper(private.days_of(r.period)) - 1');
select private.follow_facts_of('public.leave_requests',
  $c$id, user_id, type, start_date, end_date, status = 'approved' as is_on$c$,
  -- A day of sick leave counts towards the limit of its year.
  $d$case when r.is_on then r.user_id end, r.start_date, case when r.type = 'sick'
    then (date_trunc('year', r.end_date::timestamp) + interval '1 year')::date - 1 else r.end_date end$d$);
select private.follow_facts_of('public.time_decisions', 'attendance_id, user_id, kind, approved',
  '(select x.user_id from public.attendance x where x.id = r.attendance_id),
    (select (x.clock_in_at at time zone s.time_zone)::date from public.attendance x where x.id = r.attendance_id),
    (select (coalesce(x.clock_out_at, x.clock_in_at) at time zone s.time_zone)::date
      from public.attendance x where x.id = r.attendance_id)');
select private.follow_facts_of('public.timesheet_disputes', 'id, user_id, day, status', 'r.user_id, r.day, r.day');
drop function private.follow_facts_of;

-- Rules and holidays change the hours of everybody, so the servers compute them soon.
create function private.recompute_open_timesheets() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.time_to_compute (user_id, day)
  select t.user_id, d from public.timesheets t, unnest(array[t.period_start, t.period_end]) d
  where t.status <> 'locked' order by 1, 2
  on conflict (user_id, day) do nothing;
  return null;
end
$$;
create trigger time_follows after insert or update or delete on public.time_rules
  for each statement execute function private.recompute_open_timesheets();
create trigger time_follows after insert or update or delete on public.company_holidays
  for each statement execute function private.recompute_open_timesheets();
create trigger time_follows after insert on public.public_holidays
  for each statement execute function private.recompute_open_timesheets();
create trigger time_follows after update on private.settings
  for each row when (old.time_zone <> new.time_zone) execute function private.recompute_open_timesheets();

revoke all on all functions in schema private from public;
