-- A timesheet exists from the day on which its period begins or a fact falls into it, without anybody's doing: triggers add
-- the sheets of new facts, new people and new pay groups, and the job of computed hours those of each period that begins.

-- The days up to this one have their timesheets; null until the job has run once.
alter table private.time_swept add made_until date;

-- The days on which somebody is employed, as far as the product knows of it: from the record and its account on, and from
-- the hire if that was shortly before. Guards without a staff record are people, too.
create view private.employments as
  select e.user_id, daterange(e.first, e.last, '[]') as days
  from (
    select s.user_id,
      case when s.hire_date > k.known_on - 100 then s.hire_date else k.known_on end as first,
      least(s.end_date, p.left_on) as last
    from public.staff s
    join public.profiles p on p.id = s.user_id
    cross join private.settings z
    cross join lateral (select (greatest(s.created_at, p.created_at) at time zone z.time_zone)::date as known_on) k
    where s.status = 'active' or s.end_date is not null
    union all
    select r.user_id, (r.created_at at time zone z.time_zone)::date, p.left_on
    from public.user_roles r
    join public.profiles p on p.id = r.user_id
    cross join private.settings z
    where r.role = 'guard' and not exists (select from public.staff s where s.user_id = r.user_id)
  ) e
  where e.last is null or e.last >= e.first;
revoke all on private.employments from public, anon, authenticated, service_role;

-- The pay periods around these days, cut where the pay group of the person changes.
create function private.pay_periods(p_users uuid[], p_first date[], p_last date[])
returns table (user_id uuid, period daterange)
language sql stable security definer
set search_path = ''
as $$
  with asked as (
    select distinct u.user_id, u.first, least(u.last, u.first + 400) as last
    from unnest(p_users, p_first, p_last) u (user_id, first, last)
    where u.user_id is not null and u.last >= u.first and isfinite(u.first) and isfinite(u.last)
  ), groups as (
    select c.user_id, c.frequency, case when c.before is not null then c.effective_from end as begins,
      lead(c.effective_from) over (partition by c.user_id order by c.effective_from) as ends
    from (
      select s.user_id, b.payment_frequency as frequency, b.effective_from,
        lag(b.payment_frequency) over (partition by b.staff_id order by b.effective_from) as before
      from public.staff s join public.pay_bases b on b.staff_id = s.id
      where s.user_id = any (p_users)
    ) c
    where c.frequency is distinct from c.before
  )
  select distinct a.user_id,
    private.pay_period(coalesce(g.frequency, 'monthly'), d.day::date) * daterange(g.begins, g.ends)
  from asked a
  left join groups g on g.user_id = a.user_id and daterange(g.begins, g.ends) && daterange(a.first, a.last, '[]')
  cross join lateral generate_series(
    greatest(a.first, g.begins)::timestamp, least(a.last, g.ends - 1)::timestamp, '1 day') d (day);
$$;

create function private.has_hours(p_user uuid, p_days daterange) returns boolean
language sql stable security definer
set search_path = ''
as $$
  select exists (
    select from public.assignments a where a.user_id = p_user and a.status <> 'cancelled' and a.period
      && tstzrange(private.company_midnight(lower(p_days)), private.company_midnight(upper(p_days)))
  ) or exists (
    select from public.attendance a where a.user_id = p_user
      and a.clock_in_at < private.company_midnight(upper(p_days))
      and a.clock_in_at >= private.company_midnight(lower(p_days))
  ) or exists (
    select from public.leave_requests l where l.user_id = p_user and l.status = 'approved'
      and l.start_date < upper(p_days) and l.end_date >= lower(p_days)
  );
$$;

