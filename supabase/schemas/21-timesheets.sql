-- Timesheets: when one exists, approval, locks, disputes, facts that arrive late.

-- ── Tables ────────────────────────────────────────────────────────────

-- The timesheet of a person and a pay period, its days, and the segments into which the time was classified.
-- All three are derived by private.compute_time; people change the status alone, through functions.
create table public.timesheets (
  id uuid default gen_random_uuid() primary key,
  user_id uuid not null references public.profiles on delete cascade,
  period_start date not null,
  period_end date not null, -- Inclusive.
  status text not null default 'open' check (status in ('open', 'submitted', 'approved', 'locked')),
  regular_minutes integer not null default 0,
  overtime_1_minutes integer not null default 0,
  overtime_2_minutes integer not null default 0,
  night_minutes integer not null default 0,
  holiday_minutes integer not null default 0,
  leave_paid_minutes integer not null default 0,
  leave_unpaid_minutes integer not null default 0,
  unpaid_minutes integer not null default 0,
  credited_minutes integer not null default 0,
  planned_minutes integer not null default 0,
  missing_minutes integer not null default 0,
  open_issues integer not null default 0,
  issues text[] not null default '{}',
  site_ids uuid[] not null default '{}',
  note text check (char_length(note) <= 500), -- Why an approved timesheet is open again.
  submitted_at timestamptz,
  submitted_by uuid references public.profiles on delete set null,
  approved_at timestamptz,
  approved_by uuid references public.profiles on delete set null,
  locked_at timestamptz,
  pay_run_id uuid,
  computed_at timestamptz not null default now(),
  constraint timesheets_do_not_overlap exclude
    using gist (user_id with =, daterange(period_start, period_end, '[]') with &&),
  constraint timesheets_end_not_before_start check (period_end >= period_start)
);
comment on column public.timesheets.credited_minutes
  is 'Grace and rounding of the days; negative where rounding down takes more';
comment on column public.timesheets.missing_minutes is 'Planned, but covered by neither attendance nor approved leave';
comment on column public.timesheets.open_issues is 'How many issues of its days somebody must still solve';
comment on column public.timesheets.site_ids is 'Derived: the sites of its shifts, which decide which supervisors see '
  'it';
comment on column public.timesheets.computed_at is 'When a figure, day or segment changed last';
create index timesheets_user_id_idx on public.timesheets (user_id, period_start desc);
create index timesheets_period_idx on public.timesheets (period_start, period_end);
create index timesheets_site_ids_idx on public.timesheets using gin (site_ids);
create index timesheets_submitted_by_idx on public.timesheets (submitted_by) where submitted_by is not null;
create index timesheets_approved_by_idx on public.timesheets (approved_by) where approved_by is not null;
create index timesheets_pay_run_id_idx on public.timesheets (pay_run_id) where pay_run_id is not null;
create index timesheets_period_end_idx on public.timesheets (period_end, period_start, id);
create index timesheets_not_approved_idx on public.timesheets (id) where status not in ('approved', 'locked');
-- Periods, statuses and issues go together. Without this the planner expects so many groups that it sorts the
-- timesheets.
create statistics private.timesheets_groups (ndistinct)
  on period_start, period_end, status, open_issues, issues from public.timesheets;
alter table public.timesheets replica identity full;
alter publication supabase_realtime add table public.timesheets;
-- When a row is written, in this order:
--   1 y_locked_truncate      nothing of a locked timesheet can be emptied
--   2 y_locked               a locked timesheet changes only when its pay run is voided
--   3 z_forget_paid_minutes  its minutes now belong to another run
--   4 z_sums_follow_moves    stored sums of the margin and of unbilled hours are out of date
--   5 history_of_*           activity log, without what is computed
--   6 z_sums_follow_inserts  as z_sums_follow_moves
create trigger y_locked_truncate before truncate on public.timesheets
  for each statement execute function private.refuse_truncate_while_locked();
create trigger y_locked before update or delete on public.timesheets
  for each row when (old.status = 'locked') execute function private.keep_locked_timesheet();
create trigger z_forget_paid_minutes after update of pay_run_id on public.timesheets
  for each row when (old.status = 'locked' and new.status = 'locked' and old.pay_run_id is distinct from new.pay_run_id)
  execute function private.forget_paid_minutes();
create trigger z_sums_follow_moves after update of user_id, period_start, period_end on public.timesheets
  for each row when ((old.user_id, old.period_start, old.period_end) is distinct
      from (new.user_id, new.period_start, new.period_end))
  execute function private.mark_sums_of_moved_timesheet();
select private.keep_history_of_computed('public.timesheets');
create trigger z_sums_follow_inserts after insert on public.timesheets referencing new table as new_rows
  for each statement execute function private.mark_sums_of_new_timesheets();
alter table public.timesheets enable row level security;
revoke all on public.timesheets from service_role;
grant select on public.timesheets to authenticated, service_role;
create policy "Overseers, HR and finance read every timesheet" on public.timesheets
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'hr', 'finance')));
create policy "Supervisors read timesheets of work at their own sites alone" on public.timesheets
  for select to authenticated using (site_ids <> '{}' and site_ids <@ (select private.supervised_sites())::uuid[]);
create policy "Members read their own timesheets" on public.timesheets
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

-- What people decide about computed time: minutes outside the plan, days that a guard disputes, and what reaches a
-- period after it was locked.
create table public.time_decisions (
  id uuid default gen_random_uuid() primary key,
  attendance_id uuid not null references public.attendance on delete cascade,
  user_id uuid not null,
  site_id uuid not null,
  kind text not null check (kind in ('early_arrival', 'stayed_on', 'overtime', 'rest_override')),
  approved boolean not null,
  note text check (char_length(note) <= 1000),
  decided_by uuid references public.profiles on delete set null,
  decided_at timestamptz not null default now(),
  unique (attendance_id, kind)
);
comment on column public.time_decisions.user_id is 'Derived: whose attendance it is';
comment on column public.time_decisions.site_id is 'Derived: the site of the shift';
create index time_decisions_user_id_idx on public.time_decisions (user_id);
create index time_decisions_site_id_idx on public.time_decisions (site_id);
create index time_decisions_decided_by_idx on public.time_decisions (decided_by) where decided_by is not null;
alter table public.time_decisions replica identity full;
alter publication supabase_realtime add table public.time_decisions;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.time_decisions', 'note');
create trigger y_locked before insert or update or delete on public.time_decisions
  for each row execute function private.keep_locked_decision();
