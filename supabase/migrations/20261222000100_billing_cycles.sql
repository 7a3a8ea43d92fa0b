-- How often a contract is billed decides its periods, and the billing day when a period is due (decision 0098).

-- The periods of a contract whose last day is within [p_from, p_to]: months, quarters and years of the calendar, as far as the
-- contract reaches. A contract that is billed on demand has none.
create function private.billing_periods(p_contract public.contracts, p_from date, p_to date)
returns table (first date, last date, due_on date)
language sql stable set search_path = '' as $$
  select d.first, d.last, (date_trunc('month', d.last::timestamp) + interval '1 month')::date + p_contract.billing_day - 1
  from (
    values ('monthly', 'month', interval '1 month'), ('quarterly', 'quarter', interval '3 months'), ('annually', 'year', interval '1 year')
  ) y (cycle, unit, length)
  cross join lateral generate_series(
    date_trunc(y.unit, greatest(p_contract.starts_on, p_from - 366)::timestamp), p_to::timestamp, y.length
  ) g (start)
  cross join lateral (
    select greatest(g.start::date, p_contract.starts_on) as first, least((g.start + y.length)::date - 1, p_contract.ends_on) as last
  ) d
  where y.cycle = p_contract.billing_cycle and d.last >= d.first and d.last between p_from and p_to;
$$;

-- Whether hours of this month are to be billed by now.
create function private.is_billing_due(p_cycle text, p_billing_day integer, p_ends_on date, p_month date, p_on date) returns boolean
language sql immutable set search_path = ''
return coalesce(p_cycle <> 'on-demand' and (
  date_trunc('month', least(
    date_trunc(case p_cycle when 'quarterly' then 'quarter' when 'annually' then 'year' else 'month' end, p_month::timestamp)
      + case p_cycle when 'quarterly' then interval '3 months' when 'annually' then interval '1 year' else interval '1 month' end
      - interval '1 day',
    case when p_ends_on is not null then greatest(p_ends_on, p_month)::timestamp end
  )) + interval '1 month')::date + p_billing_day - 1 <= p_on, false);

-- The days that issued invoices of a contract are for.
create function private.invoiced_days(p_contract_id uuid) returns datemultirange
language sql stable security definer set search_path = '' as $$
  select coalesce(range_agg(daterange(i.period_start, i.period_end, '[]')), '{}') from public.invoices i
  where i.contract_id = p_contract_id and i.status not in ('draft', 'credited');
$$;

create function private.day_text(p_day date) returns text
language sql immutable set search_path = ''
return to_char(p_day, 'Mon FMDD, YYYY');

-- What is due on a day, and of each other contract why it isn't. A period that is invoiced in part is due for the days that are
-- left. Days before the company's first invoice were billed elsewhere.
create function private.billing_due(p_on date, p_client_id uuid)
returns table (
  contract_id uuid, client_id uuid, title text, currency text, billing_cycle text, state text, first date, last date, due_on date,
  reason text
)
language plpgsql stable security definer set search_path = '' set jit = off as $$
declare
  began date := (select min(i.period_start) from public.invoices i where i.status <> 'draft');