-- Periods that have begun for somebody employed, and all periods with facts, as far as no timesheet covers them.
create function private.missing_timesheets(p_users uuid[], p_first date[], p_last date[])
returns table (user_id uuid, days daterange)
language sql stable security definer
set search_path = ''
as $$
  select p.user_id, unnest(datemultirange(p.period) - coalesce((
    select range_agg(daterange(t.period_start, t.period_end, '[]')) from public.timesheets t
    where t.user_id = p.user_id and daterange(t.period_start, t.period_end, '[]') && p.period
  ), '{}'))
  from private.pay_periods(p_users, p_first, p_last) p
  where not exists (
    select from public.timesheets t
    where t.user_id = p.user_id and daterange(t.period_start, t.period_end, '[]') @> p.period
  ) and (
    lower(p.period) <= private.company_date()
      and exists (select from private.employments e where e.user_id = p.user_id and e.days && p.period)
    or private.has_hours(p.user_id, p.period)
  );
$$;

drop function private.add_timesheets(uuid[], date, date);

create function private.adding_timesheets() returns bigint
language sql immutable
set search_path = ''
return hashtextextended('private.add_timesheets', 0);

-- Its callers have the lock of private.adding_timesheets().
create function private.add_timesheets(p_users uuid[], p_first date[], p_last date[])
returns table (user_id uuid, first date, last date)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
begin
  perform set_config('app.computing_time', 'on', true);
  return query
  insert into public.timesheets as t (user_id, period_start, period_end)
  select m.user_id, lower(m.days), upper(m.days) - 1 from private.missing_timesheets(p_users, p_first, p_last) m
  order by 1, 2
  on conflict do nothing
  returning t.user_id, t.period_start, t.period_end;
  perform set_config('app.computing_time', '', true);
end
$$;

-- Adds them now, or leaves it to the job while another transaction is adding some: two that add the same sheet would wait
-- for each other's commit. @returns those that are new
create function private.make_timesheets(p_users uuid[], p_first date[], p_last date[])
returns table (user_id uuid, first date, last date)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
begin
  if pg_try_advisory_xact_lock(private.adding_timesheets()) then
    return query select a.* from private.add_timesheets(p_users, p_first, p_last) a;
  else
    insert into private.time_to_compute (user_id, day)
    select distinct m.user_id, d
    from private.missing_timesheets(p_users, p_first, p_last) m, unnest(array[lower(m.days), upper(m.days) - 1]) d
    order by 1, 2
    on conflict (user_id, day) do nothing;
  end if;
end
$$;

-- Empty sheets outside the employment, and ahead of it once the last shift there is gone.
create function private.drop_timesheets(p_users uuid[]) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  today constant date := private.company_date();
  gone uuid[] := array(
    select t.id from public.timesheets t
    where t.user_id = any (p_users) and t.status = 'open' and (t.period_start > today or (
      exists (select from public.staff s where s.user_id = t.user_id) and not exists (
        select from private.employments e
        where e.user_id = t.user_id and e.days && daterange(t.period_start, t.period_end, '[]'))
    ))
      and not exists (select from public.time_segments s where s.timesheet_id = t.id)
      and not exists (select from public.timesheet_disputes d where d.timesheet_id = t.id)
      and not private.has_hours(t.user_id, daterange(t.period_start, t.period_end, '[]'))
  );
begin
  if gone <> '{}' then
    perform set_config('app.computing_time', 'on', true);
    delete from public.timesheets t where t.id = any (gone);
    perform set_config('app.computing_time', '', true);
  end if;
end
$$;

-- Adds what these days lack, and computes them: at once where the period has begun, else soon.
create or replace function private.time_changed(p_users uuid[], p_first date[], p_last date[]) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  today constant date := private.company_date();
  -- A clock event answers at once: a relief of hundreds of guards must not queue for computations.
  is_event constant boolean := coalesce(current_setting('app.clock_event', true), '') <> '';
  users uuid[] := p_users;
  firsts date[] := p_first;
  lasts date[] := p_last;
  new_users uuid[];
  new_firsts date[];
  new_lasts date[];
  part record;
  waiting uuid[];
  failure text;
