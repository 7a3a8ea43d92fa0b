-- Nothing is billed above the headcount that a post requires at any minute (decision 0098).

-- Time that no invoice bills because enough other guards are billed for it. Each drawing of a draft decides it again.
alter table public.billed_time
  add column is_surplus boolean not null default false,
  add constraint billed_time_surplus_is_not_billed check (not is_surplus or waived_at is not null);

-- Divides unbilled time at posts into what is within the headcount and what is above it. At each minute the guards on invoices
-- come first, then those whose own shift runs, then who came first. While no shift of the post runs, staying on is part of
-- the shift that was worked, with its headcount.
create function private.within_headcount(p_spans private.unbilled_span[])
returns table (is_surplus boolean, piece private.unbilled_span)
-- Thousands of rows from functions: estimates of their number are far off.
language plpgsql stable security definer set search_path = '' set jit = off set enable_nestloop = off set work_mem = '32MB' as $$
declare
  sites uuid[] := array(select distinct u.site_id from unnest(p_spans) u where u.contract_id is not null and u.basis <> 'fixed');
  first timestamptz := (select min(lower(u.span)) from unnest(p_spans) u);
  last timestamptz := (select max(upper(u.span)) from unnest(p_spans) u);
  no_post constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  return query
  with spans as materialized (
    select row_number() over () as number, u as whole, u.site_id, coalesce(u.post_id, no_post) as post_id, u.user_id, u.shift_id, u.span,
      u.contract_id is not null and u.basis <> 'fixed' and u.shift_id is not null as is_limited
    from unnest(p_spans) u
  ), presence as materialized (
    select s.number, s.site_id, s.post_id, s.user_id, s.shift_id, s.span,
      min(lower(s.span)) over (partition by s.user_id, s.shift_id) as came
    from spans s where s.is_limited
    union all
    select null, b.site_id, coalesce(b.post_id, no_post), b.user_id, b.shift_id, b.span, lower(b.span)
    from public.billed_time b
    where b.invoice_line_id is not null and b.freed_at is null and b.shift_id is not null and b.site_id = any (sites)
      and lower(b.span) >= first - interval '2 days' and lower(b.span) < last and upper(b.span) > first
  ), duties as materialized (
    select h.id, h.site_id, coalesce(h.post_id, no_post) as post_id, h.start_time, h.end_time, h.required_headcount as headcount
    from public.shifts h
    where h.site_id = any (sites) and h.start_time >= first - interval '3 days' and h.start_time < last + interval '1 day'
  ), changes as (
    select d.site_id, d.post_id, c.at, sum(c.required) as required, 0 as present
    from duties d cross join lateral (values (d.start_time, d.headcount), (d.end_time, -d.headcount)) c (at, required)
    group by d.site_id, d.post_id, c.at
    union all
    select p.site_id, p.post_id, c.at, 0, sum(c.present)
    from presence p cross join lateral (values (lower(p.span), 1), (upper(p.span), -1)) c (at, present)
    group by p.site_id, p.post_id, c.at
  ), instants as (
    select c.site_id, c.post_id, c.at, sum(c.required) as required, sum(c.present) as present
    from changes c group by c.site_id, c.post_id, c.at
  ), sums as (
    select i.site_id, i.post_id, i.at, lead(i.at) over w as until, sum(i.required) over w as required, sum(i.present) over w as present
    from instants i window w as (partition by i.site_id, i.post_id order by i.at)
  ), crowded as materialized (
    select s.* from sums s where s.present > greatest(s.required, 1) and s.until > s.at
  ), claims as (
    select c.site_id, c.post_id, c.at, c.until, p.number, c.required,
      max(d.headcount) over (partition by c.site_id, c.post_id, c.at) as of_shifts,
      row_number() over (partition by c.site_id, c.post_id, c.at order by p.number is not null,
        coalesce(d.start_time <= c.at and d.end_time >= c.until, false) desc, p.came, p.user_id) as place
    from crowded c
    join presence p on p.site_id = c.site_id and p.post_id = c.post_id and p.span && tstzrange(c.at, c.until)
    left join duties d on d.id = p.shift_id
  ), surplus as (
    select c.number, range_agg(tstzrange(c.at, c.until)) as spans
    from claims c
    where c.number is not null and c.place > case when c.required > 0 then c.required else greatest(c.of_shifts, 1) end
    group by c.number
  )
  select x.is_surplus, row((s.whole).contract_id, (s.whole).contract_post_id, (s.whole).basis, (s.whole).site_id, (s.whole).post_id,
    (s.whole).user_id, (s.whole).attendance_id, (s.whole).shift_id, (s.whole).day, x.span,
    (extract(epoch from upper(x.span) - lower(x.span)) / 60)::integer, (s.whole).kind, (s.whole).is_approved, (s.whole).rate,
    (s.whole).tax_name, (s.whole).tax_rate, (s.whole).timesheet_id)::private.unbilled_span
  from spans s
  left join surplus u on u.number = s.number
  cross join lateral (
    select false, s.span where u.number is null
    union all
    select false, unnest(tstzmultirange(s.span) - u.spans) where u.number is not null
    union all
    select true, unnest(tstzmultirange(s.span) * u.spans) where u.number is not null
  ) x (is_surplus, span);
