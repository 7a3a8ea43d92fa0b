-- Time rules and how minutes of work become hours of each class.

-- ── Tables ────────────────────────────────────────────────────────────

-- Shifts that have ended since the last run without attendance, or without a clock-out: their missing minutes and
-- issues begin now, although no row changes.
create table private.time_swept (
  only_row boolean default true primary key check (only_row),
  until timestamptz not null,
  made_until date -- The days up to this one have their timesheets; null until the job has run once.
);

insert into private.time_swept (until) values ('2026-11-28 19:24:37.645202+00');
alter table private.time_swept enable row level security;

-- Timesheets follow their facts at once: a statement that changes attendance, assignments, leave, decisions or disputes
-- computes the weeks that it touches. What can't be computed now (another session is writing the timesheet, or an
-- error) waits here, because a computation must never refuse a clock event, and so do clock events, which must be fast.
-- The servers repeat the job below every two seconds.
create table private.time_to_compute (
  user_id uuid not null references public.profiles on delete cascade,
  day date not null,
  error text,
  try_at timestamptz not null default now(), -- After an error.
  primary key (user_id, day)
);
alter table private.time_to_compute enable row level security;

-- The dated rules by which hours become pay. A rule set judges the minutes of the days from effective_from on; each
-- computed minute names the one that judged it.
create table public.time_rules (
  id uuid default gen_random_uuid() primary key,
  name text not null check (char_length(name) <= 100),
  effective_from date not null unique check (effective_from between '1900-01-01' and '2199-12-31'),
  day_minutes integer not null default 720 check (day_minutes between 1 and 1440),
  week_minutes integer not null default 2880 check (week_minutes between 1 and 10080),
  -- Overtime of one week after which the second tier begins; null: there is no second tier.
  overtime_2_after_minutes integer check (overtime_2_after_minutes between 0 and 10080),
  rest_day_class text not null default 'overtime_1' check (rest_day_class in ('none', 'overtime_1', 'overtime_2')),
  night_start time without time zone not null default '22:00:00'::time without time zone,
  night_end time without time zone not null default '06:00:00'::time without time zone,
  overtime_1_rate numeric(6,4) not null default 1.5 check (overtime_1_rate between 0 and 10),
  overtime_2_rate numeric(6,4) not null default 2 check (overtime_2_rate between 0 and 10),
  night_rate numeric(6,4) not null default 1 check (night_rate between 0 and 10),
  holiday_rate numeric(6,4) not null default 2 check (holiday_rate between 0 and 10),
  leave_rate numeric(6,4) not null default 1 check (leave_rate between 0 and 10),
  break_after_minutes integer not null default 300 check (break_after_minutes between 1 and 1440),
  break_minutes integer not null default 60 check (break_minutes between 0 and 240),
  break_paid boolean not null default true,
  -- Lateness up to this counts as on time.
  grace_minutes integer not null default 5 check (grace_minutes between 0 and 120),
  round_to_minutes integer not null default 1 check (round_to_minutes in (1, 5, 6, 10, 15)),
  round_mode text not null default 'nearest' check (round_mode in ('nearest', 'up', 'down')),
  -- Staying longer than this after the end of the shift is something to decide.
  stay_tolerance_minutes integer not null default 15 check (stay_tolerance_minutes between 0 and 240),
  -- A day of leave without a planned shift.
  standard_day_minutes integer not null default 480 check (standard_day_minutes between 0 and 1440),
  -- 1 is Monday, as in ISO 8601.
  leave_weekdays integer[] not null default '{1,2,3,4,5,6}'::integer[]
    check (leave_weekdays <@ array[1, 2, 3, 4, 5, 6, 7]),
  paid_leave_types text[] not null default '{annual,sick,emergency,maternity,bereavement}'::text[]
    check (paid_leave_types <@ array['annual', 'sick', 'emergency', 'unpaid', 'maternity', 'paternity', 'bereavement']),
  -- Of a calendar year; later days of sick leave are unpaid.
  sick_paid_days integer not null default 10 check (sick_paid_days between 0 and 366),
  -- Of net pay, for advances and loans.
  max_deduction_share numeric(5,4) not null default 0.25 check (max_deduction_share between 0 and 1),
  -- By column: where the figure comes from.
  sources jsonb not null default '{}'::jsonb
    check (jsonb_typeof(sources) = 'object' and pg_column_size(sources) <= 8000),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index time_rules_created_by_idx on public.time_rules (created_by);

insert into public.time_rules (name, effective_from, sources) values
  ('Liberia', '2020-01-01',
    '{"leave_rate": "mywage.org/liberia, sections 19 and 20: paid in full (medium to high confidence)", "night_rate": '
    '"No figure for a night premium is verified", "day_minutes": "mywage.org/liberia: up to 12 h a day while the week '
    'stays within 48 h (medium to high confidence)", "night_start": "Company policy", "holiday_rate": "Secondary '
    'sources: 2 times (low to medium confidence)", "week_minutes": "mywage.org/liberia: 48 h a week (medium to high '
    'confidence)", "grace_minutes": "Company policy", "rest_day_class": "Company policy; the law gives 36 h of rest a '
    'week (WageIndicator, medium confidence)", "sick_paid_days": "mywage.org/liberia, section 19: 10 paid days a year '
    '(medium to high confidence)", "overtime_1_rate": "Secondary sources: at least 1.5 times (medium confidence)", '
    '"overtime_2_rate": "Company policy", "paid_leave_types": "mywage.org/liberia; bereavement and emergency days are '
    'company policy", "break_after_minutes": "WageIndicator: a paid meal break of 1 h after 5 h (medium confidence)", '
    '"max_deduction_share": "No limit on deductions is verified; company policy", "standard_day_minutes": '
    '"mywage.org/liberia: 8 h a day (medium to high confidence)", "stay_tolerance_minutes": "Company policy", '
    '"overtime_2_after_minutes": "No source names a second tier"}');
alter publication supabase_realtime add table public.time_rules;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.time_rules', 'name');
create trigger b_author before insert or update on public.time_rules
  for each row execute function private.stamp_author();
create trigger c_keep_one before delete on public.time_rules for each row execute function private.keep_one_time_rule();
create trigger d_touch before update on public.time_rules for each row execute function private.touch();
create trigger y_locked before insert or update or delete on public.time_rules
  for each row execute function private.keep_locked_rules();
select private.keep_history_of('public.time_rules');
create trigger time_follows after insert or update or delete on public.time_rules
  for each statement execute function private.recompute_open_timesheets();
alter table public.time_rules enable row level security;
grant select, insert, update, delete on public.time_rules to authenticated;
create policy "Members read the rules of hours and pay" on public.time_rules
  for select to authenticated using ((select private.is_member()));
create policy "Admins and HR add rules of hours and pay" on public.time_rules
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "Admins and HR change rules of hours and pay" on public.time_rules
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'hr')))
  with check ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "Admins and HR delete rules of hours and pay" on public.time_rules
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager', 'hr')));