select private.keep_history_of('public.time_decisions');
create trigger time_follows_deletes after delete on public.time_decisions referencing old table as old_rows
  for each statement
  execute function private.follow_fact('attendance_id, user_id, kind, approved',
    '(select x.user_id from public.attendance x where x.id = r.attendance_id),
    (select (x.clock_in_at at time zone s.time_zone)::date from public.attendance x where x.id = r.attendance_id),
    (select (coalesce(x.clock_out_at, x.clock_in_at) at time zone s.time_zone)::date
      from public.attendance x where x.id = r.attendance_id)');
create trigger time_follows_inserts after insert on public.time_decisions referencing new table as new_rows
  for each statement
  execute function private.follow_fact('attendance_id, user_id, kind, approved',
    '(select x.user_id from public.attendance x where x.id = r.attendance_id),
    (select (x.clock_in_at at time zone s.time_zone)::date from public.attendance x where x.id = r.attendance_id),
    (select (coalesce(x.clock_out_at, x.clock_in_at) at time zone s.time_zone)::date
      from public.attendance x where x.id = r.attendance_id)');
create trigger time_follows_updates after update on public.time_decisions
  referencing old table as old_rows new table as new_rows
  for each statement
  execute function private.follow_fact('attendance_id, user_id, kind, approved',
    '(select x.user_id from public.attendance x where x.id = r.attendance_id),
    (select (x.clock_in_at at time zone s.time_zone)::date from public.attendance x where x.id = r.attendance_id),
    (select (coalesce(x.clock_out_at, x.clock_in_at) at time zone s.time_zone)::date
      from public.attendance x where x.id = r.attendance_id)');
alter table public.time_decisions enable row level security;
grant select on public.time_decisions to authenticated;
create policy "Overseers, HR and finance read decisions about time" on public.time_decisions
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'hr', 'finance')));
create policy "Supervisors read decisions about time at their own sites" on public.time_decisions
  for select to authenticated using (site_id = any ((select private.supervised_sites())::uuid[]));
create policy "Members read decisions about their own time" on public.time_decisions
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

create table public.timesheet_days (
  id uuid default gen_random_uuid() primary key,
  timesheet_id uuid not null references public.timesheets on delete cascade,
  user_id uuid not null,
  day date not null,
  planned_minutes integer not null,
  worked_minutes integer not null,
  paid_minutes integer not null,
  missing_minutes integer not null,
  credited_minutes integer not null,
  issues text[] not null,
  explanations jsonb not null, -- [{code, text}]: one sentence for each difference between planned, worked and paid.
  unique (timesheet_id, day)
);
comment on column public.timesheet_days.paid_minutes is 'Of every class but the unpaid ones, with credited minutes';
-- Triggers, in the order in which they fire:
select private.keep_history_of_computed('public.timesheet_days');
create trigger y_locked_deletes after delete on public.timesheet_days referencing old table as old_rows
  for each statement execute function private.keep_locked_rows();
create trigger y_locked_inserts after insert on public.timesheet_days referencing new table as new_rows
  for each statement execute function private.keep_locked_rows();
create trigger y_locked_updates after update on public.timesheet_days referencing old table as old_rows
  for each statement execute function private.keep_locked_rows();
alter table public.timesheet_days enable row level security;
revoke all on public.timesheet_days from service_role;
grant select on public.timesheet_days to authenticated, service_role;
-- Through the policies of timesheets.
create policy "Readers of a timesheet read its days" on public.timesheet_days
  for select to authenticated using (exists (select from public.timesheets t where t.id = timesheet_id));

create table public.timesheet_disputes (
  id uuid default gen_random_uuid() primary key,
  timesheet_id uuid not null references public.timesheets on delete cascade,
  user_id uuid not null default auth.uid(),
  day date not null,
  note text not null check (char_length(note) between 3 and 1000),
  status text not null default 'open' check (status in ('open', 'answered')),
  answer text check (char_length(answer) <= 1000),
  answered_by uuid references public.profiles on delete set null,
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  constraint timesheet_disputes_answer_with_status check ((status = 'answered') = (answer is not null))
);
create index timesheet_disputes_timesheet_id_idx on public.timesheet_disputes (timesheet_id);
create index timesheet_disputes_user_id_idx on public.timesheet_disputes (user_id, created_at desc);
create index timesheet_disputes_answered_by_idx on public.timesheet_disputes (answered_by)
  where answered_by is not null;
create unique index timesheet_disputes_one_open_per_day on public.timesheet_disputes (timesheet_id, day)
  where status = 'open';
alter table public.timesheet_disputes replica identity full;
alter publication supabase_realtime add table public.timesheet_disputes;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.timesheet_disputes', 'note', 'answer');
create trigger c_rules before insert on public.timesheet_disputes for each row execute function private.check_dispute();
create trigger y_locked before insert or update or delete on public.timesheet_disputes
  for each row execute function private.keep_locked_dispute();
select private.keep_history_of('public.timesheet_disputes');
create trigger time_follows_deletes after delete on public.timesheet_disputes referencing old table as old_rows
  for each statement execute function private.follow_fact('id, user_id, day, status', 'r.user_id, r.day, r.day');
create trigger time_follows_inserts after insert on public.timesheet_disputes referencing new table as new_rows
  for each statement execute function private.follow_fact('id, user_id, day, status', 'r.user_id, r.day, r.day');
create trigger time_follows_updates after update on public.timesheet_disputes
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.follow_fact('id, user_id, day, status', 'r.user_id, r.day, r.day');
alter table public.timesheet_disputes enable row level security;
grant select, insert (id, timesheet_id, day, note) on public.timesheet_disputes to authenticated;
create policy "Readers of a timesheet read its disputes" on public.timesheet_disputes
  for select to authenticated using (exists (select from public.timesheets t where t.id = timesheet_id));
create policy "Members dispute days of their own timesheet" on public.timesheet_disputes
  for insert to authenticated with check (user_id = (select auth.uid()) and (select private.is_member()));

-- The days on which somebody is employed, as far as the product knows of it: from the record and its account on, and
-- from the hire if that was shortly before. Guards without a staff record are people, too.
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

-- ── Functions ─────────────────────────────────────────────────────────

-- A dispute is about a day of the caller's own timesheet that is not locked. Definer, because it reads timesheets.
create function private.check_dispute() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  sheet public.timesheets;
begin
  select * into sheet from public.timesheets t where t.id = new.timesheet_id;
  if not found or sheet.user_id <> new.user_id then
    raise exception 'You can dispute days of your own timesheet only.' using errcode = 'insufficient_privilege';
  end if;
  if new.day not between sheet.period_start and sheet.period_end then
    raise exception 'The day is not in this timesheet.' using errcode = 'check_violation';
  end if;
  return new;
end
$$;

create function private.adding_timesheets() returns bigint
language sql immutable set search_path = '' return hashtextextended('private.add_timesheets', 0);

create function private.has_hours(p_user uuid, p_days daterange) returns boolean
language sql stable security definer set search_path = '' as $$
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
language sql stable security definer set search_path = '' as $$
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

-- Its callers have the lock of private.adding_timesheets().
create function private.add_timesheets(p_users uuid[], p_first date[], p_last date[])
returns table (user_id uuid, first date, last date)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  perform set_config('app.computing_time', 'on', true);
  return query
  insert into public.timesheets as t (user_id, period_start, period_end)
  select m.user_id, lower(m.days), upper(m.days) - 1 from private.missing_timesheets(p_users, p_first, p_last) m
  order by 1, 2 on conflict do nothing returning t.user_id, t.period_start, t.period_end;
  perform set_config('app.computing_time', '', true);
