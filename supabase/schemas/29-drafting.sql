-- Drafts of invoices: from hours, minimums, estimates and fixed amounts to lines.

-- ── Tables ────────────────────────────────────────────────────────────

create type private.draft_line as (
  id uuid, contract_id uuid, contract_post_id uuid, site_id uuid, post_id uuid, kind text, label text, quantity numeric,
  unit text, rate numeric, amount numeric, tax_name text, tax_rate numeric, minutes integer, month date,
  settles_line_id uuid, days datemultirange, explanation text, vat_treatment text,
  price_with_tax numeric -- Of a settlement: what it takes back, if the price contained the tax.
);

-- A contract to draft, and its days: p_from to p_to of the caller, from where an early invoice left off.
create type private.draft_scope as (
  contract_id uuid, client_id uuid, currency text, gap_credit text, gap_factor numeric, first date,
  last date
);

-- Worked time that is neither billed nor waived, with the contract and the price that count for it.
create type private.unbilled_span as (
  contract_id uuid, contract_post_id uuid, basis text, site_id uuid, post_id uuid, user_id uuid, attendance_id uuid,
  shift_id uuid, day date, span tstzrange, minutes integer, kind text, is_approved boolean, rate numeric, tax_name text,
  tax_rate numeric, timesheet_id uuid, vat_treatment text
);

-- ── Functions ─────────────────────────────────────────────────────────

-- Functions of the database run as their owner; what the API sends runs as one of its roles.
create function private.keep_computed_line() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_user in ('anon', 'authenticated', 'service_role') and old.kind <> 'other' then
    raise exception 'This line comes from hours and rates. Correct those, and draft the invoice again.'
      using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

-- A line is not credited while a later invoice corrects it: billed again, it would have the new rate by itself.
create function private.keep_corrected_line() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  other text;
begin
  select i.number into other
  from private.invoice_corrections k
  join public.invoice_lines l on l.correction_id = k.id and l.credited_at is null
  join public.invoices i on i.id = l.invoice_id
  where k.invoice_line_id = new.id and i.status <> 'draft' and i.id <> new.invoice_id limit 1;
  if found then
    raise exception 'Invoice % corrects the rate of this line. Credit the correction there first.', other
      using errcode = 'PT409';
  end if;
  delete from private.invoice_corrections k where k.invoice_line_id = new.id and k.status = 'proposed';
  return new;
end
$$;

-- The hours that the line covers are of its site, and those that it leaves are of its contract.
create function private.recheck_fixed_line() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  line public.invoice_lines;
begin
  foreach line in array case tg_op when 'INSERT' then array[new] when 'DELETE' then array[old]
    else array[old, new] end loop
    perform private.recheck_timesheets_of_site(
      array(select p.site_id from public.contract_posts p where p.id = line.contract_post_id) || line.site_id,
      line.month::timestamptz, line.month::timestamptz + interval '1 month');
    insert into private.unbilled_changes (contract_id)
    select p.contract_id from public.contract_posts p where p.id = line.contract_post_id;
  end loop;
  return null;
end
$$;

-- The days that issued invoices of a contract are for.
create function private.invoiced_days(p_contract_id uuid) returns datemultirange
language sql stable security definer set search_path = '' as $$
  select coalesce(range_agg(daterange(i.period_start, i.period_end, '[]')), '{}') from public.invoices i
  where i.contract_id = p_contract_id and i.status not in ('draft', 'credited');
$$;

-- The periods of a contract whose last day is within [p_from, p_to]: months, quarters and years of the calendar, as far
-- as the contract reaches. A contract that is billed on demand has none.
create function private.billing_periods(p_contract public.contracts, p_from date, p_to date)
returns table (first date, last date, due_on date)
language sql stable set search_path = '' as $$
  select d.first, d.last, (date_trunc('month',
    d.last::timestamp) + interval '1 month')::date + p_contract.billing_day - 1
  from (
    values ('monthly', 'month', interval '1 month'), ('quarterly', 'quarter', interval '3 months'),
      ('annually', 'year', interval '1 year')
  ) y (cycle, unit, length)
  cross join lateral generate_series(
    date_trunc(y.unit, greatest(p_contract.starts_on, p_from - 366)::timestamp), p_to::timestamp, y.length
  ) g (start)
  cross join lateral (
    select greatest(g.start::date, p_contract.starts_on) as first,
      least((g.start + y.length)::date - 1, p_contract.ends_on) as last
  ) d
  where y.cycle = p_contract.billing_cycle and d.last >= d.first and d.last between p_from and p_to;
$$;