create table public.time_segments (
  id uuid default gen_random_uuid() primary key,
  timesheet_id uuid not null references public.timesheets on delete cascade,
  user_id uuid not null,
  day date not null,
  -- No foreign keys to facts: a fact that is deleted takes its segments away when the time is computed again.
  attendance_id uuid,
  leave_request_id uuid,
  shift_id uuid,
  site_id uuid,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  minutes integer generated always as (((extract(epoch
    from (ends_at - starts_at)) / (60)::numeric))::integer) stored not null,
  class text not null
    check (class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday', 'leave_paid', 'leave_unpaid',
      'unpaid')),
  rule text not null
    check (rule in ('worked', 'early_arrival', 'break', 'not_approved', 'week_limit', 'day_limit', 'rest_day', 'night',
      'holiday', 'leave')),
  rate numeric(6,4) not null,
  time_rule_id uuid not null references public.time_rules,
  constraint time_segments_do_not_overlap exclude using gist (user_id with =, tstzrange(starts_at, ends_at) with &&),
  constraint time_segments_end_after_start check (ends_at > starts_at)
);
create index time_segments_timesheet_id_idx on public.time_segments (timesheet_id, day);
create index time_segments_time_rule_id_idx on public.time_segments (time_rule_id);
create index time_segments_attendance_id_idx on public.time_segments (attendance_id) where attendance_id is not null;
create index time_segments_site_id_idx on public.time_segments (site_id, starts_at) where site_id is not null;
-- Triggers, in the order in which they fire:
create trigger y_locked_truncate before truncate on public.time_segments
  for each statement execute function private.refuse_truncate_while_locked();