begin
  if exists (
    select from unnest(p_users, p_first, p_last) f (u, first, last)
    where f.u is not null and f.last >= f.first and isfinite(f.first) and isfinite(f.last) and not exists (
      select from public.timesheets t
      where t.user_id = f.u and daterange(t.period_start, t.period_end, '[]') @> daterange(f.first, f.last, '[]')
    )
  ) then
    begin
      if is_event then
        insert into private.time_to_compute (user_id, day)
        select distinct m.user_id, d
        from private.missing_timesheets(p_users, p_first, p_last) m, unnest(array[lower(m.days), upper(m.days) - 1]) d
        order by 1, 2
        on conflict (user_id, day) do nothing;
      else
        select array_agg(m.user_id), array_agg(m.first), array_agg(m.last) into new_users, new_firsts, new_lasts
        from private.make_timesheets(p_users, p_first, p_last) m;
        users := users || new_users;
        firsts := firsts || new_firsts;
        lasts := lasts || new_lasts;
      end if;
    -- The job tries again; no fact is refused because of its timesheet.
    exception when others then
      get stacked diagnostics failure = message_text;
      perform set_config('app.computing_time', '', true);
      insert into private.time_to_compute (user_id, day, error)
      select distinct f.u, d, failure from unnest(p_users, p_first, p_last) f (u, first, last), unnest(array[f.first, f.last]) d
      where f.u is not null and f.last >= f.first and isfinite(d) order by 1, 2
      on conflict (user_id, day) do nothing;
    end;
  end if;
  -- One computation for each pair of weeks: facts far apart must not compute what lies between.
  for part in
    select array_agg(distinct f.u) as users, min(f.first) as first, max(f.last) as last, t.has_begun
    from unnest(users, firsts, lasts) f (u, first, last)
    cross join lateral (
      select bool_or(t.period_start <= today) as has_begun from public.timesheets t
      where t.user_id = f.u and t.status <> 'locked'
        and daterange(t.period_start, t.period_end, '[]')
          && daterange(date_trunc('week', f.first::timestamp)::date, date_trunc('week', f.last::timestamp)::date + 7)
    ) t
    where f.u is not null and f.last >= f.first and isfinite(f.first) and isfinite(f.last) and t.has_begun is not null
    group by date_trunc('week', f.first::timestamp), date_trunc('week', f.last::timestamp), t.has_begun
  loop
    begin
      failure := null;
      waiting := case when is_event or not part.has_begun then part.users
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
  if not is_event then
    perform private.drop_timesheets(p_users);
  end if;
end
$$;

create function private.compute_due_time(p_users uuid[], p_first date, p_last date) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  first date;
  last date;
begin
  select least(p_first, min(a.first)), greatest(p_last, max(a.last)) into first, last
  from private.add_timesheets(p_users, array_fill(p_first, array[cardinality(p_users)]),
    array_fill(p_last, array[cardinality(p_users)])) a;
  perform private.compute_time(p_users, first, last);
  perform private.drop_timesheets(p_users);
end
$$;

-- @param p_users whose timesheets are approved now, and locked by the caller: what lacks a sheet is left to the job
create or replace function private.compute_waiting_time(p_users uuid[] default null) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  due record;
  person uuid;
  failure text;
begin
  if p_users is null then
    -- Before anything else is locked, because writers that hold it wait for rows of the queue.
    perform pg_advisory_xact_lock(private.adding_timesheets());
  end if;
  for due in
    with taken as (
      delete from private.time_to_compute w
      where (w.user_id, w.day) in (
        select x.user_id, x.day from private.time_to_compute x
        where x.try_at <= now() and (p_users is null or x.user_id = any (p_users) and exists (
          select from public.timesheets t where t.user_id = x.user_id and x.day between t.period_start and t.period_end
        ))
        order by date_trunc('month', x.day::timestamp), x.user_id limit 500 for update skip locked
      )
      returning w.user_id, w.day
    )
    select array_agg(distinct t.user_id) as users, min(t.day) as first, max(t.day) as last from taken t
    group by date_trunc('month', t.day::timestamp) order by 2
  loop
    begin
      if p_users is null then
        perform private.compute_due_time(due.users, due.first, due.last);
      else
        perform private.compute_time(due.users, due.first, due.last);
      end if;
    exception when others then
      foreach person in array due.users loop
        begin
          if p_users is null then
            perform private.compute_due_time(array[person], due.first, due.last);
          else
            perform private.compute_time(array[person], due.first, due.last);
          end if;
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