end
$$;

-- Adds them now, or leaves it to the job while another transaction is adding some: two that add the same sheet would
-- wait for each other's commit. @returns those that are new
create function private.make_timesheets(p_users uuid[], p_first date[], p_last date[])
returns table (user_id uuid, first date, last date)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  if pg_try_advisory_xact_lock(private.adding_timesheets()) then
    return query select a.* from private.add_timesheets(p_users, p_first, p_last) a;
  else
    insert into private.time_to_compute (user_id, day)
    select distinct m.user_id, d
    from private.missing_timesheets(p_users, p_first, p_last) m, unnest(array[lower(m.days), upper(m.days) - 1]) d
    order by 1, 2 on conflict (user_id, day) do nothing;
  end if;
end
$$;

-- Empty sheets outside the employment, and ahead of it once the last shift there is gone.
create function private.drop_timesheets(p_users uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
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

-- The sheets that these people have because they are employed: hired, linked to an account, moved, left, or come back.
create function private.keep_timesheets(p_users uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
declare
  today constant date := private.company_date();
  users uuid[];
  firsts date[];
  lasts date[];
begin
  select array_agg(e.user_id), array_agg(greatest(lower(e.days), today - 100)),
    array_agg(least(upper(e.days) - 1, today))
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
language plpgsql security definer set search_path = '' as $$
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

-- From the day on which a pay group begins, what is not locked follows it: a sheet ends where its period ends, open
-- ones that only continue another are joined to it, and the days that are left get sheets of their own.
create function private.fit_timesheets_to_pay_group(p_users uuid[], p_from date) returns void
language plpgsql security definer set search_path = '' as $$
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
  select array_agg(w.user_id), array_agg(w.period) into owners, periods
    from private.pay_periods(people, firsts, lasts) w;

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

create function private.follow_pay_group() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid := (select s.user_id from public.staff s where s.id = coalesce(new.staff_id, old.staff_id));
begin
  if person is not null then
    perform private.fit_timesheets_to_pay_group(array[person], least(old.effective_from, new.effective_from));
    perform private.keep_timesheets(array[person]);
  end if;
  return null;
end
$$;

-- Refuses if this person has a locked timesheet on a day that `changed` touches.
create function private.refuse_locked(p_user uuid, p_changed tstzrange) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  locked public.timesheets;
begin
  if p_user is null or p_changed is null or isempty(p_changed) then
    return;
  end if;
  select t.* into locked from public.timesheets t
  where t.user_id = p_user and t.status = 'locked'
    and daterange(t.period_start, t.period_end, '[]') && private.days_of(p_changed)
  order by t.period_start limit 1;
  if found then
    raise exception '%', private.locked_text(locked.period_start, locked.period_end) using errcode = 'PT409';
  end if;
end
$$;

-- Where two spans differ: between both starts, and between both ends.
create function private.refuse_locked_difference(p_user uuid, p_was tstzrange, p_is tstzrange) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  part tstzrange;
begin
  for part in select unnest((tstzmultirange(p_was) - tstzmultirange(p_is))
      + (tstzmultirange(p_is) - tstzmultirange(p_was))) loop
    perform private.refuse_locked(p_user, part);
  end loop;
end
$$;

create function private.keep_locked_assignment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.refuse_locked(new.user_id, new.period);
    return new;
  elsif tg_op = 'DELETE' then
    perform private.refuse_locked(old.user_id, old.period);
    return old;
  end if;
  if exists (select from private.late_records r where r.is_being_written and r.assignment_id = new.id)
    and (new.user_id, new.shift_id, new.site_id, new.on_leave, new.period)
      is not distinct from (old.user_id, old.shift_id, old.site_id, old.on_leave, old.period)
  then
    return new;
  end if;
  if (new.user_id, new.shift_id, new.site_id, new.on_leave, new.status = 'no_show', new.status = 'cancelled')
    is distinct from
    (old.user_id, old.shift_id, old.site_id, old.on_leave, old.status = 'no_show', old.status = 'cancelled')
  then
    perform private.refuse_locked(old.user_id, old.period);
    perform private.refuse_locked(new.user_id, new.period);
  else
    perform private.refuse_locked_difference(old.user_id, old.period, new.period);
  end if;
  return new;
end
$$;

-- The locks hold for everybody but an approved late event while it is written or taken back.
create function private.keep_locked_attendance() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from private.late_records r
    where r.is_being_written and r.attendance_id = case when tg_op = 'DELETE' then old.id else new.id end
  ) then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  if tg_op = 'INSERT' then
    perform private.refuse_locked(new.user_id, private.span_of(new));
    return new;
  elsif tg_op = 'DELETE' then
    perform private.refuse_locked(old.user_id, private.span_of(old));
    return old;
  end if;
  if (new.user_id, new.assignment_id) is distinct from (old.user_id, old.assignment_id) then
    perform private.refuse_locked(old.user_id, private.span_of(old));
    perform private.refuse_locked(new.user_id, private.span_of(new));
  else
    perform private.refuse_locked_difference(old.user_id, private.span_of(old), private.span_of(new));
    -- Other columns say something about the whole record. Deleted accounts leave it.
    if private.span_of(new) = private.span_of(old) and to_jsonb(new) - '{updated_at,resolved_by,corrected_by}'::text[]
      <> to_jsonb(old) - '{updated_at,resolved_by,corrected_by}'::text[]
    then
      perform private.refuse_locked(old.user_id, private.span_of(old));
    end if;
  end if;
  return new;
end
$$;

-- Decisions and disputes belong to a day of work.
-- A decision changes only the time that it is about: of a night across the end of a locked period, what lies after it
-- can still be decided. Coming early is paid once that is approved, and overtime until it is refused, so that saying no
-- to the first or yes to the second changes nothing.
create function private.keep_locked_decision() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  decision public.time_decisions := case when tg_op = 'INSERT' then new else old end;
  was boolean := case when tg_op <> 'INSERT' then old.approved end;
  will boolean := case when tg_op <> 'DELETE' then new.approved end;
  due tstzrange;
  came timestamptz;
  went timestamptz;
begin
  select a.period, r.clock_in_at, r.clock_out_at into due, came, went
  from public.attendance r join public.assignments a on a.id = r.assignment_id
  where r.id = decision.attendance_id;
  if decision.kind = 'rest_override' then
    perform private.refuse_locked(decision.user_id, tstzrange(lower(due), lower(due), '[]'));
  end if;
  if decision.kind in ('stayed_on', 'overtime') then
    perform private.refuse_locked(decision.user_id, tstzrange(upper(due), greatest(went, upper(due))));
  end if;
  if decision.kind = 'early_arrival' and (was is true) <> (will is true)
    or decision.kind = 'overtime' and (was is false) <> (will is false)
  then
    perform private.refuse_locked(decision.user_id, tstzrange(least(came, lower(due)), lower(due)));
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create function private.keep_locked_dispute() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  day date := case when tg_op = 'INSERT' then new.day else old.day end;
begin
  perform private.refuse_locked(case when tg_op = 'INSERT' then new.user_id
    else old.user_id end, private.company_day(day));
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create function private.keep_locked_holidays() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  locked public.timesheets;
begin
  select t.* into locked from public.timesheets t where t.status = 'locked'
    and (tg_op <> 'INSERT' and old.day between t.period_start and t.period_end
      or tg_op <> 'DELETE' and new.day between t.period_start and t.period_end)
  limit 1;
  if found then
    raise exception '%', private.locked_text(locked.period_start, locked.period_end) using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create function private.keep_locked_leave() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  was daterange := case when tg_op <> 'INSERT' then case when old.status = 'approved'
    then daterange(old.start_date, old.end_date, '[]') end end;
  became daterange := case when tg_op <> 'DELETE' then case when new.status = 'approved'
    then daterange(new.start_date, new.end_date, '[]') end end;
  part daterange;
begin
  if tg_op = 'UPDATE' then
    if (new.user_id, new.type) is distinct from (old.user_id, old.type) then
      perform private.refuse_locked(new.user_id,
        tstzrange(private.company_midnight(lower(became)), private.company_midnight(upper(became))));
      became := null;
    end if;
  end if;
  for part in
    select unnest((datemultirange(w.r) - datemultirange(b.r)) + (datemultirange(b.r) - datemultirange(w.r)))
    from (select coalesce(was, 'empty') as r) w, (select coalesce(became, 'empty') as r) b
  loop
    perform private.refuse_locked(case when tg_op = 'INSERT' then new.user_id else old.user_id end,
      tstzrange(private.company_midnight(lower(part)), private.company_midnight(upper(part))));
  end loop;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

-- Once per statement: a month of a company is tens of thousands of rows.
create function private.keep_locked_rows() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  locked public.timesheets;
begin
  -- Nearly always there is none, and nothing else is read.
  if tg_table_name = 'time_segments' and tg_op <> 'UPDATE' and exists (select from private.late_records r
      where r.is_being_written)
  then
    if tg_op = 'INSERT' then
      perform from new_rows n where not exists (
        select from private.late_hours h join private.late_records r on r.attendance_id = h.attendance_id
          and r.is_being_written
        where h.timesheet_id = n.timesheet_id and h.attendance_id = n.attendance_id);
    else
      perform from old_rows o where not exists (
        select from private.late_hours h join private.late_records r on r.attendance_id = h.attendance_id
          and r.is_being_written
        where h.timesheet_id = o.timesheet_id and h.attendance_id = o.attendance_id);
    end if;
    if not found then
      return null;
    end if;
  end if;
  if tg_op = 'INSERT' then
    select t.* into locked from public.timesheets t
    where t.status = 'locked' and t.id in (select n.timesheet_id from new_rows n) limit 1;
  else
    select t.* into locked from public.timesheets t
    where t.status = 'locked' and t.id in (select o.timesheet_id from old_rows o) limit 1;
  end if;
  if found then
    raise exception '%', private.locked_text(locked.period_start, locked.period_end) using errcode = 'PT409';
  end if;
  return null;
end
$$;

-- Rules and holidays of locked days stay as they are too.
create function private.keep_locked_rules() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  locked public.timesheets;
  since date := case when tg_op = 'INSERT' then new.effective_from else old.effective_from end;
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - '{name,sources,updated_at,created_by}'::text[]
    = to_jsonb(old) - '{name,sources,updated_at,created_by}'::text[]
  then
    return new;
  end if;
  if tg_op = 'UPDATE' then
    since := least(since, new.effective_from);
  end if;
  select t.* into locked from public.timesheets t where t.status = 'locked' and (
    t.period_end >= since
    or tg_op <> 'INSERT' and exists (select from public.time_segments s
      where s.time_rule_id = old.id and s.timesheet_id = t.id)
  ) order by t.period_end desc limit 1;
  if found then
    raise exception '% Add rules that begin after it.', private.locked_text(locked.period_start, locked.period_end)
      using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

-- A locked timesheet changes in one way: when its pay run was voided, it is approved again or locked by another run.
create function private.keep_locked_timesheet() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_void boolean;
begin
  if tg_op = 'UPDATE' and (new.status = 'approved' or new.pay_run_id <> old.pay_run_id) then
    is_void := exists (select from public.pay_runs r where r.id = old.pay_run_id and r.status = 'void');
    if is_void and to_jsonb(new) - '{status,locked_at,pay_run_id}'::text[] = to_jsonb(old)
        - '{status,locked_at,pay_run_id}'::text[] then
      return new;
    end if;
  end if;
  -- Accounts that are deleted leave what they signed.
  if tg_op = 'UPDATE' and to_jsonb(new) - '{submitted_by,approved_by}'::text[] = to_jsonb(old)
      - '{submitted_by,approved_by}'::text[] then
    return new;
  end if;
  raise exception '%', private.locked_text(old.period_start, old.period_end) using errcode = 'PT409';
end
$$;

-- Rules and holidays change the hours of everybody, so the servers compute them soon.
create function private.recompute_open_timesheets() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.time_to_compute (user_id, day)
  select t.user_id, d from public.timesheets t, unnest(array[t.period_start, t.period_end]) d
  where t.status <> 'locked' order by 1, 2 on conflict (user_id, day) do nothing;
  return null;
end
$$;

-- TRUNCATE does not run the triggers of rows.
create function private.refuse_truncate_while_locked() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.timesheets t where t.status = 'locked') then
    raise exception 'Periods are locked, so this table can''t be emptied.' using errcode = 'PT409';
  end if;
  return null;