select private.keep_history_of_computed('public.time_segments');
create trigger y_locked_deletes after delete on public.time_segments referencing old table as old_rows
  for each statement execute function private.keep_locked_rows();
create trigger y_locked_inserts after insert on public.time_segments referencing new table as new_rows
  for each statement execute function private.keep_locked_rows();
create trigger y_locked_updates after update on public.time_segments referencing old table as old_rows
  for each statement execute function private.keep_locked_rows();
create trigger z_recheck_deletes after delete on public.time_segments referencing old table as changed
  for each statement execute function private.recheck_changed_segments();
create trigger z_recheck_inserts after insert on public.time_segments referencing new table as changed
  for each statement execute function private.recheck_changed_segments();
create trigger z_recheck_updates after update on public.time_segments
  referencing old table as old_rows new table as new_rows
  for each statement execute function private.recheck_updated_segments();
alter table public.time_segments enable row level security;
revoke all on public.time_segments from service_role;
grant select on public.time_segments to authenticated, service_role;
create policy "Readers of a timesheet read its segments" on public.time_segments
  for select to authenticated using (exists (select from public.timesheets t where t.id = timesheet_id));

-- ── Functions ─────────────────────────────────────────────────────────

-- Adds what these days lack, and computes them: at once where the period has begun, else soon.
create function private.time_changed(p_users uuid[], p_first date[], p_last date[]) returns void
language plpgsql security definer set search_path = '' as $$
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
        order by 1, 2 on conflict (user_id, day) do nothing;
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
      select distinct f.u, d, failure from unnest(p_users, p_first, p_last) f (u, first, last),
        unnest(array[f.first, f.last]) d
      where f.u is not null and f.last >= f.first and isfinite(d) order by 1, 2 on conflict (user_id, day) do nothing;
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

create function private.follow_assignment_fact() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  users uuid[];
  first date[];
  last date[];
begin
  with was as (
    select id, shift_id, user_id, site_id, period, on_leave, overridden_rules, status = 'no_show' as absent,
      no_show_reason,
      status = 'cancelled' as is_off
    from old_rows
  ), became as (
    select id, shift_id, user_id, site_id, period, on_leave, overridden_rules, status = 'no_show' as absent,
      no_show_reason,
      status = 'cancelled' as is_off
    from new_rows
  )
  select array_agg(case when not r.is_off then r.user_id end), array_agg(lower(private.days_of(r.period))),
    array_agg(upper(private.days_of(r.period)) - 1)
  into users, first, last from ((table became except table was) union all (table was except table became)) r;
  if users is not null then
    perform private.time_changed(users, first, last);
  end if;
  return null;
end
$$;

-- A record decides about its whole shift, of which a part may lie in another day, week or period: whether somebody came
-- to the evening of a night, and whether its morning is missing.
create function private.follow_attendance_fact() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
  users uuid[];
  first date[];
  last date[];
begin
  if tg_op = 'INSERT' then
    select array_agg(r.user_id), array_agg(least((r.clock_in_at at time zone zone)::date,
      lower(private.days_of(a.period)))),
      array_agg(greatest((coalesce(r.clock_out_at, r.clock_in_at) at time zone zone)::date,
        upper(private.days_of(a.period)) - 1))
    into users, first, last from new_rows r left join public.assignments a on a.id = r.assignment_id;
  elsif tg_op = 'DELETE' then
    select array_agg(r.user_id), array_agg(least((r.clock_in_at at time zone zone)::date,
      lower(private.days_of(a.period)))),
      array_agg(greatest((coalesce(r.clock_out_at, r.clock_in_at) at time zone zone)::date,
        upper(private.days_of(a.period)) - 1))
    into users, first, last from old_rows r left join public.assignments a on a.id = r.assignment_id;
  else
    with was as (
      select id, assignment_id, user_id, site_id, clock_in_at, clock_out_at, flags, needs_review, corrected_at,
        correction_reason
      from old_rows
    ), became as (
      select id, assignment_id, user_id, site_id, clock_in_at, clock_out_at, flags, needs_review, corrected_at,
        correction_reason
      from new_rows
    )
    select array_agg(r.user_id), array_agg(least((r.clock_in_at at time zone zone)::date,
      lower(private.days_of(a.period)))),
      array_agg(greatest((coalesce(r.clock_out_at, r.clock_in_at) at time zone zone)::date,
        upper(private.days_of(a.period)) - 1))
    into users, first, last
    from ((table became except table was) union all (table was except table became)) r
    left join public.assignments a on a.id = r.assignment_id;
  end if;
  if users is not null then
    perform private.time_changed(users, first, last);
  end if;
  return null;
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