-- The sheets of each period that has begun since the last run, of everybody employed in it. The first run also looks for
-- facts of the last 100 days that have none.
create function private.begin_timesheets() returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  today constant date := private.company_date();
  since date;
  is_first boolean;
begin
  select greatest(coalesce(s.made_until, today - 100), today - 400), s.made_until is null into since, is_first
  from private.time_swept s;
  if not is_first and since >= today then
    return;
  end if;
  if is_first then
    insert into private.time_to_compute (user_id, day)
    select f.user_id, d
    from (
      select a.user_id, min(lower(w)) as first, max(upper(w) - 1) as last
      from public.assignments a cross join lateral private.days_of(a.period) w
      where a.status <> 'cancelled' and a.starts_at > private.company_midnight(since)
      group by a.user_id, date_trunc('week', lower(w)::timestamp)
      union all
      select l.user_id, greatest(l.start_date, since), least(l.end_date, today) from public.leave_requests l
      where l.status = 'approved' and l.end_date >= since and l.start_date <= today
    ) f, unnest(array[f.first, f.last]) d
    group by 1, 2 order by 1, 2
    on conflict (user_id, day) do nothing;
  end if;
  insert into private.time_to_compute (user_id, day)
  select a.user_id, d
  from (
    select array_agg(e.user_id) as users, array_agg(greatest(since, lower(e.days))) as firsts,
      array_agg(least(today, upper(e.days) - 1)) as lasts
    from private.employments e where e.days && daterange(since, today, '[]')
  ) e
  cross join lateral private.add_timesheets(e.users, e.firsts, e.lasts) a, unnest(array[a.first, a.last]) d
  where private.has_hours(a.user_id, daterange(a.first, a.last, '[]'))
  group by 1, 2 order by 1, 2
  on conflict (user_id, day) do nothing;
  update private.time_swept set made_until = today;
end
$$;

create or replace function private.due_time() returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  since timestamptz;
begin
  perform pg_advisory_xact_lock(private.adding_timesheets());
  select s.until into since from private.time_swept s for update;
  perform private.begin_timesheets();
  insert into private.time_to_compute (user_id, day)
  select distinct a.user_id, d
  from public.assignments a
  cross join lateral private.days_of(a.period) w
  cross join lateral unnest(array[lower(w), upper(w) - 1]) d
  where a.starts_at > since - interval '7 days' and a.starts_at < now() and upper(a.period) > since
    and upper(a.period) <= now() and a.attendance_state <> 'out' and a.status <> 'cancelled'
  on conflict do nothing;
  update private.time_swept set until = now();
  perform private.compute_waiting_time();
end
$$;

create or replace function public.compute_timesheets("from" date, "to" date) returns integer
language plpgsql security definer
set search_path = ''
set statement_timeout = '60s'
as $$
declare
  first date;
  last date;
  people uuid[];
begin
  if auth.uid() is not null and not private.has_role('admin', 'ops_manager', 'hr', 'finance') then
    raise exception 'You may not compute timesheets.' using errcode = 'insufficient_privilege';
  end if;
  perform private.require_day(compute_timesheets."from", 'start');
  perform private.require_day(compute_timesheets."to", 'end');
  if compute_timesheets."to" < compute_timesheets."from" or compute_timesheets."to" - compute_timesheets."from" > 100 then
    raise exception 'Give a start before the end, at most 100 days apart.' using errcode = 'invalid_parameter_value';
  end if;
  -- A month is the longest period.
  first := date_trunc('month', compute_timesheets."from"::timestamp)::date - 14;
  last := (date_trunc('month', compute_timesheets."to"::timestamp) + interval '1 month')::date + 13;
  people := array(
    select a.user_id from public.assignments a
    where a.starts_at >= private.company_midnight(first) - interval '1 day' and a.starts_at < private.company_midnight(last + 1)
      and a.status <> 'cancelled'
    union
    select r.user_id from public.attendance r
    where r.clock_in_at >= private.company_midnight(first) and r.clock_in_at < private.company_midnight(last + 1)
    union
    select l.user_id from public.leave_requests l
    where l.status = 'approved' and l.start_date <= last and l.end_date >= first
  );
  perform pg_advisory_xact_lock(private.adding_timesheets());
  perform private.add_timesheets(people, array_fill(compute_timesheets."from", array[cardinality(people)]),
    array_fill(compute_timesheets."to", array[cardinality(people)]));
  select min(t.period_start), max(t.period_end) into first, last from public.timesheets t
  where t.period_start <= compute_timesheets."to" and t.period_end >= compute_timesheets."from";
  if first is null then
    return 0;
  end if;
  people := array(
    select distinct t.user_id from public.timesheets t
    where t.period_start <= compute_timesheets."to" and t.period_end >= compute_timesheets."from" order by 1
  );
  perform private.compute_time(people, first, last);
  return (select count(*)::integer from public.timesheets t
    where t.period_start <= compute_timesheets."to" and t.period_end >= compute_timesheets."from");