end
$$;

-- Answers what a guard disputes; the guard gets a notice. Answering again changes the answer.
create function public.answer_dispute(p_id uuid, p_answer text) returns public.timesheet_disputes
language plpgsql security definer set search_path = '' as $$
declare
  dispute public.timesheet_disputes;
  said text := nullif(btrim(p_answer), '');
begin
  select * into dispute from public.timesheet_disputes d where d.id = p_id;
  if not found or not private.may_approve_time(
    (select t.site_ids from public.timesheets t where t.id = dispute.timesheet_id))
  then
    raise exception 'There is no such dispute, or it is not yours to answer.' using errcode = 'PT404';
  end if;
  if dispute.user_id = auth.uid() then
    raise exception 'You can''t answer your own dispute.' using errcode = 'insufficient_privilege';
  end if;
  if said is null or char_length(said) > 1000 then
    raise exception 'Give an answer of at most 1000 characters.' using errcode = 'check_violation';
  end if;
  update public.timesheet_disputes d
  set status = 'answered', answer = said, answered_by = auth.uid(), answered_at = now()
  where d.id = dispute.id returning * into dispute;
  perform private.notify(dispute.user_id, 'timesheet', format('Your hours of %s', to_char(dispute.day, 'FMMonth FMDD')),
    said, '/staff/timesheet', 'dispute:' || dispute.id || ':' || md5(said));
  return dispute;
end
$$;
grant execute on function public.answer_dispute to authenticated, service_role;