-- Days begin at another time when the company's zone changes.
create function private.follow_time_zone() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.assignments a set on_leave = not a.on_leave
  where a.user_id in (select l.user_id from public.leave_requests l where l.status = 'approved')
    and a.on_leave <> private.is_on_leave(a.user_id, a.period);
  return null;
end
$$;

create function private.keep_one_time_rule() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('time rules', 0));
  if not exists (select from public.time_rules r where r.id <> old.id) then
    raise exception 'The last rules can''t be deleted.' using errcode = 'PT409';
  end if;
  return old;
end
$$;

-- A report is never refused for its phone's clock.
create function private.clear_doubtful_writing_time() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.written_at not between now() - interval '30 days' and now() - interval '2 minutes' then
    new.written_at := null;
  end if;
  -- The office, which enters what others report, chose the time on a screen that refuses the future.
  if new.raised_by_user_id = auth.uid() and new.caller is null and new.happened_at > now() then
    new.happened_at := null;
  end if;
  return new;
end
$$;

create function private.note_time_zone() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.time_zone_since := now();
  return new;
end
$$;

create function private.compute_due_time(p_users uuid[], p_first date, p_last date) returns void
language plpgsql security definer set search_path = '' as $$
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
create function private.compute_waiting_time(p_users uuid[] default null) returns void
language plpgsql security definer set search_path = '' as $$
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

-- Which rules judge which days: [first, until). The first rules also judge the days before them. Without their sources,
-- which would be sorted along with every minute.
create function private.time_rule_days() returns table (rule public.time_rules, first date, until date)
language sql stable security definer rows 2 set search_path = '' as $$
  select jsonb_populate_record(r, '{"sources": {}}'), case when row_number() over w = 1 then '-infinity'
    else r.effective_from end,
    coalesce(lead(r.effective_from) over w, 'infinity')
  from public.time_rules r window w as (order by r.effective_from);
$$;

-- Closed records of attendance as spans of whole minutes that don't overlap: of two records of one person at once, the
-- first counts. p_extra are records that are not stored, or are to count instead of the stored ones:
-- [{attendance_id, assignment_id, clock_in_at, clock_out_at}].
create function private.worked_spans(p_users uuid[], p_from timestamptz, p_to timestamptz, p_extra jsonb default null)
returns table (
  attendance_id uuid, user_id uuid, site_id uuid, shift_id uuid, starts_at timestamptz, ends_at timestamptz,
  is_cut boolean, due_from timestamptz, due_to timestamptz, early boolean, stayed boolean, overtime boolean
)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  with records as (
    select r.id, r.user_id, r.assignment_id, date_trunc('minute', r.clock_in_at) as came,
      date_trunc('minute', r.clock_out_at) as went
    from public.attendance r
    where r.user_id = any (p_users) and r.clock_in_at > p_from - interval '31 days' and r.clock_in_at < p_to
      and r.clock_out_at > p_from - interval '2 days' and isfinite(r.clock_out_at)
      and (p_extra is null or not exists (
        select from jsonb_array_elements(p_extra) x where (x ->> 'attendance_id')::uuid = r.id))
    union all
    select coalesce(x.attendance_id, x.assignment_id), a.user_id, a.id, date_trunc('minute', x.clock_in_at),
      date_trunc('minute', x.clock_out_at)
    from jsonb_to_recordset(p_extra) x (
      attendance_id uuid, assignment_id uuid, clock_in_at timestamptz, clock_out_at timestamptz)
    join public.assignments a on a.id = x.assignment_id
    where a.user_id = any (p_users) and isfinite(x.clock_in_at) and isfinite(x.clock_out_at)
  ), apart as (
    select r.*, greatest(r.came, max(r.went) over (
      partition by r.user_id order by r.came, r.went, r.id rows between unbounded preceding and 1 preceding
    )) as free_from
    from records r
  )
  select r.id, r.user_id, a.site_id, a.shift_id, r.free_from, r.went, r.free_from > r.came,
    date_trunc('minute', lower(a.period)), date_trunc('minute', upper(a.period)),
    (select d.approved from public.time_decisions d where d.attendance_id = r.id and d.kind = 'early_arrival'),
    (select d.approved from public.time_decisions d where d.attendance_id = r.id and d.kind = 'stayed_on'),
    (select d.approved from public.time_decisions d where d.attendance_id = r.id and d.kind = 'overtime')
  from apart r join public.assignments a on a.id = r.assignment_id where r.went > r.free_from;
