-- The report of the last 24 hours, every day at 6 AM of the company's zone: coverage, incidents, and alerts with how long
-- each took. The server mails it; a row a day makes it once, however many servers there are.
create table private.daily_reports (
  day date primary key,
  -- Null on the first day of a database: nothing was watched before.
  facts jsonb,
  created_at timestamptz not null default now()
);
create table private.daily_report_mails (
  id uuid primary key default gen_random_uuid(),
  day date not null references private.daily_reports (day) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  attempts integer not null default 0,
  -- Time of the next attempt; null after the last one failed.
  next_at timestamptz default now(),
  last_error text,
  unique (day, user_id)
);
create index daily_report_mails_user_id_idx on private.daily_report_mails (user_id);
create index daily_report_mails_next_at_idx on private.daily_report_mails (next_at);
alter table private.daily_reports enable row level security;
alter table private.daily_report_mails enable row level security;
revoke all on private.daily_reports, private.daily_report_mails from public, anon, authenticated;

-- Whole minutes between two instants; null without the second.
create function private.minutes_between(p_from timestamptz, p_to timestamptz) returns integer
language sql immutable set search_path = ''
return floor(extract(epoch from p_to - p_from) / 60)::integer;

-- Of shifts, incidents and alerts that began in the period.
create function private.report_facts(p_from timestamptz, p_to timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'from', p_from, 'to', p_to,
    'shifts', coverage.shifts, 'seats', coverage.seats, 'assigned', coverage.assigned, 'attended', coverage.attended,
    'late', coverage.late,
    'incidents', (
      select coalesce(jsonb_agg(jsonb_build_object('title', i.title, 'severity', i.severity, 'site', t.name,
        'at', i.created_at) order by i.created_at), '[]')
      from public.incidents i join public.sites t on t.id = i.site_id
      where i.created_at >= p_from and i.created_at < p_to
    ),
    'alerts', (
      select coalesce(jsonb_agg(jsonb_build_object('title', private.alert_title(a.kind), 'detail', a.detail,
        'site', t.name, 'at', a.raised_at, 'outcome', a.outcome,
        'acknowledged_after', private.minutes_between(a.raised_at, a.acknowledged_at),
        'closed_after', private.minutes_between(a.raised_at, a.closed_at)) order by a.raised_at, a.id), '[]')
      from public.alerts a join public.sites t on t.id = a.site_id
      where a.raised_at >= p_from and a.raised_at < p_to
    )
  )
  from (
    select count(*) as shifts, coalesce(sum(s.required_headcount), 0) as seats,
      coalesce(sum(work.assigned), 0) as assigned, coalesce(sum(work.attended), 0) as attended,
      coalesce(sum(work.late), 0) as late
    from public.shifts s
    cross join lateral (
      select count(*) filter (where a.counts_as_staffed) as assigned,
        count(*) filter (where a.attendance_state <> 'none') as attended,
        count(*) filter (where exists (
          select from public.attendance r where r.assignment_id = a.id and r.late_minutes > 0
        )) as late
      from public.assignments a where a.shift_id = s.id and a.status <> 'cancelled'
    ) work
    where s.start_time >= p_from and s.start_time < p_to
  ) coverage;
$$;

-- Queues the report of today for admins and operations managers who have not turned it off. @returns how many mails
create function private.queue_daily_report() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  today constant date := private.company_date();
  until constant timestamptz := private.company_midnight(today) + interval '6 hours';
  mails integer;
begin
  if now() < until or exists (select from private.daily_reports r where r.day = today) then
    return 0;
  end if;
  insert into private.daily_reports (day, facts)
  select today, case when exists (select from private.daily_reports)
    then private.report_facts(until - interval '24 hours', until) end
  on conflict (day) do nothing;
  -- Without this, a server that lost the race would queue the mails too.
  if not found then
    return 0;
  end if;
  insert into private.daily_report_mails (day, user_id)
  select today, p.id
  from public.profiles p
  join auth.users a on a.id = p.id and a.deleted_at is null and (a.banned_until is null or a.banned_until <= now())
  left join private.notice_settings w on w.user_id = p.id
  join private.daily_reports d on d.day = today and d.facts is not null
  where private.gets_daily_report(p.id) and p.email is not null and coalesce(w.daily_report, true);
  get diagnostics mails = row_count;
  return mails;
end
$$;

revoke all on all functions in schema private from public;