-- Why the caller can't approve this timesheet; null if they can.
create function private.refusal_of_approval(p_sheet public.timesheets) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return case
    when p_sheet.user_id = auth.uid() then 'Nobody approves their own timesheet.'
    when not private.may_approve_time(p_sheet.site_ids) then 'You don''t approve the hours of these sites.'
    when p_sheet.status = 'locked' then 'It is locked.'
    when p_sheet.open_issues = 1 then '1 issue is open.'
    when p_sheet.open_issues > 1 then p_sheet.open_issues || ' issues are open.'
    when private.has_shifts_to_come(p_sheet.user_id, p_sheet.period_start, p_sheet.period_end)
      then 'Shifts of this period are still to come.'
  end;
end
$$;

-- Approves these timesheets, each for itself: one that can't be approved does not hold up the others. Approving again
-- changes nothing. @returns how many are approved now that were not, and [{id, name, reason}] of the refused ones
create function public.approve_timesheets(ids uuid[]) returns table (approved integer, refused jsonb)
language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  wanted uuid[] := array(select distinct i from unnest(approve_timesheets.ids) i where i is not null);
begin
  if approve_timesheets.ids is null or cardinality(wanted) > 5000 then
    raise exception 'Give at most 5000 timesheets.' using errcode = 'invalid_parameter_value';
  end if;
  if auth.role() = 'authenticated' then
    perform private.require_member();
  end if;
  perform from public.timesheets t where t.id = any (wanted) order by t.user_id, t.period_start for no key update;
  perform private.compute_waiting_time(array(select distinct t.user_id from public.timesheets t
    where t.id = any (wanted)));
  with judged as materialized (
    select t.id, t.user_id, t.status, private.refusal_of_approval(t) as reason
    from public.timesheets t where t.id = any (wanted)
  ), done as (
    update public.timesheets t
    set status = 'approved', approved_at = now(), approved_by = auth.uid(), note = null
    from judged j where j.id = t.id and j.reason is null and j.status in ('open', 'submitted')
    returning t.id
  )
  select (select count(*)::integer from done), coalesce(jsonb_agg(jsonb_build_object('id', w,
      'name', case when j.reason not like 'You don''t%' then private.name_or_somebody(j.user_id) end,
      'reason', coalesce(j.reason, 'This timesheet no longer exists.')) order by w)
    filter (where j.id is null or j.reason is not null), '[]')
  into approved, refused from unnest(wanted) w left join judged j on j.id = w;
  return next;
end
$$;
grant execute on function public.approve_timesheets to authenticated, service_role;

-- One row for each day of [p_first, p_last] on which a person was planned, worked, or was on leave.
create function private.computed_days(
  p_users uuid[], p_first date, p_last date, p_segments private.time_piece[], p_extra jsonb default null
)
returns table (
  user_id uuid, day date, planned integer, worked integer, paid integer, missing integer, credited integer,
  issues text[], explanations jsonb
)
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
begin
  return query
  with duties as materialized (
    select d.*, (d.due_from at time zone zone)::date as day
    from private.planned_duties(p_users, p_first, p_last, p_extra) d
  ), compared as materialized (
    select * from private.compared_spans(p_users, p_first, p_last, p_segments, p_extra)
  ), absent as (
    -- By the day on which it is missing.
    select d.user_id, g::date as day, (extract(epoch from
      least(upper(u), (g + interval '1 day') at time zone zone) - greatest(lower(u),
        g at time zone zone)) / 60)::integer as minutes
    from duties d
    cross join lateral unnest(d.uncovered) u
    cross join lateral generate_series((lower(u) at time zone zone)::date::timestamp,
      ((upper(u) - interval '1 microsecond') at time zone zone)::date::timestamp, '1 day') g
  ), figures as (
    select d.user_id, g::date as day, (extract(epoch from
        least(d.due_to, (g + interval '1 day') at time zone zone) - greatest(d.due_from,
          g at time zone zone)) / 60)::integer as planned,
      0 as worked, 0 as worked_paid, 0 as leave_paid, 0 as missing, 0 as grace
    from duties d
    cross join lateral generate_series((d.due_from at time zone zone)::date::timestamp,
      ((d.due_to - interval '1 microsecond') at time zone zone)::date::timestamp, '1 day') g
    union all
    select s.user_id, s.day, 0, case when s.leave_request_id is null then m.minutes else 0 end,
      case when s.leave_request_id is null and s.class <> 'unpaid' then m.minutes else 0 end,
      case when s.class = 'leave_paid' then m.minutes else 0 end, 0, 0
    from unnest(p_segments) s
    cross join lateral (select (extract(epoch from s.ends_at - s.starts_at) / 60)::integer as minutes) m
    union all
    select a.user_id, a.day, 0, 0, 0, 0, a.minutes, 0 from absent a
    union all
    select c.user_id, c.day, 0, 0, 0, 0, 0, c.grace from compared c where c.grace > 0
  ), sums as (
    select f.user_id, f.day, sum(f.planned)::integer as planned, sum(f.worked)::integer as worked,
      sum(f.worked_paid)::integer as worked_paid, sum(f.leave_paid)::integer as leave_paid,
      sum(f.missing)::integer as missing, sum(f.grace)::integer as grace
    from figures f where f.day between p_first and p_last
    group by f.user_id, f.day
  ), rounded as (
    select s.*, r.rule as by, case (r.rule).round_mode
        when 'up' then ceil((s.worked_paid + s.grace)::numeric / (r.rule).round_to_minutes)
        when 'down' then floor((s.worked_paid + s.grace)::numeric / (r.rule).round_to_minutes)
        else round((s.worked_paid + s.grace)::numeric / (r.rule).round_to_minutes) end::integer
      * (r.rule).round_to_minutes - s.worked_paid as credited
    from sums s join private.time_rule_days() r on s.day >= r.first and s.day < r.until
  ), notes as (
    select c.user_id, c.day, c.place, c.code, c.sentence, c.issue from compared c
    union all
    select s.user_id, s.day, s.place, s.code, s.sentence, null from private.segment_sentences(p_segments) s
    union all
    select r.user_id, r.day, 70, 'rounded', format('Paid work is rounded to %s: %s%s min.',
      private.minutes_text((r.by).round_to_minutes), case when r.credited >= r.grace then '+' else '−' end,
      abs(r.credited - r.grace)), null
    from rounded r where r.credited <> r.grace
    union all
    select a.user_id, a.day, 40, 'missing', format('%s were planned, but not worked and not on leave.',
      private.minutes_text(sum(a.minutes))), null
    from absent a group by a.user_id, a.day
    union all
    select d.user_id, d.day, x.place, x.code, x.sentence, x.issue
    from duties d
    cross join lateral (
      select 0 as place, 'no_show' as code, 'Did not come' || coalesce(': ' || rtrim(d.no_show_reason, '.') || '.',
        '.') as sentence, null as issue
      where d.status = 'no_show'
      union all
      select 0, 'missing_clock_in', format('Nobody clocked in for the shift from %s to %s.',
        private.clock_text(d.due_from, zone), private.clock_text(d.due_to, zone)), 'missing_clock_in'
      where d.has_ended and not d.has_come and not d.is_on_leave and d.status <> 'no_show'
      union all
      select 0, 'missing_clock_out', format('Clocked in for the shift until %s, and not out.',
        private.clock_text(d.due_to, zone)), 'missing_clock_out'
      where d.has_ended and d.is_open
      union all
      select 5, 'on_leave', 'The shift touches approved leave, so nobody expected this guard.', null
      where d.is_on_leave
      union all
      select 80, f, null, f from unnest(d.flags) f
      union all
      select 80, 'review', null, 'review' where d.needs_review and coalesce(cardinality(d.flags), 0) = 0
      union all
      select 80, 'rest_override', null, 'rest_override'
      where d.rest_overridden and d.has_come and not exists (
        select from public.time_decisions t where t.attendance_id = d.attended_id and t.kind = 'rest_override'
      )
    ) x
    union all
    select p.user_id, p.day, 90, 'dispute', null, 'dispute'
    from public.timesheet_disputes p
    where p.user_id = any (p_users) and p.day between p_first and p_last and p.status = 'open'
  ), told as (
    select n.user_id, n.day, coalesce(array_agg(n.issue order by n.place, n.issue)
      filter (where n.issue is not null), '{}') as issues,
      coalesce(jsonb_agg(jsonb_build_object('code', n.code, 'text', n.sentence) order by n.place, n.code, n.sentence)
        filter (where n.sentence is not null), '[]') as explanations
    from notes n where n.day between p_first and p_last
    group by n.user_id, n.day
  )
  select coalesce(r.user_id, t.user_id), coalesce(r.day, t.day), coalesce(r.planned, 0), coalesce(r.worked, 0),
    coalesce(r.worked_paid + r.leave_paid + r.credited, 0), coalesce(r.missing, 0), coalesce(r.credited, 0),
    coalesce(t.issues, '{}'), coalesce(t.explanations, '[]')
  from rounded r full join told t on t.user_id = r.user_id and t.day = r.day;