end
$$;

-- The worked spans of some days, each with the day on which it began and with what is paid of it by the time that was
-- due. No fixed search path, so that the planner can inline it.
create function private.paid_spans(p_users uuid[], p_first date, p_last date, p_zone text, p_extra jsonb)
returns table (
  attendance_id uuid, user_id uuid, site_id uuid, shift_id uuid, starts_at timestamptz, ends_at timestamptz,
  is_cut boolean, due_from timestamptz, due_to timestamptz, early boolean, stayed boolean, overtime boolean,
  start_day date, paid_from timestamptz, paid_to timestamptz
)
language sql stable as $$
  select s.*, case when s.stayed is false then greatest(s.paid_from, least(s.ends_at, s.due_to)) else s.ends_at end
  from (
    select w.*, (w.due_from at time zone p_zone)::date as start_day,
      case when w.early then w.starts_at else least(w.ends_at, greatest(w.starts_at, w.due_from)) end as paid_from
    from private.worked_spans(p_users, private.company_midnight(p_first), private.company_midnight(p_last + 1),
      p_extra) w
  ) s;
$$;

-- The segments of work of whole weeks, p_first a Monday and p_last a Sunday.
create function private.work_segments(p_users uuid[], p_first date, p_last date, p_extra jsonb default null)
returns setof private.time_piece
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
begin
  return query
  with breaks as (
    select p.*, case when not (d.rule).break_paid
      then p.paid_from + make_interval(mins => (d.rule).break_after_minutes) end
        as break_from,
      make_interval(mins => (d.rule).break_minutes) as break_for,
      -- Counts the days of the week on which work began.
      dense_rank() over (
        partition by p.user_id, date_trunc('week', p.start_day::timestamp), p.paid_to > p.paid_from order by p.start_day
      ) as day_of_week
    from private.paid_spans(p_users, p_first, p_last, zone, p_extra) p
    join private.time_rule_days() d on p.start_day >= d.first and p.start_day < d.until
  ), days as (
    select b.*, least(b.paid_to, b.break_from + b.break_for) as break_to, day::date as day, (r.rule).id as rule_id,
      (r.rule).day_minutes as day_limit, (r.rule).week_minutes as week_limit,
      (r.rule).overtime_2_after_minutes as tier_2_after, (r.rule).rest_day_class as rest_class,
      greatest(b.starts_at, edge.begins) as day_from, least(b.ends_at, edge.ends) as day_to,
      (day::date + (r.rule).night_start) at time zone zone as night_from,
      (day::date + (r.rule).night_end) at time zone zone as night_to
    from breaks b
    cross join lateral generate_series(
      (b.starts_at at time zone zone)::date::timestamp,
      ((b.ends_at - interval '1 microsecond') at time zone zone)::date::timestamp, '1 day') day
    cross join lateral (
      select day at time zone zone as begins, (day + interval '1 day') at time zone zone as ends) edge
    join private.time_rule_days() r on day::date >= r.first and day::date < r.until
    where day::date between p_first and p_last
  ), points as (
    select distinct d.attendance_id, d.day, greatest(d.day_from, least(d.day_to, t)) as at
    from days d
    cross join lateral unnest(array[d.day_from, d.day_to, d.due_from, d.due_to, d.break_from, d.break_to,
      d.night_from, d.night_to]) t
    where t is not null
  ), pieces as (
    select p.attendance_id, p.day, p.at, lead(p.at) over (partition by p.attendance_id, p.day order by p.at) as until
    from points p
  ), sorted as (
    select d.user_id, d.day, d.attendance_id, d.shift_id, d.site_id, p.at, p.until, d.overtime,
      d.rule_id, d.day_limit, d.week_limit, d.tier_2_after, d.rest_class,
      (extract(epoch from p.until - p.at) / 60)::integer as minutes,
      case when p.at < d.paid_from then 'early_arrival' when p.at >= d.paid_to then 'not_approved'
        when p.at >= d.break_from and p.at < d.break_to then 'break' end as unpaid,
      case when d.night_from > d.night_to then p.at >= d.night_from or p.at < d.night_to
        else p.at >= d.night_from and p.at < d.night_to end as is_night,
      d.day_of_week = 7 and d.day = d.start_day and d.rest_class <> 'none' as is_rest_day,
      p.at < d.due_from or p.at >= d.due_to as is_extra,
      date_trunc('week', d.day::timestamp) as week
    from pieces p join days d on d.attendance_id = p.attendance_id and d.day = p.day
    where p.until is not null
  ), in_day as (
    select s.*, case when s.unpaid is null then s.minutes else 0 end as paid,
      coalesce(sum(case when s.unpaid is null then s.minutes else 0 end) over (
        partition by s.user_id, s.day order by s.at rows between unbounded preceding and 1 preceding), 0) as before
    from sorted s
  ), counted as (
    -- Minutes beyond the day's limit don't count again towards the week's.
    select d.*, least(d.before + d.paid, d.day_limit) - least(d.before, d.day_limit) as counts
    from in_day d
  ), in_week as (
    select c.*, least(c.counts, greatest(0, c.week_limit - coalesce(sum(c.counts) over (
      partition by c.user_id, c.week order by c.at rows between unbounded preceding and 1 preceding), 0))) as base
    from counted c
  ), tiers as (
    select w.*, case when w.tier_2_after is null then w.paid - w.base
      else least(w.paid - w.base, greatest(0, w.tier_2_after - coalesce(sum(w.paid - w.base) over (
        partition by w.user_id, w.week order by w.at rows between unbounded preceding and 1 preceding),
          0))) end as tier_1,
      case when w.base < w.counts then 'week_limit' else 'day_limit' end as limit_rule
    from in_week w
  ), parts as (
    select t.user_id, t.day, t.attendance_id, t.shift_id, t.site_id, t.rule_id, t.rest_class,
      h.day is not null as is_holiday,
      t.is_night, t.is_rest_day, t.unpaid, part.tier, t.limit_rule,
      t.overtime is false and t.is_extra and part.tier > 0 as is_refused,
      t.at + make_interval(mins => part.first::integer) as at, t.at + make_interval(mins => part.past::integer) as until
    from tiers t
    left join private.holidays_between(p_first, p_last) h on h.day = t.day
    cross join lateral (values
      (0, 0::numeric, case when t.unpaid is null then t.base else t.minutes end),
      (1, t.base, t.base + t.tier_1),
      (2, t.base + t.tier_1, t.paid)
    ) part (tier, first, past)
    where part.past > part.first
  ), classed as (
    select p.*, c.class, c.rule
    from parts p
    cross join lateral (
      select case
          when p.unpaid is not null or p.is_refused then 'unpaid'
          when p.is_holiday then 'holiday'
          when p.tier = 2 or p.is_rest_day and p.rest_class = 'overtime_2' then 'overtime_2'
          when p.tier = 1 or p.is_rest_day then 'overtime_1'
          when p.is_night then 'night' else 'regular' end as class,
        case
          when p.unpaid is not null then p.unpaid when p.is_refused then 'not_approved'
          when p.is_holiday then 'holiday'
          when p.is_rest_day and (p.tier < 2 or p.rest_class = 'overtime_2') then 'rest_day'
          when p.tier > 0 then p.limit_rule when p.is_night then 'night' else 'worked' end as rule
    ) c
  ), runs as (
    select c.*, count(*) filter (where c.is_new) over (
      partition by c.attendance_id, c.day order by c.at rows unbounded preceding) as run
    from (
      select c.*, lag(c.class || ' ' || c.rule) over (partition by c.attendance_id, c.day order by c.at)
        is distinct from c.class || ' ' || c.rule as is_new
      from classed c
    ) c
  )
  select r.user_id, r.day, r.attendance_id, null::uuid, r.shift_id, r.site_id, min(r.at), max(r.until), r.class, r.rule,
    case r.class when 'regular' then 1 when 'night' then t.night_rate when 'overtime_1' then t.overtime_1_rate
      when 'overtime_2' then t.overtime_2_rate when 'holiday' then t.holiday_rate else 0 end, t.id
  from runs r join public.time_rules t on t.id = r.rule_id
  group by r.user_id, r.day, r.attendance_id, r.shift_id, r.site_id, r.class, r.rule, r.run, t.id;
