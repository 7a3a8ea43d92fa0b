-- Worked time that is neither billed nor waived, with the contract and the price that count for it.
create type private.unbilled_span as (
  contract_id uuid, contract_post_id uuid, basis text, site_id uuid, post_id uuid, user_id uuid, attendance_id uuid,
  shift_id uuid, day date, span tstzrange, minutes integer, kind text, is_approved boolean, rate numeric, tax_name text,
  tax_rate numeric
);

-- Which row of a contract counts for a place on a day: the one of the post, else that of the whole site.
create function private.contract_post_on(p_site_id uuid, p_post_id uuid, p_day date) returns public.contract_posts
language sql stable security definer set search_path = '' as $$
  select c from public.contract_posts c
  where c.site_id = p_site_id and (c.post_id = p_post_id or c.post_id is null)
    and p_day >= c.starts_on and (c.ends_on is null or p_day <= c.ends_on)
  order by c.post_id nulls last
  limit 1;
$$;

-- The price of an hour: of its kind before the regular one, of the post before the contract; null if none has begun.
create function private.hour_rate(p_contract_id uuid, p_contract_post_id uuid, p_kind text, p_day date) returns numeric
language sql stable security definer set search_path = '' as $$
  select r.amount from public.rates r
  where r.contract_id = p_contract_id and (r.contract_post_id = p_contract_post_id or r.contract_post_id is null)
    and r.kind in (p_kind, 'regular') and r.effective_from <= p_day
  order by r.kind = p_kind desc, r.contract_post_id nulls last, r.effective_from desc
  limit 1;
$$;

create function private.tax_rate_on(p_name text, p_day date) returns numeric
language sql stable security definer set search_path = '' as $$
  select t.rate from public.tax_rates t where t.name = p_name and t.effective_from <= p_day
  order by t.effective_from desc limit 1;
$$;

-- Of the company's days [p_from, p_to].
create function private.unbilled_spans(p_sites uuid[], p_from date, p_to date) returns setof private.unbilled_span
-- Thousands of rows: estimates of their number are far off.
language plpgsql stable security definer set search_path = '' set jit = off set work_mem = '32MB' as $$
declare
  first timestamptz := private.company_midnight(p_from);
  last timestamptz := private.company_midnight(p_to + 1);
begin
  return query
  with work as materialized (
    select s.user_id, s.attendance_id, s.shift_id, s.site_id, h.post_id, s.day, tstzrange(s.starts_at, s.ends_at) as span,
      t.status in ('approved', 'locked') as is_approved,
      case when s.rule = 'rest_day' then 'rest_day' when s.class in ('overtime_1', 'overtime_2') then 'overtime'
        else s.class end as kind
    from public.time_segments s
    join public.timesheets t on t.id = s.timesheet_id
    left join public.shifts h on h.id = s.shift_id
    where s.site_id = any (p_sites) and s.starts_at >= first and s.starts_at < last
      and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
  ), taken as materialized (
    select b.user_id, range_agg(b.span) as spans
    from public.billed_time b
    where b.freed_at is null and lower(b.span) >= first - interval '31 days' and lower(b.span) < last and upper(b.span) > first
    group by b.user_id
  ), free as materialized (
    select w.*, x.span as left_over
    from work w left join taken t on t.user_id = w.user_id
    cross join lateral (
      select w.span where t.spans is null or not t.spans && w.span
      union all
      select unnest(tstzmultirange(w.span) - t.spans) where t.spans && w.span
    ) x
  ), places as materialized (
    select p.site_id, p.post_id, p.day, (c.post).id as contract_post_id, (c.post).contract_id as contract_id, (c.post).basis as basis
    from (select distinct f.site_id, f.post_id, f.day from free f) p
    cross join lateral (select private.contract_post_on(p.site_id, p.post_id, p.day) as post offset 0) c
  ), prices as materialized (
    select p.contract_id, p.contract_post_id, p.kind, p.day,
      private.hour_rate(p.contract_id, p.contract_post_id, p.kind, p.day) as rate
    from (
      select distinct l.contract_id, l.contract_post_id, f.kind, f.day
      from free f join places l on l.site_id = f.site_id and l.day = f.day and l.post_id is not distinct from f.post_id
      where l.contract_id is not null and l.basis <> 'fixed'
    ) p
  ), taxes as materialized (
    select c.id, c.tax_name, d.day, private.tax_rate_on(c.tax_name, d.day) as rate
    from public.contracts c, (select distinct p.day from places p) d
    where c.tax_name is not null and c.id in (select p.contract_id from places p)
  )
  select l.contract_id, l.contract_post_id, l.basis, f.site_id, f.post_id, f.user_id, f.attendance_id, f.shift_id, f.day,
    f.left_over, (extract(epoch from upper(f.left_over) - lower(f.left_over)) / 60)::integer, f.kind, f.is_approved, p.rate,
    x.tax_name, x.rate
  from free f
  join places l on l.site_id = f.site_id and l.day = f.day
    and coalesce(l.post_id, '00000000-0000-0000-0000-000000000000') = coalesce(f.post_id, '00000000-0000-0000-0000-000000000000')
  left join prices p on p.contract_post_id = l.contract_post_id and p.kind = f.kind and p.day = f.day
  left join taxes x on x.id = l.contract_id and x.day = f.day;