end
$$;

-- Writes the days of [p_first, p_last] that differ. @returns their timesheets
create function private.write_time_days(
  p_sheets uuid[], p_people uuid[], p_first date, p_last date, p_segments private.time_piece[]
) returns uuid[]
language plpgsql security definer set search_path = '' as $$
declare
  touched uuid[];
begin
  with fresh as materialized (
    select t.id as timesheet_id, d.*
    from private.computed_days(p_people, p_first, p_last, p_segments) d
    join public.timesheets t
      on t.user_id = d.user_id and t.id = any (p_sheets) and d.day between t.period_start and t.period_end
  ), gone as (
    delete from public.timesheet_days x
    where x.timesheet_id = any (p_sheets) and x.day between p_first and p_last
      -- Hashed however few days the planner expects; "not exists" could compare each with each.
      and (x.timesheet_id, x.day) not in (select f.timesheet_id, f.day from fresh f)
    returning x.timesheet_id
  ), written as (
    insert into public.timesheet_days as x (timesheet_id, user_id, day, planned_minutes, worked_minutes, paid_minutes,
      missing_minutes, credited_minutes, issues, explanations)
    select f.timesheet_id, f.user_id, f.day, f.planned, f.worked, f.paid, f.missing, f.credited, f.issues,
      f.explanations
    from fresh f
    where not exists (
      select from public.timesheet_days s
      where s.timesheet_id = f.timesheet_id and s.day = f.day
        and (s.planned_minutes, s.worked_minutes, s.paid_minutes, s.missing_minutes, s.credited_minutes, s.issues,
          s.explanations) = (f.planned, f.worked, f.paid, f.missing, f.credited, f.issues, f.explanations)
    )
    on conflict (timesheet_id, day) do update set planned_minutes = excluded.planned_minutes,
      worked_minutes = excluded.worked_minutes, paid_minutes = excluded.paid_minutes,
      missing_minutes = excluded.missing_minutes, credited_minutes = excluded.credited_minutes,
      issues = excluded.issues, explanations = excluded.explanations
    returning x.timesheet_id
  )
  select array(select g.timesheet_id from gone g union select w.timesheet_id from written w) into touched;
  return touched;
end
$$;

-- Computes the weeks that touch [p_from, p_to] in these people's timesheets that are not locked. An approved timesheet
-- whose minutes change is open again. Without p_wait, timesheets that somebody else is writing are left out.
-- @returns the people whose timesheets were left out
create function private.compute_time(p_users uuid[], p_from date, p_to date, p_wait boolean default true)
returns uuid[]
-- Thousands of
language plpgsql security definer set search_path = '' set jit = off set work_mem = '32MB' as $$
declare
  first date := date_trunc('week', p_from::timestamp)::date;
  last date := date_trunc('week', p_to::timestamp)::date + 6;
  sheets uuid[];
  people uuid[];
  left_out uuid[];
  segments private.time_piece[];
  changed uuid[];
  touched uuid[];
begin
  -- In one order, so that two computations never wait for each other.
  if p_wait then
    select array_agg(t.id), array_agg(distinct t.user_id) into sheets, people from (
      select t.id, t.user_id from public.timesheets t
      where t.user_id = any (p_users) and t.status <> 'locked' and t.period_start <= last and t.period_end >= first
      order by t.user_id, t.period_start for no key update
    ) t;
  else
    select array_agg(t.id), array_agg(distinct t.user_id) into sheets, people from (
      select t.id, t.user_id from public.timesheets t
      where t.user_id = any (p_users) and t.status <> 'locked' and t.period_start <= last and t.period_end >= first
      for no key update skip locked
    ) t;
    left_out := array(
      select distinct t.user_id from public.timesheets t
      where t.user_id = any (p_users) and t.status <> 'locked' and t.period_start <= last and t.period_end >= first
        and (sheets is null or t.id <> all (sheets))
    );
  end if;
  if sheets is null then
    return coalesce(left_out, '{}');
  end if;
  segments := array(select s from private.computed_segments(people, first, last) s);
  perform set_config('app.computing_time', 'on', true);

  changed := private.write_time_segments(sheets, first, last, segments);
  touched := private.write_time_days(sheets, people, first, last, segments);
  perform private.sum_timesheets(sheets, changed, touched);
  perform set_config('app.computing_time', '', true);
  return coalesce(left_out, '{}');
end
$$;