end
$$;

-- The approved leave that a day belongs to.
create function private.days_of_leave(p_users uuid[], p_first date, p_last date)
returns table (id uuid, user_id uuid, type text, day date)
language sql stable security definer set search_path = '' as $$
  select distinct on (l.user_id, d.day) l.id, l.user_id, l.type, d.day::date
  from public.leave_requests l
  cross join lateral generate_series(
    greatest(l.start_date, p_first)::timestamp, least(l.end_date, p_last)::timestamp, '1 day') d (day)
  where l.user_id = any (p_users) and l.status = 'approved' and l.start_date <= p_last and l.end_date >= p_first
  order by l.user_id, d.day, private.interrupts_leave(l.type, 'annual') desc, l.created_at, l.id;
$$;

-- The segments of approved leave: the planned shifts of its days, else a standard day on its weekdays; what was worked
-- on them after all is left out. Days of sick leave beyond the year's limit are unpaid.
create function private.leave_segments(p_users uuid[], p_first date, p_last date, p_extra jsonb DEFAULT NULL::jsonb)
returns SETOF private.time_piece
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
  holidays date[] := array(
    select h.day from private.holidays_between(date_trunc('year', p_first::timestamp)::date, p_last) h);
begin
  return query
  with leave_days as (
    select l.*, r.rule as by, l.day::timestamp at time zone zone as begins,
      (l.day + 1)::timestamp at time zone zone as ends
    from private.days_of_leave(p_users, p_first, p_last) l
    join private.time_rule_days() r on l.day >= r.first and l.day < r.until
  ), wanted as (
    select d.*, coalesce(planned.times, case
      when extract(isodow from d.day)::integer = any ((d.by).leave_weekdays) and d.day <> all (holidays)
        and (d.by).standard_day_minutes > 0
      then tstzmultirange(tstzrange(
        d.begins + make_interval(mins => least(480, 1440 - (d.by).standard_day_minutes)),
        least(d.ends, d.begins + make_interval(mins => least(480, 1440 - (d.by).standard_day_minutes)
          + (d.by).standard_day_minutes)))) end) as times
    from leave_days d
    cross join lateral (
      select range_agg(tstzrange(date_trunc('minute', greatest(lower(a.period), d.begins)),
        date_trunc('minute', least(upper(a.period), d.ends)))) as times
      from public.assignments a
      where a.user_id = d.user_id and a.status <> 'cancelled' and a.period && tstzrange(d.begins, d.ends)
    ) planned
  ), free as (
    select w.*, unnest(w.times - coalesce((
      select range_agg(tstzrange(s.starts_at, s.ends_at))
      from private.worked_spans(array[w.user_id], w.begins, w.ends, p_extra) s
    ), '{}')) as at
    from wanted w where w.times is not null
  ), judged as (
    select f.*, f.type = any ((f.by).paid_leave_types) and (f.type <> 'sick' or (
      select count(*)
      from private.days_of_leave(array[f.user_id], date_trunc('year', f.day::timestamp)::date, f.day) l
      where l.type = 'sick'
        and (
          extract(isodow from l.day)::integer = any ((f.by).leave_weekdays) and l.day <> all (holidays)
          or exists (
            select from public.assignments a where a.user_id = f.user_id and a.status <> 'cancelled'
              and a.period
                && tstzrange(l.day::timestamp at time zone zone, (l.day + 1)::timestamp at time zone zone)
          )
        )
    ) <= (f.by).sick_paid_days) as is_paid
    from free f
  )
  select j.user_id, j.day, null::uuid, j.id, null::uuid, null::uuid, lower(j.at), upper(j.at),
    case when j.is_paid then 'leave_paid' else 'leave_unpaid' end, 'leave',
    case when j.is_paid then (j.by).leave_rate else 0 end, (j.by).id
  from judged j where upper(j.at) > lower(j.at);