end
$$;

-- Time above the headcount fills no minimum up.
create or replace function private.minimum_minutes(p_scopes private.draft_scope[])
returns table (contract_post_id uuid, month date, minutes integer)
language sql stable security definer set search_path = '' as $$
  with months as materialized (
    select m.* from private.months_to_bill(p_scopes) m where m.basis = 'minimum'
  ), work as materialized (
    select m.contract_post_id, m.month, s.site_id, h.post_id, s.day, sum(s.minutes) as minutes
    from months m
    join public.time_segments s on s.site_id = m.site_id and s.starts_at >= private.company_midnight(m.first_day)
      and s.starts_at < private.company_midnight(m.last_day + 1)
    left join public.shifts h on h.id = s.shift_id
    where s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday') and m.open_days @> s.day
    group by m.contract_post_id, m.month, s.site_id, h.post_id, s.day
    union all
    select m.contract_post_id, m.month, b.site_id, b.post_id, d.day, -sum(b.minutes)
    from months m
    join public.billed_time b on b.site_id = m.site_id and lower(b.span) >= private.company_midnight(m.first_day)
      and lower(b.span) < private.company_midnight(m.last_day + 1)
    cross join lateral (select (lower(b.span) at time zone z.time_zone)::date as day from private.settings z) d
    where b.is_surplus and b.waived_at is not null and b.freed_at is null and m.open_days @> d.day
    group by m.contract_post_id, m.month, b.site_id, b.post_id, d.day
  )
  select w.contract_post_id, w.month, sum(w.minutes)::integer from work w
  where (private.contract_post_on(w.site_id, w.post_id, w.day)).id = w.contract_post_id
  group by w.contract_post_id, w.month;
$$;