begin
  return query
  with chosen as materialized (
    select c, private.invoiced_days(c.id) as invoiced,
      case c.billing_cycle when 'on-demand' then 'On demand' else initcap(c.billing_cycle) end as cycle
    from public.contracts c
    where (p_client_id is null or c.client_id = p_client_id) and (c.ends_on is null or c.ends_on >= p_on - 800)
  ), periods as materialized (
    select h.*, p.first, p.last, p.due_on, p.due_on <= p_on as is_over,
      datemultirange(daterange(p.first, p.last, '[]')) - h.invoiced as left_over,
      row_number() over (partition by (h.c).id, p.due_on <= p_on order by p.last desc) as age
    from chosen h
    cross join lateral private.billing_periods(h.c, greatest(p_on - 800, began), p_on + 400) p
  ), past as materialized (
    select p.*, lower(p.left_over) as from_day, upper(p.left_over) - 1 as to_day, (
      exists (
        select from public.contract_posts o
        where o.contract_id = (p.c).id and o.basis <> 'worked' and o.starts_on <= p.last and (o.ends_on is null or o.ends_on >= p.first)
      ) or exists (
        select from public.contract_posts o
        join public.shifts h on h.site_id = o.site_id and (o.post_id is null or h.post_id = o.post_id)
        where o.contract_id = (p.c).id and h.start_time >= private.company_midnight(lower(p.left_over))
          and h.start_time < private.company_midnight(upper(p.left_over))
      ) or exists (
        select from public.contract_posts o join public.time_segments s on s.site_id = o.site_id
        where o.contract_id = (p.c).id and s.shift_id is null and s.starts_at >= private.company_midnight(lower(p.left_over))
          and s.starts_at < private.company_midnight(upper(p.left_over))
      )
    ) as has_work
    from periods p
    where p.is_over and (began is not null or p.age = 1)
  ), due as (
    select (p.c).id as id, p.from_day, p.to_day, p.due_on, exists (
      select from public.invoices i
      where i.contract_id = (p.c).id and i.status = 'draft' and i.period_start <= p.to_day and i.period_end >= p.from_day
    ) as is_drafted
    from past p where not isempty(p.left_over) and p.has_work
  )
  select d.id, (h.c).client_id, (h.c).title, (h.c).currency, (h.c).billing_cycle, 'due', d.from_day, d.to_day, d.due_on,
    format('%s: %s, due %s%s.', h.cycle, private.period_text(d.from_day, d.to_day), private.day_text(d.due_on),
      case when d.is_drafted then ', is drafted and not issued' else '' end)
  from due d join chosen h on (h.c).id = d.id
  union all
  select (h.c).id, (h.c).client_id, (h.c).title, (h.c).currency, (h.c).billing_cycle,
    case when (h.c).billing_cycle = 'on-demand' then 'on_demand' when n.first is null then 'over' else 'later' end,
    coalesce(n.first, q.first), coalesce(n.last, q.last), n.due_on,
    case
      when (h.c).billing_cycle = 'on-demand' then format('On demand: choose it yourself%s.', case
        when q.last < q.first then '' else ', from ' || private.day_text(q.first) end)
      when n.first is null then format('Ended %s. Nothing is left to bill.', private.day_text((h.c).ends_on))
      else concat(case
          when l.last is null then ''
          when isempty(l.left_over) then private.period_text(l.first, l.last) || ' is invoiced. '
          else format('Nothing was planned or agreed in %s. ', private.period_text(l.first, l.last)) end,
        format('%s: next due %s, for %s.', h.cycle, private.day_text(n.due_on), private.period_text(n.first, n.last)))
    end
  from chosen h
  left join lateral (
    select p.first, p.last, p.due_on from periods p
    where (p.c).id = (h.c).id and not p.is_over and not isempty(p.left_over) order by p.last limit 1
  ) n on true
  left join lateral (select p.first, p.last, p.left_over from past p where (p.c).id = (h.c).id order by p.last desc limit 1) l on true
  left join lateral (
    select greatest((h.c).starts_on, began, upper(h.invoiced)) as first, least(p_on - 1, (h.c).ends_on) as last
    where (h.c).billing_cycle = 'on-demand'
  ) q on true
  where not exists (select from due d where d.id = (h.c).id)
    -- A contract that ended long ago is of no interest.
    and (n.first is not null or (h.c).ends_on is null or (h.c).ends_on >= p_on - 100);
end
$$;