end
$$;

-- Every segment of these people in whole weeks, p_first a Monday and p_last a Sunday.
create function private.computed_segments(p_users uuid[], p_first date, p_last date, p_extra jsonb default null)
returns setof private.time_piece
language sql stable security definer set search_path = '' as $$
  select * from private.work_segments(p_users, p_first, p_last, p_extra)
  union all select * from private.leave_segments(p_users, p_first, p_last, p_extra);
$$;

create function private.due_time() returns void
language plpgsql security definer set search_path = '' as $$
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

-- Whether the hours of a person in a span are still open: not locked, disputed, to be adjusted, or not billed.
create function private.is_time_open(p_user uuid, p_attendance uuid, p_from timestamptz, p_to timestamptz)
returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
  days daterange := daterange((p_from at time zone zone)::date, (greatest(p_to, p_from) at time zone zone)::date, '[]');
begin
  return exists (
      select from public.timesheets t
      where t.user_id = p_user and daterange(t.period_start, t.period_end, '[]') && days
        and (t.status <> 'locked'
          or exists (select from public.timesheet_disputes d where d.timesheet_id = t.id and d.status = 'open'))
    ) or exists (
      select from public.pay_adjustments a
      where a.user_id = p_user and a.status = 'to_decide' and daterange(a.period_start, a.period_end, '[]') && days
    ) or exists (
      select from (
        select s.site_id, s.shift_id, s.day from public.time_segments s
        where s.attendance_id = p_attendance and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
          and not exists (
            select from public.billed_time b
            where b.user_id = s.user_id and b.freed_at is null and b.span && tstzrange(s.starts_at, s.ends_at)
          )
        -- Contracts are read for unbilled hours alone.
        offset 0
      ) s
      left join public.shifts h on h.id = s.shift_id
      cross join lateral (select private.contract_post_of_work(s.site_id, h.post_id, s.day,
        private.company_date_of(h.start_time)) as post offset 0) c
      where (c.post).basis <> 'fixed'
    );
