-- A month of a client: coverage of the sites, incidents by severity and category, and the times to respond and to resolve
-- against the goals. One document for the screen, the PDF and the mail.

-- Only reviewed reports count; not_reviewed is how many others there are. Minutes of coverage are of guards. In time and
-- late are judged by the goals of the day of the report; what is neither has time left. Medians are of those that are done.
create function private.client_month(p_client_id uuid, p_month date) returns jsonb
language sql stable security definer set search_path = '' as $$
  with span as (
    select d.first, (d.first + interval '1 month')::date - 1 as last,
      private.company_midnight(d.first) as begins, private.company_midnight((d.first + interval '1 month')::date) as ends
    from (select date_trunc('month', p_month)::date as first) d
  ), covered as materialized (
    select c.* from span
    cross join lateral private.coverage_of(
      array(select t.id from public.sites t where t.client_id = p_client_id), span.first, span.last
    ) c
  ), reported as materialized (
    select i.id, i.severity, i.category, public.review_state(i) = 'reviewed' as counts,
      private.responded_at(i.id) - i.created_at as response, private.resolved_at(i) - i.created_at as resolution,
      now() - i.created_at as age, i.status in ('open', 'investigating') as is_active,
      g.response as response_goal, g.resolution as resolution_goal
    from span
    join public.sites t on t.client_id = p_client_id
    join public.incidents i on i.site_id = t.id and i.created_at >= span.begins and i.created_at < span.ends
    join private.goal_spans() g
      on g.severity = i.severity and i.created_at >= g.first and i.created_at < g.until
  )
  select jsonb_build_object(
    'client', c.name, 'from', span.first, 'to', span.last,
    'sites', (
      select coalesce(jsonb_agg(jsonb_build_object('site', s.name, 'required', s.required, 'worked', s.worked,
        'uncovered', s.uncovered, 'late', s.late, 'overstaffed', s.overstaffed) order by s.name, s.id), '[]')
      from (
        select t.id, t.name, sum(v.required_minutes) as required, sum(v.worked_minutes) as worked,
          sum(v.uncovered_minutes) as uncovered, sum(v.late_minutes) as late, sum(v.overstaffed_minutes) as overstaffed
        from covered v join public.sites t on t.id = v.site_id group by t.id, t.name
      ) s
    ),
    'days', (
      select coalesce(jsonb_agg(jsonb_build_object('day', d.day, 'required', d.required, 'uncovered', d.uncovered)
        order by d.day), '[]')
      from (
        select v.day, sum(v.required_minutes) as required, sum(v.uncovered_minutes) as uncovered
        from covered v group by v.day
      ) d
    ),
    'severities', (
      select jsonb_agg(jsonb_build_object(
        'severity', s.severity,
        'incidents', count_of.incidents,
        'response_in_time', count_of.response_in_time, 'response_late', count_of.response_late,
        'response_minutes', count_of.response_minutes,
        'resolution_in_time', count_of.resolution_in_time, 'resolution_late', count_of.resolution_late,
        'resolution_minutes', count_of.resolution_minutes
      ) order by s.place)
      from unnest(array['critical', 'high', 'medium', 'low']) with ordinality s (severity, place)
      cross join lateral (
        select count(*) as incidents,
          count(*) filter (where r.response <= r.response_goal) as response_in_time,
          count(*) filter (where coalesce(r.response, r.age) > r.response_goal) as response_late,
          round((percentile_cont(0.5) within group (order by extract(epoch from r.response)) / 60)::numeric)
            as response_minutes,
          count(*) filter (where r.resolution <= r.resolution_goal) as resolution_in_time,
          count(*) filter (where coalesce(r.resolution, case when r.is_active then r.age end) > r.resolution_goal)
            as resolution_late,
          round((percentile_cont(0.5) within group (order by extract(epoch from r.resolution)) / 60)::numeric)
            as resolution_minutes
        from reported r where r.counts and r.severity = s.severity
      ) count_of
    ),
    'categories', (
      select coalesce(jsonb_agg(jsonb_build_object('category', k.category, 'incidents', k.incidents)
        order by k.incidents desc, k.category), '[]')
      from (select r.category, count(*) as incidents from reported r where r.counts group by r.category) k
    ),
    'not_reviewed', (select count(*) from reported r where not r.counts)
  )
  from span join public.clients c on c.id = p_client_id;
$$;

-- For the office, and for contacts of the client. Of a month that has begun; the present one is up to now.
create function public.client_month(p_client_id uuid, p_month date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  is_manager constant boolean := private.has_role('admin', 'ops_manager');
  document jsonb;
begin
  perform private.require_day(p_month, 'month');
  if p_client_id is null or not (is_manager or p_client_id = any (private.client_of_caller())) then
    raise exception 'You may not see the report of this client.' using errcode = 'insufficient_privilege';
  end if;
  if p_month > private.company_date() then
    raise exception 'This month has not begun.' using errcode = 'invalid_parameter_value';
  end if;
  document := private.client_month(p_client_id, p_month);
  if document is null then
    raise exception 'This client does not exist.' using errcode = 'PT404';
  end if;
  -- What the company has not checked yet is not for the client.
  return case when is_manager then document else document || '{"not_reviewed": 0}' end;
end
$$;

-- Mailed on the first day of the next month; null, as at first, is off.
alter table public.clients
  add column report_email text
    check (char_length(report_email) <= 255 and report_email ~ '^[^@\s]+@[^@\s]+\.[^@\s]+$');
comment on column public.clients.report_email is 'Where the monthly report is mailed; null: nowhere';

create table private.client_report_mails (
  id uuid primary key default gen_random_uuid(),
  client_id uuid not null references public.clients (id) on delete cascade,
  month date not null,
  email text not null,
  attempts integer not null default 0,
  -- Time of the next attempt; null after the last one failed.
  next_at timestamptz default now(),
  last_error text
);
-- Apart from the queue, whose rows go when their mail is sent: a month is mailed once.
create table private.client_reports (
  client_id uuid not null references public.clients (id) on delete cascade,
  month date not null,
  queued_at timestamptz not null default now(),
  primary key (client_id, month)
);
create index client_report_mails_client_id_idx on private.client_report_mails (client_id);
create index client_report_mails_next_at_idx on private.client_report_mails (next_at);
alter table private.client_report_mails enable row level security;
alter table private.client_reports enable row level security;
revoke all on private.client_report_mails, private.client_reports from public, anon, authenticated;

-- Which month is to be mailed at an instant: the last one, on the first three days of the next from 7 AM of the company,
-- because no server may have run on the first. Null on other days.
create function private.month_to_mail(p_at timestamptz) returns date
language sql stable security definer set search_path = '' as $$
  select case
    when extract(day from local.at) <= 3 and local.at::time >= time '07:00'
    then (date_trunc('month', local.at) - interval '1 month')::date
  end
  from (select p_at at time zone s.time_zone as at from private.settings s) local;
$$;

-- Each client once a month. @returns how many mails
create function private.queue_reports_of(p_month date) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  queued integer;
begin
  with due as (
    insert into private.client_reports (client_id, month)
    select c.id, p_month from public.clients c where c.report_email is not null
    on conflict do nothing
    returning client_id
  )
  insert into private.client_report_mails (client_id, month, email)
  select d.client_id, p_month, c.report_email from due d join public.clients c on c.id = d.client_id;
  get diagnostics queued = row_count;
  return queued;
end
$$;

create function private.queue_client_reports() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  month constant date := private.month_to_mail(now());
begin
  return case when month is null then 0 else private.queue_reports_of(month) end;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.client_month from public, anon;
grant execute on function public.client_month to authenticated;