-- What is due on a day, and of each other contract why it isn't. A period that is invoiced in part is due for the days
-- that are left. Days before the company's first invoice were billed elsewhere.
create function private.billing_due(p_on date, p_client_id uuid)
returns table (
  contract_id uuid, client_id uuid, title text, currency text, billing_cycle text, state text, first date, last date,
  due_on date, reason text
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
        where o.contract_id = (p.c).id and o.basis <> 'worked' and o.starts_on <= p.last
          and (o.ends_on is null or o.ends_on >= p.first)
      ) or exists (
        select from public.contract_posts o
        join public.shifts h on h.site_id = o.site_id and (o.post_id is null or h.post_id = o.post_id)
        where o.contract_id = (p.c).id and h.start_time >= private.company_midnight(lower(p.left_over))
          and h.start_time < private.company_midnight(upper(p.left_over))
      ) or exists (
        select from public.contract_posts o join public.time_segments s on s.site_id = o.site_id
        where o.contract_id = (p.c).id and s.shift_id is null
          and s.starts_at >= private.company_midnight(lower(p.left_over))
          and s.starts_at < private.company_midnight(upper(p.left_over))
      ) or exists (
        -- The hours after midnight of a night that began in the period before.
        select from public.contract_posts o
        join public.shifts h on h.site_id = o.site_id and (o.post_id is null or h.post_id = o.post_id)
        cross join lateral (select private.company_midnight(lower(p.left_over)) as midnight) m
        join public.time_segments s on s.site_id = h.site_id and s.shift_id = h.id
        where o.contract_id = (p.c).id and h.start_time >= private.first_start(m.midnight) and h.start_time < m.midnight
          and h.end_time > m.midnight and s.starts_at >= m.midnight and s.starts_at < h.end_time
      )
    ) as has_work
    from periods p
    where p.is_over and (began is not null or p.age = 1)
  ), due as (
    select (p.c).id as id, p.from_day, p.to_day, p.due_on, exists (
      select from public.invoices i
      where i.contract_id = (p.c).id and i.status = 'draft' and i.period_start <= p.to_day
        and i.period_end >= p.from_day
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
  left join lateral (select p.first, p.last, p.left_over from past p where (p.c).id = (h.c).id order by p.last desc
    limit 1) l on true
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
  select d.contract_id, d.client_id, k.name, d.title, d.currency, d.billing_cycle, d.state, d.first, d.last, d.due_on,
    d.reason
  from private.billing_due(coalesce(p_on, private.company_date()), p_client_id) d
  join public.clients k on k.id = d.client_id order by k.name, d.client_id, d.title, d.contract_id, d.first;
end
$$;
grant execute on function public.billing_due to authenticated, service_role;

-- Divides unbilled time at posts into what is within the headcount and what is above it. At each minute the guards on
-- invoices come first, then those whose own shift runs, then who came first. While no shift of the post runs, staying
-- on is part of the shift that was worked, with its headcount.
create function private.within_headcount(p_spans private.unbilled_span[])
returns table (is_surplus boolean, piece private.unbilled_span)
-- Thousands of
language plpgsql
  stable
  security definer
  set search_path = ''
  set jit = off
  set enable_nestloop = off
  set work_mem = '32MB' as $$
declare
  sites uuid[] := array(select distinct u.site_id from unnest(p_spans) u
    where u.contract_id is not null and u.basis <> 'fixed');
  first timestamptz := (select min(lower(u.span)) from unnest(p_spans) u);
  last timestamptz := (select max(upper(u.span)) from unnest(p_spans) u);
  no_post constant uuid := '00000000-0000-0000-0000-000000000000';
begin
  return query
  with spans as materialized (
    select row_number() over () as number, u as whole, u.site_id, coalesce(u.post_id, no_post) as post_id, u.user_id,
      u.shift_id, u.span,
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
    select h.id, h.site_id, coalesce(h.post_id, no_post) as post_id, h.start_time, h.end_time,
      h.required_headcount as headcount
    from public.shifts h
    where h.site_id = any (sites) and h.start_time >= first - interval '3 days'
      and h.start_time < last + interval '1 day'
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
    select i.site_id, i.post_id, i.at, lead(i.at) over w as until, sum(i.required) over w as required, sum(i.present)
      over w as present
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
  select x.is_surplus, row((s.whole).contract_id, (s.whole).contract_post_id, (s.whole).basis, (s.whole).site_id,
    (s.whole).post_id,
    (s.whole).user_id, (s.whole).attendance_id, (s.whole).shift_id, (s.whole).day, x.span,
    (extract(epoch from upper(x.span) - lower(x.span)) / 60)::integer, (s.whole).kind, (s.whole).is_approved,
      (s.whole).rate,
    (s.whole).tax_name, (s.whole).tax_rate, (s.whole).timesheet_id, (s.whole).vat_treatment)::private.unbilled_span
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

-- "Mar 3", or "Mar 3 to 9".
create function private.days_text(p_first date, p_last date) returns text
language sql immutable set search_path = ''
return to_char(p_first, 'Mon FMDD') || case
  when p_first = p_last then ''
  when date_trunc('month', p_first::timestamp) = date_trunc('month', p_last::timestamp)
    then to_char(p_last, '" to "FMDD')
  else to_char(p_last, '" to "Mon FMDD') end;

-- The months of posts with a monthly amount or minimum that end within the days of the draft: each month belongs to the
-- draft that contains its last day. A month in which the post begins or ends counts by its days.
create function private.months_to_bill(p_scopes private.draft_scope[])
returns table (
  contract_id uuid, contract_post_id uuid, site_id uuid, post_id uuid, basis text, month date, first_day date,
  last_day date, days integer, month_days integer, monthly_amount numeric, minimum_minutes integer,
  open_days datemultirange
)
language sql stable security definer set search_path = '' as $$
  select s.contract_id, c.id, c.site_id, c.post_id, c.basis, m.first::date, lower(o.days), upper(o.days) - 1,
    n.days, m.last - m.first::date + 1, c.monthly_amount,
      round(c.minimum_hours * 60 * n.days / (m.last - m.first::date + 1))::integer, o.days
  from unnest(p_scopes) s
  join public.contract_posts c on c.contract_id = s.contract_id and c.basis in ('fixed', 'minimum')
  cross join lateral generate_series(date_trunc('month', s.first::timestamp), s.last::timestamp, '1 month') g (first)
  cross join lateral (select g.first, (g.first + interval '1 month - 1 day')::date as last) m
  cross join lateral (select greatest(m.first::date, c.starts_on) as first_day, least(m.last, c.ends_on) as last_day) d
  cross join lateral (
    select datemultirange(daterange(d.first_day, d.last_day + 1)) - coalesce((
      select range_agg(coalesce(l.days, datemultirange(daterange(m.first::date, m.last + 1))))
        from public.invoice_lines l
      where l.contract_post_id = c.id and l.kind = c.basis and l.month = m.first::date and l.credited_at is null
    ), '{}') as days
    where d.last_day >= d.first_day
  ) o
  cross join lateral (select sum(upper(r) - lower(r))::integer as days from unnest(o.days) r) n
  where d.last_day between s.first and s.last and not isempty(o.days);
$$;

-- The spans of [p_first, p_last] over which the regular rate and the tax stay the same.
-- @param p_by_rate whether the rate counts; a monthly amount is the post's, only its tax changes by day
create function private.price_days(
  p_contract_id uuid, p_contract_post_id uuid, p_first date, p_last date, p_by_rate boolean default true
) returns table (first date, last date, rate numeric, tax_name text, tax_rate numeric, vat_treatment text)
language sql stable security definer set search_path = '' as $$
  with taxes as materialized (
    select t.* from private.tax_days(p_contract_id, p_contract_post_id, p_first, p_last) t
  ), changes as (
    select t.first as day from taxes t
    union
    select r.effective_from from public.rates r
    where p_by_rate and r.contract_id = p_contract_id
      and (r.contract_post_id = p_contract_post_id or r.contract_post_id is null)
      and r.kind = 'regular' and r.effective_from > p_first and r.effective_from <= p_last
  ), spans as (
    select c.day, coalesce(lead(c.day) over (order by c.day) - 1, p_last) as last, case when p_by_rate
      then private.hour_rate(p_contract_id, p_contract_post_id, 'regular', c.day) end as rate
    from changes c
  ), islands as (
    -- A change of what doesn't apply here divides nothing.
    select s.*, t.tax_name, t.tax_rate, t.vat_treatment, row_number() over (order by s.day)
      - row_number() over (partition by s.rate, t.tax_name, t.tax_rate, t.vat_treatment order by s.day) as island
    from spans s join taxes t on s.day between t.first and t.last
  )
  select min(i.day), max(i.last), i.rate, i.tax_name, i.tax_rate, i.vat_treatment
  from islands i group by i.rate, i.tax_name, i.tax_rate, i.vat_treatment, i.island;
$$;

-- The open days of a month to bill by price, with the share of the month's figure that earlier spans have (before) and
-- that they have together with this one (until), so that rounded shares add up.
create function private.month_prices(
  p_contract_id uuid, p_contract_post_id uuid, p_open_days datemultirange, p_by_rate boolean default true
) returns table (
  span_days datemultirange, rate numeric, tax_name text, tax_rate numeric, vat_treatment text, days integer,
  before integer, until integer
)
language sql stable security definer set search_path = '' as $$
  select p.span_days, p.rate, p.tax_name, p.tax_rate, p.vat_treatment, p.days, (sum(p.days) over w)::integer - p.days,
    (sum(p.days) over w)::integer
  from (
    select range_agg(daterange(d.first, d.last + 1)) as span_days, d.rate, d.tax_name, d.tax_rate, d.vat_treatment,
      sum(d.last - d.first + 1)::integer as days
    from unnest(p_open_days) r
    cross join lateral private.price_days(p_contract_id, p_contract_post_id, lower(r), upper(r) - 1, p_by_rate) d
    group by d.rate, d.tax_name, d.tax_rate, d.vat_treatment
  ) p
  window w as (order by lower(p.span_days));
$$;

create function private.fixed_lines(p_scopes private.draft_scope[]) returns setof private.draft_line
language sql stable security definer set search_path = '' as $$
  select gen_random_uuid(), m.contract_id, m.contract_post_id, m.site_id, m.post_id, 'fixed',
    to_char(m.month, 'FMMonth YYYY'), round(t.days::numeric / m.month_days, 4), 'month', m.monthly_amount,
    round(m.monthly_amount * t.until / m.month_days, 2) - round(m.monthly_amount * t.before / m.month_days, 2),
    t.tax_name, t.tax_rate, null::integer, m.month, null::uuid, t.span_days,
    case when t.days < m.month_days then format('%s of %s days, %s.', t.days, m.month_days,
      private.days_text(lower(t.span_days), upper(t.span_days) - 1)) else '' end, t.vat_treatment, null::numeric
  from private.months_to_bill(p_scopes) m
  cross join lateral private.month_prices(m.contract_id, m.contract_post_id, m.open_days, false) t
  where m.basis = 'fixed' and m.monthly_amount > 0;
$$;

-- Time above the headcount fills no minimum up.
create function private.minimum_minutes(p_scopes private.draft_scope[])
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
    union all
    -- The morning of the last night of a post that ends.
    select m.contract_post_id, m.month, m.site_id, h.post_id, m.last_day, sum(s.minutes)
    from months m
    join public.time_segments s on s.site_id = m.site_id and s.day = m.last_day + 1
      and s.starts_at >= private.company_midnight(m.last_day + 1)
      and s.starts_at < private.company_midnight(m.last_day + 2)
    join public.shifts h on h.id = s.shift_id and h.start_time >= private.company_midnight(m.last_day)
      and h.start_time < private.company_midnight(m.last_day + 1)
    where s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
      and private.contract_post_on(m.site_id, h.post_id, m.last_day + 1) is null
    group by m.contract_post_id, m.month, m.site_id, h.post_id, m.last_day
  )
  select w.contract_post_id, w.month, sum(w.minutes)::integer from work w
  where (private.contract_post_on(w.site_id, w.post_id, w.day)).id = w.contract_post_id
  group by w.contract_post_id, w.month;
$$;

-- What a post was worked less than its minimum, spread over its days. A month that is not over is part of the estimate.
create function private.minimum_lines(p_scopes private.draft_scope[]) returns setof private.draft_line
language sql stable security definer set search_path = '' as $$
  select gen_random_uuid(), m.contract_id, m.contract_post_id, m.site_id, m.post_id, 'minimum',
    'up to the minimum of ' || to_char(m.month, 'FMMonth YYYY'), round(y.minutes / 60.0, 4), 'h', p.rate,
    round(y.minutes * p.rate / 60, 2), p.tax_name, p.tax_rate, null::integer, m.month, null::uuid, p.span_days,
    format('%s h of %s h were worked%s.', trim_scale(round((m.minimum_minutes - x.missing) / 60.0, 2)),
      trim_scale(round(m.minimum_minutes / 60.0, 2)), case when p.days < m.days
        then format(': the share of %s of %s days', p.days, m.days) else '' end), p.vat_treatment, null::numeric
  from private.months_to_bill(p_scopes) m
  left join private.minimum_minutes(p_scopes) b on b.contract_post_id = m.contract_post_id and b.month = m.month
  cross join lateral (select m.minimum_minutes - coalesce(b.minutes, 0) as missing) x
  cross join lateral private.month_prices(m.contract_id, m.contract_post_id, m.open_days) p
  cross join lateral (
    select round(x.missing * p.until / m.days::numeric) - round(x.missing * p.before / m.days::numeric) as minutes
  ) y
  where m.basis = 'minimum' and m.last_day < private.company_date() and y.minutes > 0 and p.rate is not null;
$$;

-- An issued invoice credited hours as uncovered, or filled a minimum up, and attendance arrives after it: the next
-- draft of the contract takes back what is covered now. Each line settles the one before it, so that nothing is taken
-- back twice.
create function private.lines_taken_back(p_scopes private.draft_scope[]) returns setof private.draft_line
language plpgsql stable security definer set search_path = '' set jit = off as $$
declare
  credits public.invoice_lines[];
  sites uuid[];
  first date;
  last date;
begin
  -- Coverage is computed only where attendance has changed since the line was drawn.
  credits := array(
    select l
    from unnest(p_scopes) s
    join public.invoices i on i.contract_id = s.contract_id and i.status <> 'draft'
    join public.invoice_lines l on l.invoice_id = i.id and l.kind = 'gap_credit' and l.credited_at is null
      and l.minutes > 0
    where upper(l.days) - 1 <= s.last and (
      exists (
        select from public.attendance r
        where r.site_id = l.site_id and r.clock_in_at >= private.company_midnight(lower(l.days) - 1)
          and r.clock_in_at < private.company_midnight(upper(l.days) + 1) and r.updated_at >= l.created_at
      ) or exists (
        select from public.assignments g
        where g.site_id = l.site_id and g.starts_at >= private.company_midnight(lower(l.days) - 1)
          and g.starts_at < private.company_midnight(upper(l.days) + 1) and g.updated_at >= l.created_at
      )
    )
  );
  select array_agg(distinct c.site_id), min(lower(c.days)), max(upper(c.days) - 1) into sites, first, last
    from unnest(credits) c;
  return query
  with recursive covered as materialized (
    select g.* from private.coverage_of(sites, first, last) g where cardinality(credits) > 0 and g.uncovered_minutes > 0
  ), targets as (
    select c.id, c.minutes as of_line, c.minutes - least(c.minutes, coalesce((
        select sum(g.uncovered_minutes) from covered g
        where g.site_id = c.site_id and g.post_id is not distinct from c.post_id and c.days @> g.day
      ), 0))::integer as minutes
    from unnest(credits) c
    union all
    -- Of a minimum, the late hours that are billed as worked now. The earlier of several lines first.
    select f.id, f.of_line, greatest(0, least(f.of_line, f.late - f.before))::integer
    from (
      select l.id, round(l.quantity * 60)::integer as of_line, coalesce(w.minutes, 0) as late,
        sum(round(l.quantity * 60)) over (partition by l.contract_post_id, l.month order by l.created_at, l.id)
          - round(l.quantity * 60) as before
      from unnest(p_scopes) s
      join public.invoices i on i.contract_id = s.contract_id and i.status <> 'draft'
      join public.invoice_lines l on l.invoice_id = i.id and l.kind = 'minimum' and l.credited_at is null
        and l.month <= s.last
      cross join lateral (
        select sum(t.minutes) as minutes
        from private.late_hours h
        join public.pay_adjustments a on a.id = h.adjustment_id and a.decided_at >= l.created_at
        join public.time_segments t on t.timesheet_id = h.timesheet_id and t.attendance_id = h.attendance_id
        left join public.shifts d on d.id = t.shift_id
        where t.site_id = l.site_id and t.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
          and t.day >= l.month and t.day <= l.month + interval '1 month'
          and (private.contract_post_of_work(t.site_id, d.post_id, t.day, private.company_date_of(d.start_time))).id
            = l.contract_post_id
          and (t.day < l.month + interval '1 month' or private.contract_post_on(t.site_id, d.post_id, t.day) is null)
      ) w
    ) f
  ), chain as (
    select t.id, t.id as last_id, 0 as minutes, 0::numeric as amount, 0::numeric as with_tax, 0 as place,
      false as is_draft
    from targets t
    union all
    select c.id, l.id, c.minutes + coalesce(l.minutes, 0), c.amount + l.amount, c.with_tax + l.price_with_tax,
      c.place + 1, i.status = 'draft'
    from chain c
    join public.invoice_lines l on l.settles_line_id = c.last_id and l.credited_at is null
    join public.invoices i on i.id = l.invoice_id
  ), ends as (
    select distinct on (c.id) c.* from chain c order by c.id, c.place desc
  )
  select gen_random_uuid(), i.contract_id, l.contract_post_id, l.site_id, l.post_id, 'settlement',
    case l.kind when 'gap_credit' then 'credit of ' || i.number || ' for uncovered hours taken back'
      else 'minimum of ' || i.number || ' taken back' end,
    case l.kind when 'gap_credit' then 1 else -1 end * round((t.minutes - e.minutes) / 60.0, 4), 'h', l.rate,
    -round(l.amount * t.minutes / t.of_line, 2) - e.amount, l.tax_name, l.tax_rate, t.minutes - e.minutes, l.month,
      e.last_id,
    null::datemultirange,
    case l.kind when 'gap_credit'
      then format('%s of %s h that were credited are covered by attendance which arrived later.',
        trim_scale(round(t.minutes / 60.0, 2)), trim_scale(round(t.of_line / 60.0, 2)))
      else format('%s of %s h up to the minimum are billed as worked.', trim_scale(round(t.minutes / 60.0, 2)),
        trim_scale(round(t.of_line / 60.0, 2))) end,
    l.vat_treatment, -round(l.price_with_tax * t.minutes / t.of_line, 2) - e.with_tax
  from targets t
  join ends e on e.id = t.id
  join public.invoice_lines l on l.id = t.id
  join public.invoices i on i.id = l.invoice_id
  -- What another draft takes back waits for that one.
  where t.minutes <> e.minutes and not e.is_draft;
end
$$;

-- Credits for guards who were not there. At posts paid by the month, the price of an hour is its share of the month's
-- required hours; elsewhere it is the regular rate. Posts that pay worked hours alone give credit only as a penalty.
create function private.gap_lines(p_scopes private.draft_scope[]) returns SETOF private.draft_line
language plpgsql stable security definer set search_path = '' set jit = off as $$
declare
  scopes private.draft_scope[] := array(select s from unnest(p_scopes) s where s.gap_credit <> 'none');
  posts uuid[] := array(
    select c.id from unnest(scopes) s join public.contract_posts c on c.contract_id = s.contract_id
    where c.basis <> 'worked' or s.gap_credit = 'penalty'
  );
  sites uuid[] := array(select distinct c.site_id from public.contract_posts c where c.id = any (posts));
  first date := (select min(s.first) from unnest(scopes) s);
  last date := least((select max(s.last) from unnest(scopes) s), private.company_date() - 1);
  zone text := (select s.time_zone from private.settings s);
begin
  return query select t.* from private.lines_taken_back(p_scopes) t;
  if cardinality(sites) = 0 or last < first then
    return;
  end if;
  return query
  with gaps as materialized (
    select g.site_id, g.post_id, g.day, g.uncovered_minutes as minutes, (c.post).id as contract_post_id,
      (c.post).contract_id as contract_id, (c.post).basis as basis, (c.post).monthly_amount as monthly_amount,
      greatest((c.post).starts_on, date_trunc('month', g.day::timestamp)::date) as month_first,
      least((c.post).ends_on, (date_trunc('month', g.day::timestamp) + interval '1 month - 1 day')::date) as month_last
    from private.coverage_of(sites, first, last) g
    cross join lateral (select private.contract_post_on(g.site_id, g.post_id, g.day) as post offset 0) c
    where g.uncovered_minutes > 0 and (c.post).id = any (posts)
      and not exists (
        select from public.invoice_lines l
        where l.contract_post_id = (c.post).id and l.kind = 'gap_credit' and l.credited_at is null
          and l.post_id is not distinct from g.post_id and l.days @> g.day
      )
  ), months as materialized (
    -- The required minutes of every place and day that the month's amount pays for.
    select r.contract_post_id, r.month_first, sum(r.required) as required
    from (
      select m.contract_post_id, m.month_first, h.site_id, h.post_id, (h.start_time at time zone zone)::date as day,
        sum(h.required_headcount * extract(epoch from h.end_time - h.start_time) / 60) as required
      from (select distinct g.contract_post_id, g.site_id, g.month_first, g.month_last from gaps g
        where g.basis = 'fixed') m
      join public.shifts h on h.site_id = m.site_id and h.start_time >= private.company_midnight(m.month_first)
        and h.start_time < private.company_midnight(m.month_last + 1)
      group by m.contract_post_id, m.month_first, h.site_id, h.post_id, 5
    ) r
    where (private.contract_post_on(r.site_id, r.post_id, r.day)).id = r.contract_post_id
    group by r.contract_post_id, r.month_first
  ), taxes as materialized (
    select p.contract_post_id, t.*
    from (select distinct g.contract_id, g.contract_post_id from gaps g) p
    cross join lateral private.tax_days(p.contract_id, p.contract_post_id, first, last) t
  ), priced as (
    select g.*, x.tax_name, x.tax_rate, x.vat_treatment,
      case when s.gap_credit = 'penalty' then s.gap_factor else 1 end * case
        when g.basis <> 'fixed' then private.hour_rate(g.contract_id, g.contract_post_id, 'regular', g.day)
        else g.monthly_amount * 60 * (g.month_last - g.month_first + 1)
          / extract(day from date_trunc('month', g.day::timestamp) + interval '1 month - 1 day') / nullif(m.required, 0)
      end as rate
    from gaps g
    join unnest(scopes) s on s.contract_id = g.contract_id and g.day between s.first and s.last
    join taxes x on x.contract_post_id = g.contract_post_id and g.day between x.first and x.last
    left join months m on m.contract_post_id = g.contract_post_id and m.month_first = g.month_first
  )
  select gen_random_uuid(), p.contract_id, p.contract_post_id, p.site_id, p.post_id, 'gap_credit', 'uncovered hours',
    -round(sum(p.minutes) / 60.0, 4), 'h', round(p.rate, 4), -round(sum(p.minutes) * p.rate / 60, 2),
    p.tax_name, p.tax_rate, sum(p.minutes)::integer, null::date, null::uuid,
    range_agg(daterange(p.day, p.day + 1)),
    format('%s, %s.', private.count_text(count(*), 'day'), private.days_text(min(p.day), max(p.day))),
    p.vat_treatment, null::numeric
  from priced p
  where p.rate > 0
  group by p.contract_id, p.contract_post_id, p.site_id, p.post_id, p.rate, p.tax_name, p.tax_rate,
    p.vat_treatment
  having round(sum(p.minutes) * p.rate / 60, 2) <> 0;
end
$$;

-- What an invoice expects that is drawn before its days are over, by place, month and price.
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
    select d.site_id, d.post_id, d.day, (c.post).id as contract_post_id, (c.post).contract_id as contract_id,
      (c.post).basis as basis
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
  ), by_day as materialized (
    select e.contract_id, e.contract_post_id, e.site_id, e.post_id, e.day,
      date_trunc('month', e.day::timestamp)::date as month,
      sum(e.minutes)::integer as minutes, sum(e.to_come) as to_come
    from expected e join unnest(scopes) s on s.contract_id = e.contract_id and e.day between s.first and s.last
    group by e.contract_id, e.contract_post_id, e.site_id, e.post_id, e.day
  ), prices as materialized (
    select d.contract_post_id, p.*
    from (select distinct b.contract_id, b.contract_post_id from by_day b) d
    join unnest(scopes) s on s.contract_id = d.contract_id
    cross join lateral private.price_days(d.contract_id, d.contract_post_id, s.first, s.last) p
  ), estimated as (
    select b.contract_id, b.contract_post_id, b.site_id, b.post_id, b.month, min(b.day) as first, max(p.last) as until,
      sum(b.minutes)::integer as minutes, 'hours expected' as label, p.rate, p.tax_name,
      p.tax_rate, p.vat_treatment
    from by_day b join prices p on p.contract_post_id = b.contract_post_id and b.day between p.first and p.last
    group by b.contract_id, b.contract_post_id, b.site_id, b.post_id, b.month, p.rate, p.tax_name, p.tax_rate,
      p.vat_treatment
    union all
    -- Up to the minimum of a month that is not over.
    select m.contract_id, m.contract_post_id, m.site_id, m.post_id, m.month, least(today, m.last_day), m.last_day,
      round(x.missing * p.until / m.days::numeric)::integer - round(x.missing * p.before / m.days::numeric)::integer,
      'up to the minimum', p.rate, p.tax_name, p.tax_rate, p.vat_treatment
    from private.months_to_bill(scopes) m
    left join private.minimum_minutes(scopes) b on b.contract_post_id = m.contract_post_id and b.month = m.month
    cross join lateral (
      select m.minimum_minutes - coalesce(b.minutes, 0) - coalesce((
        select sum(h.to_come) from by_day h where h.contract_post_id = m.contract_post_id and h.month = m.month),
          0)::integer as missing
    ) x
    cross join lateral private.month_prices(m.contract_id, m.contract_post_id, m.open_days) p
    where m.basis = 'minimum' and m.last_day >= today
  )
  select gen_random_uuid(), e.contract_id, e.contract_post_id, e.site_id, e.post_id, 'estimate',
    e.label || ', ' || to_char(e.month, 'FMMonth YYYY'),
    round(e.minutes / 60.0, 4), 'h', e.rate, round(e.minutes * e.rate / 60, 2),
    e.tax_name, e.tax_rate, e.minutes, e.month, null::uuid,
    -- Up to the end, whatever the days of this price: the draft that reaches it settles all of them.
    datemultirange(daterange(e.first, d.last + 1)),
    format('Not worked or not approved yet, %s. The next invoice settles it.',
      private.days_text(e.first, least(e.until, d.last))), e.vat_treatment, null::numeric
  from estimated e
  join unnest(scopes) s on s.contract_id = e.contract_id
  cross join lateral (select least(s.last, (e.month + interval '1 month - 1 day')::date) as last) d
  where e.minutes > 0 and e.rate is not null;
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
    'estimate of ' || u.number || ' taken back', -(u.line).quantity, (u.line).unit, (u.line).rate, -(u.line).amount,
      (u.line).tax_name, (u.line).tax_rate, null::integer, (u.line).month, (u.line).id,
    null::datemultirange, 'The hours worked are on this invoice.', (u.line).vat_treatment, -(u.line).price_with_tax
  from unnest(p_scopes) s
  cross join lateral private.unsettled_estimates(array[s.contract_id]) u where u.last <= s.last;
$$;

-- The invoice of each contract that has lines: one of its drafts that overlap, else a new one. Lines by hand move to
-- it, and the other drafts go.
create function private.prepare_drafts(p_from date, p_to date, p_contracts uuid[], p_drafts uuid[])
returns table (contract_id uuid, invoice_id uuid)
language plpgsql security definer set search_path = '' as $$
declare
  merged uuid[];
begin
  with kept as (
    select distinct on (i.contract_id) i.contract_id, i.id from public.invoices i
    where i.id = any (p_drafts) order by i.contract_id, i.created_at, i.id
  ), moved as (
    update public.invoice_lines l set invoice_id = k.id
    from public.invoices i join kept k on k.contract_id = i.contract_id
    where l.invoice_id = i.id and i.id = any (p_drafts) and i.id <> k.id
  )
  select array_agg(i.id) into merged
  from public.invoices i join kept k on k.contract_id = i.contract_id where i.id = any (p_drafts) and i.id <> k.id;
  delete from public.invoices i
  where i.id = any (merged) or i.id = any (p_drafts) and i.contract_id <> all (p_contracts)
    and not exists (select from public.invoice_lines l where l.invoice_id = i.id);
  insert into public.invoices (contract_id, client_id, period_start, period_end, currency)
  select c.id, c.client_id, p_from, p_to, c.currency
  from public.contracts c
  where c.id = any (p_contracts)
    and not exists (select from public.invoices i where i.id = any (p_drafts) and i.contract_id = c.id)
  order by c.id;
  update public.invoices i set period_start = d.first, period_end = d.last
  from public.contracts c
  cross join lateral (
    select greatest(p_from, c.starts_on) as first,
      case when c.ends_on >= greatest(p_from, c.starts_on) then least(p_to, c.ends_on) else p_to end as last
  ) d
  where c.id = i.contract_id and i.status = 'draft' and (i.id = any (p_drafts) or i.contract_id = any (p_contracts)
      and i.period_start = p_from and i.period_end = p_to)
    and (i.period_start, i.period_end) <> (d.first, d.last);
  return query
  select distinct on (i.contract_id) i.contract_id, i.id from public.invoices i
  join public.contracts c on c.id = i.contract_id
  where i.status = 'draft' and i.period_start <= p_to and i.period_end >= p_from
    and (i.id = any (p_drafts) or i.contract_id = any (p_contracts))
  order by i.contract_id, i.created_at, i.id;
end
$$;

-- What a draft leaves out, by contract: [{code, text, …}]. A row without a contract is of a client's sites.
create function private.draft_problems(p_scopes private.draft_scope[], p_left private.unbilled_span[])
returns table (client_id uuid, contract_id uuid, problem jsonb)
language sql stable security definer set search_path = '' as $$
  with places as (
    select u.contract_id, u.site_id, u.post_id, u.contract_id is null as lacks_contract, u.is_approved,
      sum(u.minutes) as minutes, min(u.day) as first, max(u.day) as last,
      coalesce((select concat_ws(', ', s.name, p.name) from public.sites s left join public.posts p on p.id = u.post_id
        where s.id = u.site_id), '') as place
    from unnest(p_left) u
    where u.contract_id is null or u.is_approved and u.basis <> 'fixed' and u.rate is null
    group by u.contract_id, u.site_id, u.post_id, u.is_approved
  )
  select s.client_id, u.contract_id, jsonb_build_object('code', 'hours_not_approved', 'minutes', sum(u.minutes), 'text',
    format('%s h of %s are not approved, so they are not on the invoice.', trim_scale(round(sum(u.minutes) / 60.0, 2)),
      private.count_text(count(distinct u.user_id), 'guard')))
  from unnest(p_left) u join unnest(p_scopes) s on s.contract_id = u.contract_id
  where not u.is_approved and u.basis <> 'fixed' and s.last < private.company_date()
  group by s.client_id, u.contract_id
  union all
  select s.client_id, p.contract_id, jsonb_build_object('code', 'no_rate', 'minutes', p.minutes, 'site_id', p.site_id,
    'post_id', p.post_id, 'text', format('%s has no rate for %s h, %s.', p.place,
      trim_scale(round(p.minutes / 60.0, 2)),
      private.days_text(p.first, p.last)))
  from places p join unnest(p_scopes) s on s.contract_id = p.contract_id
  union all
  select t.client_id, null::uuid, jsonb_build_object('code', 'no_contract', 'minutes', sum(p.minutes), 'site_id',
    p.site_id,
    'post_id', p.post_id, 'text', format('%s h at %s belong to no contract, %s.',
      trim_scale(round(sum(p.minutes) / 60.0, 2)), p.place,
      private.days_text(min(p.first), max(p.last))))
  from places p join public.sites t on t.id = p.site_id
  where p.lacks_contract group by t.client_id, p.site_id, p.post_id, p.place;
$$;

-- Empties drafts of what was computed: their lines but those by hand, and the time above the agreed headcount.
create function private.clear_drafts(p_drafts uuid[], p_scopes private.draft_scope[]) returns void
language sql security definer set search_path = '' as $$
  delete from public.billed_time b using public.invoice_lines l
  where l.id = b.invoice_line_id and l.invoice_id = any (p_drafts);
  delete from public.invoice_lines l where l.invoice_id = any (p_drafts) and l.kind <> 'other';
  -- The contract of each is found once: with every draft again, a month of 49 drafts took 22 s.
  with span as (
    select private.company_midnight(min(s.first)) as first, private.company_midnight(max(s.last) + 2) as until
    from unnest(p_scopes) s
  ), surplus as materialized (
    select b.id, b.span, d.day, d.began,
      (private.contract_post_of_work(b.site_id, b.post_id, d.day, d.began)).contract_id
    from public.billed_time b cross join lateral (
      select private.company_date_of(lower(b.span)) as day, (
        select private.company_date_of(h.start_time) from public.shifts h where h.id = b.shift_id) as began
    ) d
    where b.is_surplus and b.waived_at is not null and lower(b.span) >= (select p.first from span p)
      and lower(b.span) < (select p.until from span p)
  )
  delete from public.billed_time b using surplus u join unnest(p_scopes) s on s.contract_id = u.contract_id
  where b.id = u.id and lower(u.span) >= private.company_midnight(s.first)
    and lower(u.span) < private.company_midnight(s.last + 2)
    -- Of the day after the draft only the morning of a last night.
    and (u.day <= s.last or u.began = s.last);
$$;

-- Writes the lines of drafts in the order of sites, posts and kinds. p_contracts and p_invoices belong together.
create function private.insert_draft_lines(p_lines private.draft_line[], p_contracts uuid[], p_invoices uuid[])
returns void
language sql security definer set search_path = '' as $$
  insert into public.invoice_lines (id, invoice_id, position, contract_post_id, site_id, post_id, kind, description,
    quantity, unit, rate, amount, price_with_tax, tax_name, tax_rate, vat_treatment, minutes, month, settles_line_id,
    days, explanation)
  select l.id, i.id, row_number() over (partition by i.id order by s.name, l.site_id, p.name nulls last, l.post_id,
      array_position(array['regular', 'overtime', 'night', 'holiday', 'rest_day', 'fixed', 'minimum', 'gap_credit',
        'estimate', 'settlement'], l.kind), l.month, l.rate, l.tax_rate, l.label),
    l.contract_post_id, l.site_id, l.post_id, l.kind, left(concat_ws(', ', s.name, p.name) || ': ' || l.label, 300),
    l.quantity, l.unit, l.rate, case when x.contains_tax then private.price_without_tax(l.amount, l.tax_rate)
      else l.amount end, case when x.contains_tax then l.amount else l.price_with_tax end, l.tax_name, l.tax_rate,
    l.vat_treatment, l.minutes, l.month, l.settles_line_id, l.days, l.explanation
  from unnest(p_lines) l
  join public.contracts c on c.id = l.contract_id
  -- A settlement takes back what the other invoice has.
  cross join lateral (
    select c.prices_include_tax and l.tax_rate > 0 and l.kind <> 'settlement' as contains_tax
  ) x
  join unnest(p_contracts, p_invoices) i (contract_id, id) on i.contract_id = l.contract_id
  left join public.sites s on s.id = l.site_id left join public.posts p on p.id = l.post_id;
$$;

-- Writes the accepted corrections as the last computed lines of drafts.
create function private.insert_correction_lines(
  p_corrections private.invoice_corrections[], p_contracts uuid[], p_invoices uuid[]
) returns void
language sql security definer set search_path = '' as $$
  insert into public.invoice_lines (invoice_id, position, contract_post_id, site_id, post_id, kind, description,
    quantity, unit, rate, amount, price_with_tax, tax_name, tax_rate, vat_treatment, days, correction_id, explanation)
  select n.id, 1 + coalesce((select max(o.position) from public.invoice_lines o
    where o.invoice_id = n.id and o.kind <> 'other'), 0)
      + row_number() over (partition by n.id order by i.period_start, l.position, lower(k.days), k.decided_at, k.id),
    l.contract_post_id, l.site_id, l.post_id, 'correction',
      left('Correction of ' || i.number || ', ' || l.description, 300),
    round(k.minutes / 60.0, 4), 'h', k.rate - k.billed_rate, case when l.price_with_tax is null then k.amount
      else private.price_without_tax(k.amount, l.tax_rate) end,
    case when l.price_with_tax is not null then k.amount end,
    l.tax_name, l.tax_rate, l.vat_treatment, k.days, k.id,
    format('%s: the rate is %s, and %s was billed.', private.days_text(lower(k.days), upper(k.days) - 1),
      trim_scale(k.rate), trim_scale(k.billed_rate))
  from unnest(p_corrections) k
  join public.invoice_lines l on l.id = k.invoice_line_id
  join public.invoices i on i.id = l.invoice_id
  join unnest(p_contracts, p_invoices) n (contract_id, id) on n.contract_id = k.contract_id;
$$;

-- Notes which time the lines bill. One row for each record of attendance and month: the pieces of a night are together.
create function private.mark_pieces_billed(p_pieces private.unbilled_span[], p_lines private.draft_line[]) returns void
language sql security definer set search_path = '' as $$
  insert into public.billed_time (invoice_line_id, user_id, attendance_id, shift_id, post_id, site_id, span, kind)
  select g.id, g.user_id, g.attendance_id, g.shift_id, g.post_id, g.site_id, unnest(g.spans), g.kind
  from (
    select l.id, u.user_id, u.attendance_id, u.shift_id, u.post_id, u.site_id, u.kind, range_agg(u.span) as spans
    from unnest(p_pieces) u
    join (
      select h.id, concat_ws('|', h.contract_post_id, h.post_id, h.kind, h.rate, h.tax_name, h.tax_rate,
        h.vat_treatment) as key
      from unnest(p_lines) h where h.kind in ('regular', 'overtime', 'night', 'holiday', 'rest_day')
    ) l on l.key = concat_ws('|', u.contract_post_id, u.post_id, u.kind, u.rate, u.tax_name, u.tax_rate,
      u.vat_treatment)
    group by l.id, u.user_id, u.attendance_id, u.shift_id, u.post_id, u.site_id, u.kind,
      date_trunc('month', u.day::timestamp)
  ) g;
$$;

-- Hours, by place, kind, rate and tax: a rate that changes within the period makes two lines.
create function private.billed_hour_lines(p_spans private.unbilled_span[]) returns setof private.draft_line
language sql stable set search_path = '' as $$
  select gen_random_uuid(), s.contract_id, s.contract_post_id, s.site_id, s.post_id, s.kind,
    case s.kind when 'regular' then 'regular hours' when 'overtime' then 'overtime' when 'night' then 'night hours'
      when 'holiday' then 'hours on holidays' else 'hours on rest days' end,
    round(sum(s.minutes) / 60.0, 4), 'h', s.rate, round(sum(s.minutes) * s.rate / 60, 2), s.tax_name, s.tax_rate,
    sum(s.minutes)::integer, null::date, null::uuid, null::datemultirange,
    format('%s on %s, %s.', private.count_text(count(distinct s.user_id), 'guard'),
      private.count_text(count(distinct s.attendance_id), 'shift'), private.days_text(min(s.day), max(s.day))),
    s.vat_treatment, null::numeric
  from unnest(p_spans) s
  group by s.contract_id, s.contract_post_id, s.site_id, s.post_id, s.kind, s.rate, s.tax_name, s.tax_rate,
    s.vat_treatment;
$$;

-- Draws the drafts of these contracts for [p_from, p_to]. @returns one row for each draft, and one for what has
-- problems but nothing to bill
create function private.draw_drafts(p_from date, p_to date, p_scopes private.draft_scope[])
returns TABLE(
  client_id uuid, invoice_id uuid, contract_id uuid, currency text, total numeric, line_count integer, problems jsonb
)
language plpgsql
  security definer
  set search_path = ''
  set jit = off
  set enable_nestloop = off
  set work_mem = '32MB' as $function$
declare
  contracts uuid[] := array(select s.contract_id from unnest(p_scopes) s);
  drafts uuid[];
  spans private.unbilled_span[];
  billed private.unbilled_span[];
  left_over private.unbilled_span[];
  surplus private.unbilled_span[];
  corrections private.invoice_corrections[];
  lines private.draft_line[];
  drawn uuid[];
  invoices uuid[];
  emptied uuid[];
  was_computing text := current_setting('app.computing_time', true);
begin
  drafts := array(
    select i.id from (
      select i.id from public.invoices i
      where i.contract_id = any (contracts) and i.status = 'draft' and i.period_start <= p_to and i.period_end >= p_from
      order by i.id for update
    ) i
  );
  perform set_config('app.computing_time', 'on', true);
  perform private.clear_drafts(drafts, p_scopes);
  spans := array(
    select u from private.unbilled_spans(array(
      select t.id from public.sites t where t.client_id in (select s.client_id from unnest(p_scopes) s)
      union
      select c.site_id from public.contract_posts c where c.contract_id = any (contracts)
    -- A day more, for the morning of a contract's last night.
    ), (select min(s.first) from unnest(p_scopes) s), (select max(s.last) + 1 from unnest(p_scopes) s)) u
    left join unnest(p_scopes) s on s.contract_id = u.contract_id
    where u.contract_id is null and u.day between p_from and p_to or u.day between s.first and s.last
  );
  select array_agg(h.piece) filter (where not h.is_surplus), array_agg(h.piece)
    filter (where h.is_surplus) into spans, surplus
  from private.within_headcount(spans) h;
  billed := array(
    select u from unnest(spans) u where u.is_approved and u.contract_id is not null and u.basis <> 'fixed'
      and u.rate is not null
  );
  left_over := array(
    select u from unnest(spans) u where not u.is_approved or u.contract_id is null or u.basis <> 'fixed'
      and u.rate is null
  );
  insert into public.billed_time (user_id, attendance_id, shift_id, post_id, site_id, span, kind, waived_at,
    waived_reason, is_surplus)
  select u.user_id, u.attendance_id, u.shift_id, u.post_id, u.site_id, u.span, u.kind, now(),
    'Above the agreed headcount', true
  from unnest(surplus) u where u.is_approved;
  lines := array(select l from private.billed_hour_lines(billed) l)
    || array(select l from private.fixed_lines(p_scopes) l)
    || array(select l from private.minimum_lines(p_scopes) l)
    || array(select l from private.gap_lines(p_scopes) l)
    || array(select l from private.estimate_lines(p_scopes, left_over) l)
    || array(select l from private.settlement_lines(p_scopes) l);

  -- A draft below zero can't be issued: what corrects others waits for the contract's next one.
  with older as materialized (
    select i.id from public.invoices i
    where i.contract_id = any (contracts) and i.status = 'draft' and i.total < 0 and i.period_end < p_from
  ), freed as (
    delete from public.invoice_lines l using older o where l.invoice_id = o.id and l.kind = 'correction'
      returning l.invoice_id
  )
  select array_agg(distinct f.invoice_id) into emptied from freed f;
  delete from public.invoices i
  where i.id = any (emptied) and not exists (select from public.invoice_lines l where l.invoice_id = i.id);
  corrections := array(
    select k from private.invoice_corrections k
    join public.invoice_lines l on l.id = k.invoice_line_id
    where k.contract_id = any (contracts) and k.status = 'accepted' and l.credited_at is null
      and not exists (select from public.invoice_lines t where t.correction_id = k.id and t.credited_at is null)
    order by k.created_at, k.id
  );

  select array_agg(p.contract_id), array_agg(p.invoice_id) into drawn, invoices
  from private.prepare_drafts(p_from, p_to, array(
    select l.contract_id from unnest(lines) l union select k.contract_id from unnest(corrections) k
  ), drafts) p;
  perform private.insert_draft_lines(lines, drawn, invoices);
  perform private.insert_correction_lines(corrections, drawn, invoices);
  perform private.mark_pieces_billed(billed, lines);
  perform set_config('app.computing_time', coalesce(was_computing, ''), true);
  update public.invoice_lines l set position = m.place
  from (
    select o.id, count(*) filter (where o.kind <> 'other') over w
      + row_number() over (partition by o.invoice_id, o.kind = 'other' order by o.position, o.id) as place, o.kind
    from public.invoice_lines o where o.invoice_id = any (invoices)
    window w as (partition by o.invoice_id)
  ) m
  where l.id = m.id and m.kind = 'other' and l.position <> m.place;

  return query
  with found as materialized (
    select p.client_id, p.contract_id, jsonb_agg(p.problem
      order by p.problem ->> 'code', p.problem ->> 'text') as problems
    from private.draft_problems(p_scopes, left_over) p group by p.client_id, p.contract_id
  ), rows as materialized (
    select s.client_id, i.id, s.contract_id, s.currency,
      coalesce(own.problems, '[]') || coalesce(place.problems, '[]') as problems
    from unnest(drawn, invoices) i (contract_id, id)
    join unnest(p_scopes) s on s.contract_id = i.contract_id
    left join found own on own.contract_id = i.contract_id
    left join found place on place.contract_id is null and place.client_id = s.client_id
  ), noted as (
    update public.invoices i set problems = r.problems from rows r where i.id = r.id and i.problems <> r.problems
  )
  select r.client_id, r.id, r.contract_id, r.currency, i.total, (
    select count(*)::integer from public.invoice_lines l where l.invoice_id = r.id), r.problems
  from rows r join public.invoices i on i.id = r.id
  union all
  select f.client_id, null::uuid, f.contract_id, s.currency, 0::numeric, 0, f.problems
  from found f left join unnest(p_scopes) s on s.contract_id = f.contract_id
  where case when f.contract_id is null then not exists (select from rows r where r.client_id = f.client_id)
    else not exists (select from rows r where r.contract_id = f.contract_id) end;
end
$function$;

-- The contracts to draft for [p_from, p_to], with their days. Where the last invoice was issued before its period was
-- over, the days begin where it left off; days that an estimate covers to its end later than p_to wait for a later
-- draft. A contract that ends before p_to ends its draft.
create function private.draft_scopes(p_from date, p_to date, p_client_id uuid) returns setof private.draft_scope
language sql stable security definer set search_path = '' as $$
  select s.id, s.client_id, s.currency, s.gap_credit, s.gap_factor, s.first, s.last
  from (
    select c.*, least(p_from, early.issued_on, open.first) as first,
      least(p_to, case when c.ends_on >= p_from then c.ends_on end, open.until) as last,
        open.first is not null as has_estimates
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
      select s from private.draft_scopes(this.first, this.last, p_client_id) s
        where s.contract_id = any (this.contracts)
    )) r
    left join public.clients k on k.id = r.client_id order by k.name, r.client_id, r.contract_id;
  end loop;
