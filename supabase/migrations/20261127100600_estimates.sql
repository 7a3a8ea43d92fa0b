-- Billing before a period is over: what is not approved yet and what the roster still plans are estimated at the regular
-- rate. A later draft bills the hours as they were worked, and takes the estimate back.

create function private.estimate_lines(p_scopes private.draft_scope[], p_left private.unbilled_span[])
returns setof private.draft_line
language plpgsql stable security definer set search_path = '' set jit = off as $$
declare
  today date := private.company_date();
  scopes private.draft_scope[] := array(select s from unnest(p_scopes) s where s.last >= today);
  sites uuid[] := array(
    select distinct c.site_id from unnest(scopes) s join public.contract_posts c on c.contract_id = s.contract_id
    where c.basis <> 'fixed'
  );
  zone text := (select s.time_zone from private.settings s);
begin
  if cardinality(sites) = 0 then
    return;
  end if;
  return query
  with planned as materialized (
    select h.site_id, h.post_id, (a.starts_at at time zone zone)::date as day,
      (extract(epoch from upper(a.period) - lower(a.period)) / 60)::integer as minutes
    from public.assignments a join public.shifts h on h.id = a.shift_id
    where a.site_id = any (sites) and a.counts_as_staffed and a.attendance_state <> 'out' and upper(a.period) > now()
      and a.starts_at < private.company_midnight((select max(s.last) from unnest(scopes) s) + 1)
  ), places as materialized (
    select d.site_id, d.post_id, d.day, (c.post).id as contract_post_id, (c.post).contract_id as contract_id, (c.post).basis as basis
    from (select distinct p.site_id, p.post_id, p.day from planned p) d
    cross join lateral (select private.contract_post_on(d.site_id, d.post_id, d.day) as post offset 0) c
  ), expected as (
    select l.contract_id, l.contract_post_id, l.basis, p.site_id, p.post_id, p.day, p.minutes, p.minutes as to_come
    from planned p
    join places l on l.site_id = p.site_id and l.day = p.day and l.post_id is not distinct from p.post_id
    where l.basis <> 'fixed'
    union all
    select u.contract_id, u.contract_post_id, u.basis, u.site_id, u.post_id, u.day, u.minutes, 0
    from unnest(p_left) u
    where u.basis <> 'fixed' and not u.is_approved
  ), hours as (
    select e.contract_id, e.contract_post_id, e.site_id, e.post_id, date_trunc('month', e.day::timestamp)::date as month,
      min(e.day) as first, sum(e.minutes)::integer as minutes, 'hours expected' as label, sum(e.to_come) as to_come
    from expected e join unnest(scopes) s on s.contract_id = e.contract_id and e.day between s.first and s.last
    group by e.contract_id, e.contract_post_id, e.site_id, e.post_id, date_trunc('month', e.day::timestamp)
  ), estimated as (
    select * from hours
    union all
    -- Up to the minimum of a month that is not over.
    select m.contract_id, m.contract_post_id, m.site_id, m.post_id, m.month, least(today, m.last_day),
      m.minimum_minutes - coalesce(b.minutes, 0) - coalesce((
        select sum(h.to_come) from hours h where h.contract_post_id = m.contract_post_id and h.month = m.month), 0)::integer,
      'up to the minimum', 0
    from private.months_to_bill(scopes) m
    left join private.minimum_minutes(scopes) b on b.contract_post_id = m.contract_post_id and b.month = m.month
    where m.basis = 'minimum' and m.last_day >= today
  )
  select gen_random_uuid(), e.contract_id, e.contract_post_id, e.site_id, e.post_id, 'estimate', e.label || ', ' || to_char(e.month, 'FMMonth YYYY'),
    round(e.minutes / 60.0, 4), 'h', p.rate, round(e.minutes * p.rate / 60, 2),
    case when p.tax is not null then s.tax_name end, p.tax, e.minutes, e.month, null::uuid,
    datemultirange(daterange(e.first, d.last + 1)),
    format('Not worked or not approved yet, %s. The next invoice settles it.', private.days_text(e.first, d.last))
  from estimated e
  join unnest(scopes) s on s.contract_id = e.contract_id
  cross join lateral (select least(s.last, (e.month + interval '1 month - 1 day')::date) as last) d
  cross join lateral (
    select private.hour_rate(e.contract_id, e.contract_post_id, 'regular', least(greatest(today, e.month), d.last)) as rate,
      private.tax_rate_on(s.tax_name, least(greatest(today, e.month), d.last)) as tax
  ) p
  where e.minutes > 0 and p.rate is not null;