-- What Draft Invoices offers on a day, and why a contract is not in it.
create function public.billing_due(p_on date default null, p_client_id uuid default null)
returns table (
  contract_id uuid, client_id uuid, client_name text, title text, currency text, billing_cycle text, state text,
  period_start date, period_end date, due_on date, reason text
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  perform private.require_day(coalesce(p_on, private.company_date()), 'day');
  return query
  select d.contract_id, d.client_id, k.name, d.title, d.currency, d.billing_cycle, d.state, d.first, d.last, d.due_on, d.reason
  from private.billing_due(coalesce(p_on, private.company_date()), p_client_id) d
  join public.clients k on k.id = d.client_id
  order by k.name, d.client_id, d.title, d.contract_id, d.first;
end
$$;

-- Drafts all that is due on a day, a draft for each contract and period.
create function public.draft_due_invoices(p_on date default null, p_client_id uuid default null)
returns table (
  client_id uuid, invoice_id uuid, contract_id uuid, currency text, total numeric, line_count integer, problems jsonb
)
language plpgsql security definer set search_path = '' set jit = off set statement_timeout = '60s' as $$
declare
  this record;
begin
  perform private.require_billing_role();
  perform private.require_day(coalesce(p_on, private.company_date()), 'day');
  -- Two callers at once take turns: the second draws the first one's drafts again.
  perform pg_advisory_xact_lock(hashtextextended('draft_invoices', 0));
  for this in
    select d.first, d.last, array_agg(d.contract_id) as contracts
    from private.billing_due(coalesce(p_on, private.company_date()), p_client_id) d
    where d.state = 'due' group by d.first, d.last order by d.first, d.last
  loop
    return query
    select r.* from private.draw_drafts(this.first, this.last, array(
      select s from private.draft_scopes(this.first, this.last, p_client_id) s where s.contract_id = any (this.contracts)
    )) r
    left join public.clients k on k.id = r.client_id
    order by k.name, r.client_id, r.contract_id;
  end loop;
end
$$;

-- Drafts chosen days. A contract that is named is billed for exactly these days. Else those that are billed monthly are, a
-- quarter or a year is billed whole if it ends within them, and of each other contract the row has the reason.
drop function public.draft_invoices(date, date, uuid);
create function public.draft_invoices(
  "from" date, "to" date, inout client_id uuid default null, inout contract_id uuid default null, out invoice_id uuid,
  out currency text, out total numeric, out line_count integer, out problems jsonb
)
returns setof record
language plpgsql security definer set search_path = '' set jit = off set statement_timeout = '60s' as $$
declare
  one uuid := draft_invoices.contract_id;
  of_client uuid := draft_invoices.client_id;
  this record;
begin
  perform private.require_billing_role();
  perform private.require_billed_days(draft_invoices."from", draft_invoices."to");
  perform pg_advisory_xact_lock(hashtextextended('draft_invoices', 0));
  for this in
    select p.first, p.last, array_agg(p.id) as contracts
    from (
      select c.id, draft_invoices."from" as first, draft_invoices."to" as last from public.contracts c
      where c.id = one or one is null and c.billing_cycle = 'monthly'
      union all
      select c.id, lower(l.days), upper(l.days) - 1
      from public.contracts c
      cross join lateral private.billing_periods(c, draft_invoices."from", draft_invoices."to") d
      cross join lateral (
        select datemultirange(daterange(d.first, d.last, '[]')) - private.invoiced_days(c.id) as open
      ) o
      -- Invoiced days are drawn again where all are, for hours that came late.
      cross join lateral (select case when isempty(o.open) then datemultirange(daterange(d.first, d.last, '[]')) else o.open end as days) l
      where one is null and c.billing_cycle in ('quarterly', 'annually') and (of_client is null or c.client_id = of_client)
    ) p
    group by p.first, p.last order by p.first, p.last
  loop
    return query
    select d.client_id, d.contract_id, d.invoice_id, d.currency, d.total, d.line_count, d.problems
    from private.draw_drafts(this.first, this.last, array(
      select s from private.draft_scopes(this.first, this.last, of_client) s where s.contract_id = any (this.contracts)
    )) d
    left join public.clients k on k.id = d.client_id
    order by k.name, d.client_id, d.contract_id;
  end loop;
  return query
  select b.client_id, b.contract_id, null::uuid, b.currency, 0::numeric, 0,
    jsonb_build_array(jsonb_build_object('code', 'not_due', 'text', b.reason))
  from private.billing_due(private.company_date(), of_client) b
  join public.contracts c on c.id = b.contract_id
  where one is null and b.state in ('later', 'on_demand') and c.billing_cycle <> 'monthly'
    and c.starts_on <= draft_invoices."to" and (c.ends_on is null or c.ends_on >= draft_invoices."from")
    and not exists (select from private.billing_periods(c, draft_invoices."from", draft_invoices."to"));
end
$$;

-- Hours are not open while their period isn't due.
create or replace function private.unbilled_parts(p_from date, p_to date, p_client_id uuid, p_has_records boolean)
returns table (
  site_id uuid, user_id uuid, contract_id uuid, reason text, minutes integer, first_at timestamptz, last_at timestamptz,
  attendance_ids uuid[]
)
language plpgsql stable security definer set search_path = '' set jit = off set work_mem = '64MB'
set plan_cache_mode = force_custom_plan as $$
declare
  most constant integer := private.most_timesheets_by_hour();
  sites constant uuid[] := array(select s.id from public.sites s where p_client_id is null or s.client_id = p_client_id);
  today constant date := private.company_date();
  zone constant text := (select s.time_zone from private.settings s);
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
  ), parts as (
    select u.site_id, u.user_id, u.contract_id,
      case when u.reason <> 'no_contract' and t.id is not null then 'not_approved' else u.reason end as why, u.month,
      u.minutes, u.first_at, u.last_at, case when p_has_records then u.attendance_ids end as ids
    from private.unbilled_sums u
    left join public.timesheets t on t.id = u.timesheet_id and t.status not in ('approved', 'locked')
    where u.month >= first_month and u.month < end_month and (p_client_id is null or u.site_id = any (sites))
      and not (u.timesheet_id = any (changed))
    union all
    select s.site_id, s.user_id, s.contract_id, s.reason, m.month, sum(s.minutes)::integer, min(lower(s.span)), max(upper(s.span)),
      case when p_has_records then coalesce(array_agg(distinct s.attendance_id) filter (where s.attendance_id is not null), '{}') end
    from spans s
    cross join lateral (select date_trunc('month', lower(s.span) at time zone zone)::date as month) m
    group by s.site_id, s.user_id, s.contract_id, s.reason, m.month
  )
  select p.site_id, p.user_id, p.contract_id, case
      when p.why not in ('not_drafted', 'month_not_billed') then p.why
      when c.billing_cycle = 'on-demand' then 'on_demand'
      when c.id is not null and not private.is_billing_due(c.billing_cycle, c.billing_day, c.ends_on, p.month, today) then 'not_due'
      else p.why end,
    p.minutes, p.first_at, p.last_at, p.ids
  from parts p left join public.contracts c on c.id = p.contract_id;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.billing_due, public.draft_due_invoices, public.draft_invoices from public, anon;
grant execute on function public.billing_due, public.draft_due_invoices, public.draft_invoices to authenticated, service_role;
