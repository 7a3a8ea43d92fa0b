-- The screen of unbilled hours reads sums of whole months, and by the hour only what is not summed yet or cut by its days.

-- The timesheets that may have unbilled time within these days, at these sites or all.
create function private.timesheets_to_bill(p_from date, p_to date, p_sites uuid[]) returns uuid[]
language sql stable security definer set search_path = '' set work_mem = '32MB' as $$
  select array(
    select u.timesheet_id from private.unbilled_sums u
    where u.month between date_trunc('month', p_from::timestamp)::date and p_to and (p_sites is null or u.site_id = any (p_sites))
    union
    select t.id from private.timesheets_to_sum(p_from - 1, p_to + 1) t (id)
  );
$$;

create or replace function private.timesheets_to_bill(p_from date, p_to date) returns uuid[]
language sql stable security definer set search_path = '' as $$
  select private.timesheets_to_bill(p_from, p_to, null);
$$;
-- How many a request can read before it times out.
create function private.most_timesheets_by_hour() returns integer language sql immutable return 20000;

-- All arrays one after another. Strict, so that a single array is passed on without being read.
create function private.join_ids(uuid[], uuid[]) returns uuid[] language sql immutable strict return $1 || $2;
create aggregate private.joined(uuid[]) (sfunc = private.join_ids, stype = uuid[]);

-- Unbilled hours by guard, site, contract, reason and mostly timesheet. Without p_has_records attendance_ids are null.
create function private.unbilled_parts(p_from date, p_to date, p_client_id uuid, p_has_records boolean)
returns table (
  site_id uuid, user_id uuid, contract_id uuid, reason text, minutes integer, first_at timestamptz, last_at timestamptz,
  attendance_ids uuid[]
)
language plpgsql stable security definer set search_path = '' set jit = off set work_mem = '64MB'
set plan_cache_mode = 'force_custom_plan' as $$
declare
  most constant integer := private.most_timesheets_by_hour();
  sites constant uuid[] := array(select s.id from public.sites s where p_client_id is null or s.client_id = p_client_id);
  -- The whole months are [first_month, end_month).
  first_month date := (date_trunc('month', p_from::timestamp - interval '1 day') + interval '1 month')::date;
  end_month date := date_trunc('month', p_to::timestamp + interval '1 day')::date;
  changed uuid[];
  head uuid[] := '{}';
  tail uuid[] := '{}';
begin
  if first_month >= end_month then
    -- All of the days are before the whole months, of which there are none.
    first_month := p_to + 1;
    end_month := p_to + 1;
  end if;
  changed := array(select t.id from private.timesheets_to_sum(first_month - 1, end_month) t (id) where first_month < end_month);
  if p_from < first_month then
    head := private.timesheets_to_bill(p_from, first_month - 1, case when p_client_id is not null then sites end);
  end if;
  if p_to >= end_month then
    tail := private.timesheets_to_bill(end_month, p_to, case when p_client_id is not null then sites end);
  end if;
  if cardinality(changed) > most then
    raise exception 'Unbilled hours are being summed. Try again in a few minutes.';
  elsif cardinality(changed) + cardinality(head) + cardinality(tail) > most then
    raise exception 'These are too many hours to read by the day. Choose whole months or a client.'
      using errcode = 'invalid_parameter_value';
  end if;
  return query
  with spans as materialized (
    select o.site_id, o.user_id, o.contract_id, case when o.contract_id is not null and not o.is_approved then 'not_approved'
        else private.unbilled_reason(o.contract_id, o.basis, o.rate) end as reason, o.minutes, o.span, o.attendance_id
    from (values (p_from, first_month - 1, head), (first_month, end_month - 1, changed), (end_month, p_to, tail)) p (first, last, ids)
    cross join lateral private.open_spans(sites, p.first, p.last, p.ids, false) o
    where p.ids <> '{}'
  )
  select u.site_id, u.user_id, u.contract_id,
    case when u.reason <> 'no_contract' and t.id is not null then 'not_approved' else u.reason end,
    u.minutes, u.first_at, u.last_at, case when p_has_records then u.attendance_ids end
  from private.unbilled_sums u
  left join public.timesheets t on t.id = u.timesheet_id and t.status not in ('approved', 'locked')
  where u.month >= first_month and u.month < end_month and (p_client_id is null or u.site_id = any (sites))
    and not (u.timesheet_id = any (changed))
  union all
  select s.site_id, s.user_id, s.contract_id, s.reason, sum(s.minutes)::integer, min(lower(s.span)), max(upper(s.span)),
    case when p_has_records then coalesce(array_agg(distinct s.attendance_id) filter (where s.attendance_id is not null), '{}') end
  from spans s
  group by s.site_id, s.user_id, s.contract_id, s.reason;
end
$$;

-- As before.
create or replace function public.unbilled_hours(p_from date, p_to date, p_client_id uuid default null)
returns table (
  id text, client_id uuid, client_name text, contract_id uuid, site_id uuid, site_name text, user_id uuid, full_name text,
  reason text, note text, minutes integer, first_at timestamptz, last_at timestamptz, attendance_ids uuid[]
)
language plpgsql stable security definer set search_path = '' set jit = off set work_mem = '64MB'
set plan_cache_mode = 'force_custom_plan' set statement_timeout = '30s' as $$
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
    select b.site_id, b.user_id, null, 'waived', b.waived_reason, sum(b.minutes)::integer, min(lower(b.span)), max(upper(b.span)),
      coalesce(array_agg(distinct b.attendance_id) filter (where b.attendance_id is not null), '{}')
    from public.billed_time b
    where b.waived_at is not null and b.freed_at is null
      and lower(b.span) >= private.company_midnight(p_from) and lower(b.span) < private.company_midnight(p_to + 1)
    group by b.site_id, b.user_id, b.waived_reason
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
$$;

-- As before, without the records behind the sums.
create or replace function public.unbilled_totals(p_from date, p_to date, p_client_id uuid default null)
returns table (client_id uuid, client_name text, reason text, minutes bigint, guards bigint)
language plpgsql stable security definer set search_path = '' set jit = off set work_mem = '64MB'
set plan_cache_mode = 'force_custom_plan' set statement_timeout = '30s' as $$
begin
  perform private.require_billing_role();
  perform private.require_billed_days(p_from, p_to);
  return query
  with hours as (
    select u.site_id, u.user_id, u.reason, u.minutes
    from private.unbilled_parts(p_from, p_to, p_client_id, false) u
    union all
    select b.site_id, b.user_id, 'waived', b.minutes
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
$$;

revoke all on all functions in schema private from public;