end
$$;

-- The estimates of issued invoices that no line takes back yet, with their days; none lies after the contract. Lines of
-- drafts within p_replaced, which are drawn again, don't count.
create function private.unsettled_estimates(p_contracts uuid[], p_replaced daterange default 'empty')
returns table (contract_id uuid, number text, line public.invoice_lines, first date, last date)
language sql stable security definer set search_path = '' as $$
  select i.contract_id, i.number, l, least(lower(l.days), d.last), d.last
  from public.invoices i
  join public.invoice_lines l on l.invoice_id = i.id
  join public.contracts c on c.id = i.contract_id
  cross join lateral (select least(upper(l.days) - 1, c.ends_on) as last) d
  where i.contract_id = any (p_contracts) and i.status <> 'draft' and l.kind = 'estimate' and l.credited_at is null
    and not exists (
      select from public.invoice_lines t join public.invoices s on s.id = t.invoice_id
      where t.settles_line_id = l.id and t.credited_at is null
        and not (s.status = 'draft' and daterange(s.period_start, s.period_end, '[]') && p_replaced)
    );
$$;

create function private.settlement_lines(p_scopes private.draft_scope[]) returns setof private.draft_line
language sql stable security definer set search_path = '' as $$
  select gen_random_uuid(), u.contract_id, (u.line).contract_post_id, (u.line).site_id, (u.line).post_id, 'settlement',
    'estimate of ' || u.number || ' taken back', -(u.line).quantity, (u.line).unit, (u.line).rate, -(u.line).amount, (u.line).tax_name, (u.line).tax_rate, null::integer, (u.line).month, (u.line).id,
    null::datemultirange, 'The hours worked are on this invoice.'
  from unnest(p_scopes) s
  cross join lateral private.unsettled_estimates(array[s.contract_id]) u
  where u.last <= s.last;
$$;

-- The contracts to draft for [p_from, p_to], with their days. Where the last invoice was issued before its period was over,
-- the days begin where it left off; days that an estimate covers to its end later than p_to wait for a later draft. A
-- contract that ends before p_to ends its draft.
create function private.draft_scopes(p_from date, p_to date, p_client_id uuid) returns setof private.draft_scope
language sql stable security definer set search_path = '' as $$
  select s.id, s.client_id, s.currency, s.tax_name, s.gap_credit, s.gap_factor, s.first, s.last
  from (
    select c.*, least(p_from, early.issued_on, open.first) as first,
      least(p_to, case when c.ends_on >= p_from then c.ends_on end, open.until) as last, open.first is not null as has_estimates
    from public.contracts c
    left join lateral (
      select case when i.issued_on <= i.period_end then i.issued_on end as issued_on
      from public.invoices i
      where i.contract_id = c.id and i.status not in ('draft', 'credited') and i.period_end >= p_from - 100
      order by i.period_end desc, i.issued_on desc limit 1
    ) early on true
    cross join lateral (
      select min(u.first) filter (where u.last <= p_to) as first, min(u.first) filter (where u.last > p_to) - 1 as until
      from private.unsettled_estimates(array[c.id], daterange(p_from, p_to, '[]')) u
    ) open
    where p_client_id is null or c.client_id = p_client_id
  ) s
  where s.last >= s.first and s.starts_on <= s.last and (s.ends_on is null or s.ends_on >= s.first or s.has_estimates);
$$;

revoke all on all functions in schema private from public;