end
$$;

-- From the day on which a pay group begins, what is not locked follows it: a sheet ends where its period ends, open ones
-- that only continue another are joined to it, and the days that are left get sheets of their own.
create function private.fit_timesheets(p_users uuid[], p_from date) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  sheets uuid[];
  people uuid[];
  firsts date[];
  lasts date[];
  owners uuid[];
  periods daterange[];
begin
  with odd as (
    select t.id, t.user_id, t.period_start, t.period_end from public.timesheets t
    cross join lateral private.pay_periods(array[t.user_id], array[t.period_start], array[t.period_start]) w
    where t.user_id = any (p_users) and t.status <> 'locked' and t.period_end >= p_from - 1
      and daterange(t.period_start, t.period_end, '[]') <> w.period
  )
  select array_agg(o.id), array_agg(o.user_id), array_agg(o.period_start), array_agg(o.period_end)
  into sheets, people, firsts, lasts from odd o;
  if sheets is null then
    return;
  end if;
  perform pg_advisory_xact_lock(private.adding_timesheets());
  perform from public.timesheets t where t.id = any (sheets) order by t.user_id, t.period_start for no key update;
  select array_agg(w.user_id), array_agg(w.period) into owners, periods from private.pay_periods(people, firsts, lasts) w;

  update public.timesheets t set period_end = upper(w.period) - 1, status = 'open',
    note = case when t.status = 'open' then t.note else 'The pay group has changed.' end,
    approved_at = null, approved_by = null, submitted_at = null, submitted_by = null
  from unnest(owners, periods) w (user_id, period)
  where t.id = any (sheets) and t.status <> 'locked' and w.user_id = t.user_id and w.period @> t.period_start
    and t.period_end >= upper(w.period);

  perform set_config('app.computing_time', 'on', true);
  delete from public.timesheets t using unnest(owners, periods) w (user_id, period)
  where t.id = any (sheets) and t.status = 'open' and w.user_id = t.user_id and w.period @> t.period_start
    and t.period_start > lower(w.period)
    and not exists (
      select from public.timesheets b
      where b.user_id = t.user_id and b.status <> 'open' and b.period_end between lower(w.period) and t.period_start - 1
    )
    and not exists (select from public.timesheet_disputes d where d.timesheet_id = t.id);
  update public.timesheets t set period_end = least(upper(w.period), n.next) - 1
  from public.timesheets o
  join unnest(owners, periods) w (user_id, period) on w.user_id = o.user_id and w.period @> o.period_start
  cross join lateral (
    select min(x.period_start) as next from public.timesheets x
    where x.user_id = o.user_id and x.period_start > o.period_start and x.period_start < upper(w.period)
  ) n
  where o.id = any (sheets) and o.status = 'open' and t.id = o.id and t.period_end < least(upper(w.period), n.next) - 1;
  delete from public.time_segments s using public.timesheets t
  where t.id = any (sheets) and s.timesheet_id = t.id and s.day not between t.period_start and t.period_end;
  delete from public.timesheet_days d using public.timesheets t
  where t.id = any (sheets) and d.timesheet_id = t.id and d.day not between t.period_start and t.period_end;
  perform set_config('app.computing_time', '', true);

  perform private.add_timesheets(people, firsts, lasts);
  update public.timesheet_disputes d set timesheet_id = t.id from public.timesheets t
  where d.timesheet_id = any (sheets) and t.user_id = d.user_id and d.day between t.period_start and t.period_end
    and t.id <> d.timesheet_id;
  perform private.time_changed(people, firsts, lasts);
