set local check_function_bodies = off;

create function private.calls_of_client(p_client_id uuid, p_from timestamptz, p_until timestamptz)
returns table (
  priority text, calls integer, false_alarms integer, answered_in_time integer, answered_late integer,
  answer_minutes integer, on_scene_in_time integer, on_scene_late integer, on_scene_minutes integer
)
language sql stable security definer set search_path = '' as $$
  select p.priority, count(c.id)::integer,
    count(*) filter (where c.outcome = 'false_alarm')::integer,
    count(*) filter (where c.answered_at <= c.answer_due_at)::integer,
    count(*) filter (where coalesce(c.answered_at, k.still) > c.answer_due_at)::integer,
    round((percentile_cont(0.5) within group (order by extract(epoch from c.answered_at - c.received_at))
      / 60)::numeric)::integer,
    count(*) filter (where c.on_scene_at <= c.on_scene_due_at)::integer,
    count(*) filter (where coalesce(c.on_scene_at, k.still) > c.on_scene_due_at)::integer,
    round((percentile_cont(0.5) within group (order by extract(epoch from c.on_scene_at - c.received_at))
      / 60)::numeric)::integer
  from unnest(array['danger', 'urgent', 'routine']) with ordinality p (priority, place)
  left join public.service_calls c on c.client_id = p_client_id and c.priority = p.priority and c.state <> 'cancelled'
    and c.received_at >= p_from and c.received_at < p_until
  cross join lateral (select case when c.closed_at is null then now() end as still) k
  group by p.priority, p.place order by p.place;
$$;

create or replace function private.client_month(p_client_id uuid, p_month date) returns jsonb
language sql stable security definer set search_path = '' as $$
  with span as (
    select d.first, (d.first + interval '1 month')::date - 1 as last,
      private.company_midnight(d.first) as begins,
        private.company_midnight((d.first + interval '1 month')::date) as ends
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
    'calls', (
      select jsonb_agg(to_jsonb(k)) from private.calls_of_client(p_client_id, span.begins, span.ends) k
    ),
    'not_reviewed', (select count(*) from reported r where not r.counts)
  )
  from span join public.clients c on c.id = p_client_id;
$$;

create function private.require_client_month(p_client_id uuid, p_month date) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  is_manager constant boolean := private.has_role('admin', 'ops_manager');
begin
  perform private.require_day(p_month, 'month');
  if p_client_id is null or not (is_manager or p_client_id = any (private.client_of_caller())) then
    raise exception 'You may not see the report of this client.' using errcode = 'insufficient_privilege';
  end if;
  if p_month > private.company_date() then
    raise exception 'This month has not begun.' using errcode = 'invalid_parameter_value';
  end if;
  return is_manager;
end
$$;

create or replace function public.client_month(p_client_id uuid, p_month date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  is_manager constant boolean := private.require_client_month(p_client_id, p_month);
  document jsonb;
begin
  document := private.client_month(p_client_id, p_month);
  if document is null then
    raise exception 'This client does not exist.' using errcode = 'PT404';
  end if;
  -- What the company has not checked yet is not for the client.
  return case when is_manager then document else document || '{"not_reviewed": 0}' end;
end
$$;

create function public.client_calls(p_client_id uuid, p_month date)
returns table (
  priority text, calls integer, false_alarms integer, answered_in_time integer, answered_late integer,
  answer_minutes integer, on_scene_in_time integer, on_scene_late integer, on_scene_minutes integer
)
language plpgsql stable security definer set search_path = '' as $$
declare
  first constant date := date_trunc('month', p_month)::date;
begin
  perform private.require_client_month(p_client_id, p_month);
  return query select * from private.calls_of_client(p_client_id, private.company_midnight(first),
    private.company_midnight((first + interval '1 month')::date));
end
$$;
comment on function public.client_calls is 'Nullable: answer_minutes, on_scene_minutes';
grant execute on function public.client_calls to authenticated;