end
$$;
grant execute on function public.draft_due_invoices to authenticated, service_role;

-- Drafts an invoice for each contract with something to bill within [from, to], company days, of one client or all.
-- @returns each draft with its sums and what it leaves out; invoice_id is null where there are problems alone
create function public.draft_invoices(
  "from" date, "to" date, inout client_id uuid default null, inout contract_id uuid default null, out invoice_id uuid,
  out currency text, out total numeric, out line_count integer, out problems jsonb
) returns setof record
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
      cross join lateral (select case when isempty(o.open) then datemultirange(daterange(d.first, d.last, '[]'))
        else o.open end as days) l
      where one is null and c.billing_cycle in ('quarterly', 'annually')
        and (of_client is null or c.client_id = of_client)
    ) p
    group by p.first, p.last order by p.first, p.last
  loop
    return query
    select d.client_id, d.contract_id, d.invoice_id, d.currency, d.total, d.line_count, d.problems
    from private.draw_drafts(this.first, this.last, array(
      select s from private.draft_scopes(this.first, this.last, of_client) s where s.contract_id = any (this.contracts)
    )) d
    left join public.clients k on k.id = d.client_id order by k.name, d.client_id, d.contract_id;
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
grant execute on function public.draft_invoices to authenticated, service_role;

-- What a draft takes from hours, rates and coverage, as one text to compare.
create function private.draft_content(p_invoice_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(string_agg(concat_ws('|', l.kind, l.contract_post_id, l.post_id, l.quantity, l.rate, l.amount,
    l.tax_rate, l.vat_treatment, l.price_with_tax,
    l.month, l.settles_line_id, l.days), ';' order by l.kind, l.contract_post_id, l.post_id, l.rate, l.tax_rate,
      l.month, l.quantity, l.settles_line_id), '')
    || (
      select coalesce(md5(string_agg(concat_ws('|', b.user_id, b.span, b.kind), ';' order by b.user_id, b.span)), '')
      from public.invoice_lines t join public.billed_time b on b.invoice_line_id = t.id
        where t.invoice_id = p_invoice_id
    )
  from public.invoice_lines l where l.invoice_id = p_invoice_id and l.kind <> 'other';
$$;

-- Those of the drafts that would come out the same now. Draws them again to compare, and rolls that back. Of several
-- drafts of a contract only the first is looked at: issuing it may change the next.
create function private.current_drafts(p_ids uuid[]) returns uuid[]
language plpgsql security definer set search_path = '' as $$
declare
  period record;
  current_ones uuid[] := '{}';
begin
  if p_ids is null then
    return current_ones;
  end if;
  -- Before any row, as draft_invoices does: they take turns.
  perform pg_advisory_xact_lock(hashtextextended('draft_invoices', 0));
  for period in
    select i.period_start as first, i.period_end as last, array_agg(i.contract_id) as contracts,
      jsonb_object_agg(i.id, private.draft_content(i.id)) as was
    from (
      select distinct on (d.contract_id) d.id, d.contract_id, d.period_start, d.period_end
      from unnest(p_ids) with ordinality n (id, place)
      join public.invoices d on d.id = n.id
      where d.status = 'draft'
      order by d.contract_id, n.place
    ) i
    group by i.period_start, i.period_end
  loop
    begin
      perform private.draw_drafts(period.first, period.last, array(
        select s from private.draft_scopes(period.first, period.last, null) s
          where s.contract_id = any (period.contracts)
      ));
      current_ones := current_ones || array(
        select w.key::uuid from jsonb_each_text(period.was) w where w.value = private.draft_content(w.key::uuid)
      );
      raise exception using errcode = 'PTUND';
    -- What can't be drawn together is looked at one by one.
    exception when sqlstate 'PTUND' or sqlstate 'PT404' or sqlstate 'PT409' then
      null;
    end;
  end loop;
  return current_ones;
end
$$;

-- Whether hours of this month are to be billed by now.
create function private.is_billing_due(p_cycle text, p_billing_day integer, p_ends_on date, p_month date, p_on date)
returns boolean
language sql immutable set search_path = ''
return coalesce(p_cycle <> 'on-demand' and (
  date_trunc('month', least(
    date_trunc(case p_cycle when 'quarterly' then 'quarter' when 'annually' then 'year'
      else 'month' end, p_month::timestamp)
      + case p_cycle when 'quarterly' then interval '3 months' when 'annually' then interval '1 year'
        else interval '1 month' end
      - interval '1 day',
    case when p_ends_on is not null then greatest(p_ends_on, p_month)::timestamp end
  )) + interval '1 month')::date + p_billing_day - 1 <= p_on, false);

-- Refuses a draft that would come out differently now: hours, rates or the roster have changed since it was drawn.
create function private.require_current_draft(p_invoice_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  invoice public.invoices;
  was text;
  now_is text;
begin
  select * into invoice from public.invoices i where i.id = p_invoice_id and i.status = 'draft';
  if not found then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('draft_invoices', 0));
  was := private.draft_content(p_invoice_id);
  -- Draws it again to compare, and rolls that back.
  begin
    perform private.draw_drafts(invoice.period_start, invoice.period_end, array(
      select s from private.draft_scopes(invoice.period_start, invoice.period_end, invoice.client_id) s
      where s.contract_id = invoice.contract_id
    ));
    now_is := private.draft_content(p_invoice_id);
    raise exception using errcode = 'PTUND';
  exception when sqlstate 'PTUND' then
    null;
  end;
  if was is distinct from now_is then
    raise exception 'Hours, rates or the roster have changed since this draft was made. Draft it again.'
      using errcode = 'PT409';
  end if;
end
$$;