end
$$;

-- The sheets that these people have because they are employed: hired, linked to an account, moved, left, or come back.
create function private.keep_timesheets(p_users uuid[]) returns void
language plpgsql security definer
set search_path = ''
as $$
declare
  today constant date := private.company_date();
  users uuid[];
  firsts date[];
  lasts date[];
begin
  select array_agg(e.user_id), array_agg(greatest(lower(e.days), today - 100)), array_agg(least(upper(e.days) - 1, today))
  into users, firsts, lasts
  from private.employments e where e.user_id = any (p_users) and e.days && daterange(today - 100, today, '[]');
  if users is not null then
    select array_agg(m.user_id), array_agg(m.first), array_agg(m.last) into users, firsts, lasts
    from private.make_timesheets(users, firsts, lasts) m
    where private.has_hours(m.user_id, daterange(m.first, m.last, '[]'));
    if users is not null then
      perform private.time_changed(users, firsts, lasts);
    end if;
  end if;
  perform private.drop_timesheets(p_users);
end
$$;

create function private.follow_employment() returns trigger
language plpgsql security definer
set search_path = ''
as $$
begin
  if tg_table_name = 'profiles' then
    perform private.keep_timesheets(array[new.id]);
  else
    -- One of them is null unless this is an update.
    perform private.keep_timesheets(array_remove(array[old.user_id, new.user_id], null));
  end if;
  return null;
end
$$;

create function private.follow_pay_group() returns trigger
language plpgsql security definer
set search_path = ''
as $$
declare
  person uuid := (select s.user_id from public.staff s where s.id = coalesce(new.staff_id, old.staff_id));
begin
  if person is not null then
    perform private.fit_timesheets(array[person], least(old.effective_from, new.effective_from));
    perform private.keep_timesheets(array[person]);
  end if;
  return null;
end
$$;
revoke all on function private.pay_periods(uuid[], date[], date[]), private.has_hours(uuid, daterange),
  private.missing_timesheets(uuid[], date[], date[]), private.add_timesheets(uuid[], date[], date[]),
  private.adding_timesheets(), private.make_timesheets(uuid[], date[], date[]), private.drop_timesheets(uuid[]),
  private.compute_due_time(uuid[], date, date), private.begin_timesheets(), private.fit_timesheets(uuid[], date),
  private.keep_timesheets(uuid[]), private.follow_employment(), private.follow_pay_group() from public;

-- A new staff record gets its pay basis in the same statement, and that its timesheets.
create trigger z_timesheets_follow_new after insert on public.pay_bases
  for each row execute function private.follow_pay_group();
create trigger z_timesheets_follow after update on public.pay_bases
  for each row when (
    (old.payment_frequency, old.effective_from) is distinct from (new.payment_frequency, new.effective_from))
  execute function private.follow_pay_group();
create trigger z_timesheets_follow_removed after delete on public.pay_bases
  for each row execute function private.follow_pay_group();
create trigger z_timesheets_follow after update on public.staff
  for each row when (
    (old.user_id, old.hire_date, old.end_date, old.status)
      is distinct from (new.user_id, new.hire_date, new.end_date, new.status))
  execute function private.follow_employment();
create trigger z_timesheets_follow after update on public.profiles
  for each row when (old.left_on is distinct from new.left_on) execute function private.follow_employment();
create trigger z_timesheets_follow_new after insert on public.user_roles
  for each row when (new.role = 'guard') execute function private.follow_employment();
create trigger z_timesheets_follow_removed after delete on public.user_roles
  for each row when (old.role = 'guard') execute function private.follow_employment();