create or replace function public.unwaive_time(p_attendance_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  restored integer;
begin
  perform private.require_billing_role();
  if p_attendance_ids is null or cardinality(p_attendance_ids) > 5000 then
    raise exception 'Give at most 5000 records.' using errcode = 'invalid_parameter_value';
  end if;
  with gone as (
    delete from public.billed_time b where b.attendance_id = any (p_attendance_ids) and b.waived_at is not null
      and not b.is_surplus
    returning b.minutes
  )
  select coalesce(sum(g.minutes), 0) into restored from gone g;
  return restored;
end
$function$
;


create or replace function public.unbilled_hours(p_from date, p_to date, p_client_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(id text, client_id uuid, client_name text, contract_id uuid, site_id uuid, site_name text, user_id uuid, full_name text, reason text, note text, minutes integer, first_at timestamp with time zone, last_at timestamp with time zone, attendance_ids uuid[])
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
 SET work_mem TO '64MB'
 SET plan_cache_mode TO 'force_custom_plan'
 SET statement_timeout TO '30s'
AS $function$
begin
  perform private.require_billing_role();
  perform private.require_billed_days(p_from, p_to);
  return query
  with sums as (
    select u.site_id, u.user_id, u.contract_id, u.reason, sum(u.minutes)::integer as minutes, min(u.first_at) as first_at,
      max(u.last_at) as last_at, count(*) as parts, private.joined(u.attendance_ids) as ids
    from private.unbilled_parts(p_from, p_to, p_client_id, true) u
    group by u.site_id, u.user_id, u.contract_id, u.reason
  ), hours as (
    select u.site_id, u.user_id, u.contract_id, u.reason, null::text as note, u.minutes, u.first_at, u.last_at,
      case when u.parts = 1 then u.ids else array(select distinct i from unnest(u.ids) i order by i) end as attendance_ids
    from sums u
    union all
    select b.site_id, b.user_id, null, case when b.is_surplus then 'above_headcount' else 'waived' end, b.waived_reason, sum(b.minutes)::integer, min(lower(b.span)), max(upper(b.span)),
      coalesce(array_agg(distinct b.attendance_id) filter (where b.attendance_id is not null), '{}')
    from public.billed_time b
    where b.waived_at is not null and b.freed_at is null
      and lower(b.span) >= private.company_midnight(p_from) and lower(b.span) < private.company_midnight(p_to + 1)
    group by b.site_id, b.user_id, b.is_surplus, b.waived_reason
  )
  select concat_ws(' ', h.site_id, h.user_id, h.contract_id, h.reason, md5(h.note)), s.client_id, k.name, h.contract_id,
    h.site_id, s.name, h.user_id, coalesce(nullif(p.full_name, ''), 'Former user'), h.reason, h.note,
    h.minutes, h.first_at, h.last_at, h.attendance_ids
  from hours h
  join public.sites s on s.id = h.site_id
  left join public.clients k on k.id = s.client_id
  left join public.profiles p on p.id = h.user_id
  where p_client_id is null or s.client_id = p_client_id;
end
$function$
;


create or replace function public.unbilled_totals(p_from date, p_to date, p_client_id uuid DEFAULT NULL::uuid)
 RETURNS TABLE(client_id uuid, client_name text, reason text, minutes bigint, guards bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
 SET work_mem TO '64MB'
 SET plan_cache_mode TO 'force_custom_plan'
 SET statement_timeout TO '30s'
AS $function$
begin
  perform private.require_billing_role();
  perform private.require_billed_days(p_from, p_to);
  return query
  with hours as (
    select u.site_id, u.user_id, u.reason, u.minutes
    from private.unbilled_parts(p_from, p_to, p_client_id, false) u
    union all
    select b.site_id, b.user_id, case when b.is_surplus then 'above_headcount' else 'waived' end, b.minutes
    from public.billed_time b
    where b.waived_at is not null and b.freed_at is null
      and lower(b.span) >= private.company_midnight(p_from) and lower(b.span) < private.company_midnight(p_to + 1)
  ), of_guards as (
    select s.client_id, h.reason, h.user_id, sum(h.minutes) as minutes
    from hours h join public.sites s on s.id = h.site_id
    where p_client_id is null or s.client_id = p_client_id
    group by s.client_id, h.reason, h.user_id
  ), sums as (
    select g.client_id, g.reason, sum(g.minutes)::bigint as minutes, count(g.user_id) as guards
    from of_guards g group by g.client_id, g.reason
  )
  select s.client_id, k.name, s.reason, s.minutes, s.guards
  from sums s left join public.clients k on k.id = s.client_id
  order by k.name, s.reason;
end
$function$
;


revoke all on all functions in schema private from public;