end
$$;

-- A time as messages show it: "Nov 21, 6:00 PM", like the screens.
create function private.time_text(at timestamptz, zone text) returns text
language sql stable set search_path = '' return to_char(at at time zone zone, 'Mon FMDD, FMHH12:MI AM');
grant execute on function private.time_text to authenticated;

-- Removes the stored segments of [p_first, p_last] that are not among the computed ones, and adds those that are not
-- stored. @returns their timesheets
create function private.write_time_segments(p_sheets uuid[], p_first date, p_last date, p_segments private.time_piece[])
returns uuid[]
-- Without statistics the planner would compare each with each.
language plpgsql security definer set search_path = '' set enable_nestloop = off as $$
declare
  changed uuid[];
  more uuid[];
begin
  with gone as (
    delete from public.time_segments s
    where s.timesheet_id = any (p_sheets) and s.day between p_first and p_last and not exists (
      select from unnest(p_segments) c
      where c.user_id = s.user_id and c.starts_at = s.starts_at and c.ends_at = s.ends_at
        and (c.class, c.rule, c.rate, c.time_rule_id) = (s.class, s.rule, s.rate, s.time_rule_id)
        and (c.attendance_id, c.leave_request_id, c.shift_id, c.site_id)
          is not distinct from (s.attendance_id, s.leave_request_id, s.shift_id, s.site_id)
    )
    returning s.timesheet_id
  )
  select array_agg(distinct g.timesheet_id) into changed from gone g;
  with added as (
    insert into public.time_segments (timesheet_id, user_id, day, attendance_id, leave_request_id, shift_id, site_id,
      starts_at, ends_at, class, rule, rate, time_rule_id)
    select t.id, c.user_id, c.day, c.attendance_id, c.leave_request_id, c.shift_id, c.site_id, c.starts_at, c.ends_at,
      c.class, c.rule, c.rate, c.time_rule_id
    from unnest(p_segments) c
    join public.timesheets t
      on t.user_id = c.user_id and t.id = any (p_sheets) and c.day between t.period_start and t.period_end
    where not exists (
      select from public.time_segments s
      where s.timesheet_id = any (p_sheets) and s.day between p_first and p_last
        and s.user_id = c.user_id and s.starts_at = c.starts_at
    )
    order by c.user_id, c.starts_at
    returning timesheet_id
  )
  select array_agg(distinct a.timesheet_id) into more from added a;
  return coalesce(changed, '{}') || coalesce(more, '{}');
end
$$;