-- Computes the hours of everybody for the pay periods that these days touch, and makes the timesheets that are missing.
-- Locked ones stay as they are. @returns how many timesheets the days touch
create function public.compute_timesheets("from" date, "to" date) returns integer
language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
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
  if compute_timesheets."to" < compute_timesheets."from" or compute_timesheets."to" - compute_timesheets."from" > 100
  then
    raise exception 'Give a start before the end, at most 100 days apart.' using errcode = 'invalid_parameter_value';
  end if;
  -- A month is the longest period.
  first := date_trunc('month', compute_timesheets."from"::timestamp)::date - 14;
  last := (date_trunc('month', compute_timesheets."to"::timestamp) + interval '1 month')::date + 13;
  people := array(
    select a.user_id from public.assignments a
    where a.starts_at >= private.company_midnight(first) - interval '1 day'
      and a.starts_at < private.company_midnight(last + 1)
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
grant execute on function public.compute_timesheets to authenticated, service_role;

-- What ending an employment would take away, for the question before it.
create function public.employment_ties(p_user_id uuid)
returns table (shifts integer, next_shift timestamptz, on_post boolean, roles integer, sessions integer, leave integer)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_people_manager(p_user_id);
  return query select
    (select count(*)::integer from public.assignments a
      where a.user_id = p_user_id and a.status in ('assigned', 'confirmed')
        and a.attendance_state = 'none' and upper(a.period) > now()),
    (select min(a.starts_at) from public.assignments a
      where a.user_id = p_user_id and a.status in ('assigned', 'confirmed')
        and a.attendance_state = 'none' and upper(a.period) > now()),
    exists (select from public.assignments a where a.user_id = p_user_id and a.attendance_state = 'in'
      and upper(a.period) > now() - interval '1 day'),
    (select count(*)::integer from public.user_roles r where r.user_id = p_user_id),
    (select count(*)::integer from auth.sessions s
      where s.user_id = p_user_id and (s.not_after is null or s.not_after > now())),
    (select count(*)::integer from public.leave_requests l where l.user_id = p_user_id and l.status = 'pending');
end
$$;
comment on function public.employment_ties is 'Nullable: next_shift';
grant execute on function public.employment_ties to authenticated;

-- A timesheet that the caller may change, locked until the transaction ends.
create function private.timesheet_to_change(p_id uuid) returns public.timesheets
language plpgsql security definer set search_path = '' as $$
declare
  sheet public.timesheets;
begin
  select * into sheet from public.timesheets t where t.id = p_id for no key update;
  if not found or sheet.user_id <> coalesce(auth.uid(), '00000000-0000-0000-0000-000000000000')
    and not private.may_approve_time(sheet.site_ids)
  then
    raise exception 'There is no such timesheet, or it is not yours to decide.' using errcode = 'PT404';
  end if;
  if sheet.status = 'locked' then
    raise exception '%', private.locked_text(sheet.period_start, sheet.period_end) using errcode = 'PT409';
  end if;
  return sheet;
end
$$;

-- Opens a submitted or approved timesheet again, with the reason.
create function public.reopen_timesheet(id uuid, reason text) returns public.timesheets
language plpgsql security definer set search_path = '' as $$
declare
  sheet public.timesheets := private.timesheet_to_change(reopen_timesheet.id);
  why text := left(nullif(btrim(reopen_timesheet.reason), ''), 501);
begin
  if why is null or char_length(why) > 500 then
    raise exception 'Give a reason of at most 500 characters.' using errcode = 'check_violation';
  end if;
  if sheet.user_id = auth.uid() and (sheet.status = 'approved' or not private.may_approve_time(sheet.site_ids)) then
    raise exception 'You can reopen timesheets of others only.' using errcode = 'insufficient_privilege';
  end if;
  if sheet.status <> 'open' then
    update public.timesheets t set status = 'open', note = why, approved_at = null, approved_by = null,
      submitted_at = null, submitted_by = null
    where t.id = sheet.id returning * into sheet;
  end if;
  return sheet;
end
$$;
grant execute on function public.reopen_timesheet to authenticated, service_role;

-- The caller's own timesheet is complete as far as they know.
create function public.submit_timesheet(id uuid) returns public.timesheets
language plpgsql security definer set search_path = '' as $$
declare
  sheet public.timesheets := private.timesheet_to_change(submit_timesheet.id);
begin
  if sheet.user_id is distinct from auth.uid() then
    raise exception 'You submit your own timesheet only.' using errcode = 'insufficient_privilege';
  end if;
  if private.has_shifts_to_come(sheet.user_id, sheet.period_start, sheet.period_end) then
    raise exception 'Shifts of this period are still to come.' using errcode = 'PT409';
  end if;
  if sheet.status = 'open' then
    update public.timesheets t set status = 'submitted', submitted_at = now(), submitted_by = auth.uid(), note = null
    where t.id = sheet.id returning * into sheet;
  end if;
  return sheet;
end
$$;
grant execute on function public.submit_timesheet to authenticated, service_role;

-- The timesheets that touch [p_from, p_to], by name, status, an issue, a site, and whether issues are open (`issues`,
-- `clean`; null: both).
create function private.find_timesheets(
  p_from date, p_to date, p_search text, p_status text, p_issue text, p_site uuid, p_show text
) returns table (sheet public.timesheets, full_name text)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
begin
  perform private.require_day(p_from, 'start');
  perform private.require_day(p_to, 'end');
  return query
  select t, coalesce(nullif(p.full_name, ''), p.email, '')
  from public.timesheets t
  left join public.profiles p on p.id = t.user_id
  where t.period_start <= p_to and t.period_end >= p_from
    and (p_status is null or t.status = p_status)
    and (p_issue is null or p_issue = any (t.issues))
    and (p_site is null or p_site = any (t.site_ids))
    and (p_show is null or (p_show = 'issues') = (t.open_issues > 0))
    and private.folded(coalesce(nullif(p.full_name, ''), p.email, '')) like all (private.search_patterns(p_search));
end
$$;
grant execute on function private.find_timesheets to authenticated;

-- As before; the timesheets are read once, in groups.
create function public.timesheet_counts(p_from date, p_to date, p_search text default null, p_site uuid default null)
returns table (
  with_issues integer, without_issues integer, open integer, submitted integer, approved integer, locked integer,
  issue_counts jsonb, ready uuid[]
)
language plpgsql stable set search_path = '' set work_mem = '32MB' set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  -- As private.find_timesheets has them.
  named constant uuid[] := case when coalesce(p_search, '') <> '' then array(
    select (f.sheet).id from private.find_timesheets(p_from, p_to, p_search, null, null, p_site, null) f
  ) end;
  me constant uuid := auth.uid();
  may_approve constant boolean := private.may_approve_time(private.supervised_sites());
begin
  perform private.require_day(p_from, 'start');
  perform private.require_day(p_to, 'end');
  return query
  with groups as materialized (
    select t.period_start, t.period_end, t.status, t.open_issues, t.issues, count(*) as sheets,
      array_agg(t.id) filter (where t.open_issues = 0 and t.status in ('open', 'submitted')) as ids,
      array_agg(t.user_id) filter (where t.open_issues = 0 and t.status in ('open', 'submitted')) as users
    from public.timesheets t
    where t.period_start <= p_to and t.period_end >= p_from and (p_site is null or p_site = any (t.site_ids))
      and (named is null or t.id = any (named))
    group by t.period_start, t.period_end, t.status, t.open_issues, t.issues
  ), decided as materialized (
    select g.ids, g.users,
      tstzrange(private.company_midnight(g.period_start), private.company_midnight(g.period_end + 1)) as period
    from groups g where may_approve and g.ids is not null
  ), ready as (
    select array_agg(u.id) as ids, array_agg(u.user_id) as users, array_agg(d.period) as periods
    from decided d cross join lateral unnest(d.ids, d.users) u (id, user_id)
    where u.user_id is distinct from me
  ), issues as (
    select i.issue, sum(g.sheets) as sheets from groups g cross join lateral unnest(g.issues) i (issue) group by i.issue
  )
  select coalesce(sum(g.sheets) filter (where g.open_issues > 0), 0)::integer,
    coalesce(sum(g.sheets) filter (where g.open_issues = 0), 0)::integer,
    coalesce(sum(g.sheets) filter (where g.status = 'open'), 0)::integer,
    coalesce(sum(g.sheets) filter (where g.status = 'submitted'), 0)::integer,
    coalesce(sum(g.sheets) filter (where g.status = 'approved'), 0)::integer,
    coalesce(sum(g.sheets) filter (where g.status = 'locked'), 0)::integer,
    coalesce((select jsonb_object_agg(i.issue, i.sheets) from issues i), '{}'),
    (select private.without_shifts_to_come(r.ids, r.users, r.periods, 5000) from ready r)
  from groups g;
end
$$;
grant execute on function public.timesheet_counts to authenticated;

-- One page of the list, with the number of all that match.
create function public.timesheet_overview(
  p_from date, p_to date, p_search text default null, p_status text default null, p_issue text default null,
  p_site uuid default null, p_show text default null, p_offset integer default 0, p_limit integer default 50
)
returns table (
  id uuid, user_id uuid, full_name text, period_start date, period_end date, status text, paid_minutes integer,
  regular_minutes integer, overtime_1_minutes integer, overtime_2_minutes integer, night_minutes integer,
  holiday_minutes integer, leave_paid_minutes integer, leave_unpaid_minutes integer, unpaid_minutes integer,
  credited_minutes integer, planned_minutes integer, missing_minutes integer, open_issues integer, issues text[],
  note text, submitted_at timestamptz, approved_at timestamptz, approved_by uuid, total bigint
)
language sql stable set search_path = '' as $$
  select (f.sheet).id, (f.sheet).user_id, f.full_name, (f.sheet).period_start, (f.sheet).period_end, (f.sheet).status,
    (f.sheet).regular_minutes + (f.sheet).overtime_1_minutes + (f.sheet).overtime_2_minutes + (f.sheet).night_minutes
      + (f.sheet).holiday_minutes + (f.sheet).leave_paid_minutes + (f.sheet).credited_minutes,
    (f.sheet).regular_minutes, (f.sheet).overtime_1_minutes, (f.sheet).overtime_2_minutes, (f.sheet).night_minutes,
    (f.sheet).holiday_minutes, (f.sheet).leave_paid_minutes, (f.sheet).leave_unpaid_minutes, (f.sheet).unpaid_minutes,
    (f.sheet).credited_minutes, (f.sheet).planned_minutes, (f.sheet).missing_minutes, (f.sheet).open_issues,
    (f.sheet).issues, (f.sheet).note, (f.sheet).submitted_at, (f.sheet).approved_at, (f.sheet).approved_by, count(*)
      over ()
  from private.find_timesheets(p_from, p_to, p_search, p_status, p_issue, p_site, p_show) f
  order by (f.sheet).open_issues > 0 desc, (f.sheet).status in ('open', 'submitted') desc, f.full_name,
    (f.sheet).period_start, (f.sheet).id
  limit greatest(0, least(coalesce(p_limit, 50), 1000)) offset greatest(0, coalesce(p_offset, 0));
$$;
comment on function public.timesheet_overview is 'Nullable: note, submitted_at, approved_at, approved_by';
grant execute on function public.timesheet_overview to authenticated;

-- The sheets of each period that has begun since the last run, of everybody employed in it. The first run also looks
-- for facts of the last 100 days that have none.
create function private.begin_timesheets() returns void
language plpgsql security definer set search_path = '' as $$
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
    group by 1, 2 order by 1, 2 on conflict (user_id, day) do nothing;
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
  group by 1, 2 order by 1, 2 on conflict (user_id, day) do nothing;
  update private.time_swept set made_until = today;
end
$$;

-- How many a request can read before it times out.
create function private.most_timesheets_by_hour() returns integer language sql immutable return 20000;

-- Planned time that a salary does not pay: of each week (or its part in the period) the missing and unpaid leave
-- minutes, as far as the week's paid minutes stay below the hours that the salary covers.
create function private.unpaid_time(
  p_pay_group text, p_currency text, p_from date, p_to date, p_staff uuid[],
  p_segments private.time_piece[] default null, p_days public.timesheet_days[] default null
) returns table (staff_id uuid, piece integer, leave_unpaid integer, missing integer)
language sql stable security definer set search_path = '' as $$
  with pieces as materialized (
    select p.staff_id, p.piece, p.user_id, p.first, p.last, p.rule
    from private.run_pieces(p_pay_group, p_currency, p_from, p_to, p_staff) p
    where p.basis = 'salary' and p.user_id is not null
  ), facts as (
    select p.staff_id, p.piece, date_trunc('week', d.day::timestamp)::date as week, d.missing_minutes as missing,
      0 as leave_unpaid, d.credited_minutes as paid
    from private.paid_days(array(select x.user_id from pieces x), p_from, p_to, p_days) d
    join pieces p on p.user_id = d.user_id and d.day between p.first and p.last
    union all
    select p.staff_id, p.piece, date_trunc('week', s.day::timestamp)::date, 0,
      case when s.class = 'leave_unpaid' then s.minutes else 0 end,
      case s.class when 'holiday' then s.covered when 'regular' then s.minutes when 'night' then s.minutes
        when 'leave_paid' then s.minutes else 0 end
    from private.paid_segments(array(select x.user_id from pieces x), p_from, p_to, p_segments) s
    join pieces p on p.user_id = s.user_id and s.day between p.first and p.last
  ), weeks as (
    select f.staff_id, f.piece, f.week, sum(f.missing)::integer as missing,
      sum(f.leave_unpaid)::integer as leave_unpaid,
      sum(f.paid) as paid
    from facts f group by f.staff_id, f.piece, f.week
  ), judged as (
    select w.*, least(w.missing + w.leave_unpaid, greatest(0, round(
      (p.rule).week_minutes * case when cardinality((p.rule).leave_weekdays) = 0 then 1 else (
        select count(*) from generate_series(greatest(w.week, p.first), least(w.week + 6, p.last), interval '1 day') g
        where extract(isodow from g)::integer = any ((p.rule).leave_weekdays)
      )::numeric / cardinality((p.rule).leave_weekdays) end) - w.paid))::integer as unpaid
    from weeks w join pieces p on p.staff_id = w.staff_id and p.piece = w.piece
    where w.missing + w.leave_unpaid > 0
  )
  select j.staff_id, j.piece, sum(least(j.leave_unpaid, j.unpaid))::integer,
    sum(j.unpaid - least(j.leave_unpaid, j.unpaid))::integer
  from judged j where j.unpaid > 0 group by j.staff_id, j.piece;
$$;
