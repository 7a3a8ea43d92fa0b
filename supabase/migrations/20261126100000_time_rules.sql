-- The dated rules by which hours become pay, the company's own calendar over the public holidays, and pay periods.
-- A rule set judges the minutes of the days from effective_from on; each computed minute names the one that judged it.
create table public.time_rules (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) <= 100),
  effective_from date not null unique check (effective_from between '1900-01-01' and '2199-12-31'),
  day_minutes integer not null default 720 check (day_minutes between 1 and 1440),
  week_minutes integer not null default 2880 check (week_minutes between 1 and 10080),
  -- Overtime of one week after which the second tier begins; null: there is no second tier.
  overtime_2_after_minutes integer check (overtime_2_after_minutes between 0 and 10080),
  rest_day_class text not null default 'overtime_1' check (rest_day_class in ('none', 'overtime_1', 'overtime_2')),
  night_start time not null default '22:00',
  night_end time not null default '06:00',
  overtime_1_rate numeric(6, 4) not null default 1.5 check (overtime_1_rate between 0 and 10),
  overtime_2_rate numeric(6, 4) not null default 2 check (overtime_2_rate between 0 and 10),
  night_rate numeric(6, 4) not null default 1 check (night_rate between 0 and 10),
  holiday_rate numeric(6, 4) not null default 2 check (holiday_rate between 0 and 10),
  leave_rate numeric(6, 4) not null default 1 check (leave_rate between 0 and 10),
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
  leave_weekdays integer[] not null default '{1,2,3,4,5,6}' check (leave_weekdays <@ array[1, 2, 3, 4, 5, 6, 7]),
  paid_leave_types text[] not null default '{annual,sick,emergency,maternity,bereavement}' check (
    paid_leave_types
      <@ array['annual', 'sick', 'emergency', 'unpaid', 'maternity', 'paternity', 'bereavement']
  ),
  -- Of a calendar year; later days of sick leave are unpaid.
  sick_paid_days integer not null default 10 check (sick_paid_days between 0 and 366),
  -- Of net pay, for advances and loans.
  max_deduction_share numeric(5, 4) not null default 0.25 check (max_deduction_share between 0 and 1),
  -- By column: where the figure comes from.
  sources jsonb not null default '{}' check (jsonb_typeof(sources) = 'object' and pg_column_size(sources) <= 8000),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index time_rules_created_by_idx on public.time_rules (created_by);

select private.tidy_texts_of('public.time_rules', 'name');
create trigger b_author before insert or update on public.time_rules
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.time_rules
  for each row execute function private.touch();
select private.keep_history_of('public.time_rules');

alter table public.time_rules enable row level security;
revoke all on public.time_rules from anon, authenticated;
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

alter publication supabase_realtime add table public.time_rules;

insert into public.time_rules (name, effective_from, sources) values (
  'Liberia', '2020-01-01', jsonb_build_object(
    'day_minutes', 'mywage.org/liberia: up to 12 h a day while the week stays within 48 h (medium to high confidence)',
    'week_minutes', 'mywage.org/liberia: 48 h a week (medium to high confidence)',
    'overtime_2_after_minutes', 'No source names a second tier',
    'rest_day_class', 'Company policy; the law gives 36 h of rest a week (WageIndicator, medium confidence)',
    'night_start', 'Company policy',
    'night_rate', 'No figure for a night premium is verified',
    'overtime_1_rate', 'Secondary sources: at least 1.5 times (medium confidence)',
    'overtime_2_rate', 'Company policy',
    'holiday_rate', 'Secondary sources: 2 times (low to medium confidence)',
    'leave_rate', 'mywage.org/liberia, sections 19 and 20: paid in full (medium to high confidence)',
    'break_after_minutes', 'WageIndicator: a paid meal break of 1 h after 5 h (medium confidence)',
    'grace_minutes', 'Company policy',
    'stay_tolerance_minutes', 'Company policy',
    'standard_day_minutes', 'mywage.org/liberia: 8 h a day (medium to high confidence)',
    'paid_leave_types', 'mywage.org/liberia; bereavement and emergency days are company policy',
    'sick_paid_days', 'mywage.org/liberia, section 19: 10 paid days a year (medium to high confidence)',
    'max_deduction_share', 'No limit on deductions is verified; company policy'
  )
);

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
create trigger c_keep_one before delete on public.time_rules
  for each row execute function private.keep_one_time_rule();

-- Which rules judge which days: [first, until). The first rules also judge the days before them. Without their sources,
-- which would be sorted along with every minute.
create function private.time_rule_days() returns table (rule public.time_rules, first date, until date)
language sql stable security definer rows 2 set search_path = '' as $$
  select jsonb_populate_record(r, '{"sources": {}}'), case when row_number() over w = 1 then '-infinity' else r.effective_from end,
    coalesce(lead(r.effective_from) over w, 'infinity')
  from public.time_rules r
  window w as (order by r.effective_from);
$$;

-- The company's calendar over the public holidays: a further holiday, or a public one on which work is as on any day.
create table public.company_holidays (
  id uuid primary key default gen_random_uuid(),
  day date not null unique check (day between '1900-01-01' and '2199-12-31'),
  name text not null check (char_length(name) <= 100),
  works boolean not null default false,
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on column public.company_holidays.works is 'A normal working day, although it is a public holiday';
create index company_holidays_created_by_idx on public.company_holidays (created_by);

select private.tidy_texts_of('public.company_holidays', 'name');
create trigger b_author before insert or update on public.company_holidays
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.company_holidays
  for each row execute function private.touch();
select private.keep_history_of('public.company_holidays');

alter table public.company_holidays enable row level security;
revoke all on public.company_holidays from anon, authenticated;
grant select, insert, update, delete on public.company_holidays to authenticated;

create policy "Members read the company's holidays" on public.company_holidays
  for select to authenticated using ((select private.is_member()));
create policy "Admins and HR add holidays" on public.company_holidays
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "Admins and HR change holidays" on public.company_holidays
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'hr')))
  with check ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "Admins and HR delete holidays" on public.company_holidays
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager', 'hr')));

alter publication supabase_realtime add table public.company_holidays;

-- The holidays of [p_from, p_to], by the company's calendar over the public one.
create function private.holidays_between(p_from date, p_to date) returns table (day date, name text)
language sql stable security definer rows 5 set search_path = '' as $$
  select h.day, min(h.name) from public.public_holidays h
  where h.day between p_from and p_to
    and not exists (select from public.company_holidays c where c.day = h.day)
  group by h.day
  union all
  select c.day, c.name from public.company_holidays c where c.day between p_from and p_to and not c.works;
$$;

-- The pay period that a day belongs to: a calendar month, a week from Monday, or a fortnight from Monday 2026-01-05.
create function private.pay_period(frequency text, day date) returns daterange
language sql immutable set search_path = ''
return case frequency
  when 'weekly' then daterange(date_trunc('week', day::timestamp)::date, date_trunc('week', day::timestamp)::date + 7)
  when 'bi-weekly' then daterange(
    day - mod(mod(day - date '2026-01-05', 14) + 14, 14), day - mod(mod(day - date '2026-01-05', 14) + 14, 14) + 14)
  else daterange(
    date_trunc('month', day::timestamp)::date, (date_trunc('month', day::timestamp) + interval '1 month')::date)
end;

revoke all on all functions in schema private from public;