end
$$;

-- What was worked in [p_from, p_to] and is neither billed nor waived, by record of attendance and with the reason:
-- not_approved, no_contract, no_rate, month_not_billed (of a post with a monthly amount), or not_drafted. A draft bills.
create function public.unbilled_time(p_from date, p_to date, p_client_id uuid default null)
returns table (
  client_id uuid, client_name text, contract_id uuid, site_id uuid, site_name text, post_id uuid, post_name text,
  user_id uuid, full_name text, attendance_id uuid, shift_id uuid, starts_at timestamptz, ends_at timestamptz,
  minutes integer, reason text
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  perform private.require_billed_days(p_from, p_to);
  return query
  with spans as materialized (
    select u.*, case
        when u.contract_id is null then 'no_contract'
        when not u.is_approved then 'not_approved'
        when u.basis = 'fixed' then 'month_not_billed'
        when u.rate is null then 'no_rate'
        else 'not_drafted' end as why
    from private.unbilled_spans(array(
      select s.id from public.sites s where p_client_id is null or s.client_id = p_client_id
    ), p_from, p_to) u
  ), open as (
    select s.* from spans s
    where s.basis is distinct from 'fixed' or not exists (
      select from public.invoice_lines l
      where l.contract_post_id = s.contract_post_id and l.kind = 'fixed' and l.credited_at is null
        and l.month = date_trunc('month', s.day::timestamp)::date
    )
  )
  select t.client_id, k.name, o.contract_id, o.site_id, t.name, o.post_id, p.name, o.user_id, f.full_name, o.attendance_id,
    o.shift_id, min(lower(o.span)), max(upper(o.span)), sum(o.minutes)::integer, o.why
  from open o
  join public.sites t on t.id = o.site_id
  left join public.clients k on k.id = t.client_id
  left join public.posts p on p.id = o.post_id
  left join public.profiles f on f.id = o.user_id
  group by t.client_id, k.name, o.contract_id, o.site_id, t.name, o.post_id, p.name, o.user_id, f.full_name,
    o.attendance_id, o.shift_id, o.why
  order by min(lower(o.span)), t.name, f.full_name, o.attendance_id, o.why;
end
$$;
comment on function public.unbilled_time is
  'Nullable: client_id, client_name, contract_id, post_id, post_name, full_name, attendance_id, shift_id';

create function private.require_billed_days(p_from date, p_to date) returns void
language plpgsql immutable set search_path = '' as $$
begin
  perform private.require_day(p_from, 'start');
  perform private.require_day(p_to, 'end');
  if p_to < p_from or p_to - p_from > 400 then
    raise exception 'Give a start before the end, at most 400 days apart.' using errcode = 'invalid_parameter_value';
  end if;
end
$$;

-- Never bills what is left of these records, with the reason. @returns how many minutes are waived now that were not
create function public.waive_time(p_attendance_ids uuid[], p_reason text) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  why text := nullif(btrim(p_reason), '');
  waived integer;
begin
  perform private.require_billing_role();
  if why is null or char_length(why) > 500 then
    raise exception 'Give a reason of at most 500 characters.' using errcode = 'check_violation';
  end if;
  if p_attendance_ids is null or cardinality(p_attendance_ids) > 5000 then
    raise exception 'Give at most 5000 records.' using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('draft_invoices', 0));
  with bounds as (
    select array_agg(distinct s.site_id) as sites, min(s.day) as first, max(s.day) as last
    from public.time_segments s where s.attendance_id = any (p_attendance_ids) and s.site_id is not null
  ), added as (
    insert into public.billed_time (user_id, attendance_id, shift_id, post_id, site_id, span, kind, waived_by, waived_at,
      waived_reason)
    select u.user_id, u.attendance_id, u.shift_id, u.post_id, u.site_id, u.span, u.kind, auth.uid(), now(), why
    from bounds b cross join lateral private.unbilled_spans(b.sites, b.first, b.last) u
    where u.attendance_id = any (p_attendance_ids)
    returning minutes
  )
  select coalesce(sum(a.minutes), 0) into waived from added a;
  return waived;
end
$$;

-- Takes waivers back, so that the time can be billed. @returns how many minutes
create function public.unwaive_time(p_attendance_ids uuid[]) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  restored integer;
begin
  perform private.require_billing_role();
  if p_attendance_ids is null or cardinality(p_attendance_ids) > 5000 then
    raise exception 'Give at most 5000 records.' using errcode = 'invalid_parameter_value';
  end if;
  with gone as (
    delete from public.billed_time b where b.attendance_id = any (p_attendance_ids) and b.waived_at is not null
    returning b.minutes
  )
  select coalesce(sum(g.minutes), 0) into restored from gone g;
  return restored;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.unbilled_time, public.waive_time, public.unwaive_time from public, anon;
grant execute on function public.unbilled_time, public.waive_time, public.unwaive_time to authenticated, service_role;
