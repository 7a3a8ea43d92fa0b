-- The lines of a draft: hours at their rates, monthly amounts, minimums and credits for gaps. The next file has estimates.

-- A contract to draft, and its days: p_from to p_to of the caller, from where an early invoice left off.
create type private.draft_scope as (
  contract_id uuid, client_id uuid, currency text, tax_name text, gap_credit text, gap_factor numeric, first date, last date
);
create type private.draft_line as (
  id uuid, contract_id uuid, contract_post_id uuid, site_id uuid, post_id uuid, kind text, label text, quantity numeric,
  unit text, rate numeric, amount numeric, tax_name text, tax_rate numeric, minutes integer, month date,
  settles_line_id uuid, days datemultirange, explanation text
);

-- "Mar 3", or "Mar 3 to 9".
create function private.days_text(p_first date, p_last date) returns text
language sql immutable set search_path = ''
return to_char(p_first, 'Mon FMDD') || case
  when p_first = p_last then ''
  when date_trunc('month', p_first::timestamp) = date_trunc('month', p_last::timestamp) then to_char(p_last, '" to "FMDD')
  else to_char(p_last, '" to "Mon FMDD') end;

create function private.count_text(p_count bigint, p_noun text) returns text
language sql immutable set search_path = ''
return p_count || ' ' || p_noun || case when p_count = 1 then '' else 's' end;

-- Hours, by place, kind, rate and tax: a rate that changes within the period makes two lines.
create function private.hour_lines(p_spans private.unbilled_span[]) returns setof private.draft_line
language sql stable set search_path = '' as $$
  select gen_random_uuid(), s.contract_id, s.contract_post_id, s.site_id, s.post_id, s.kind,
    case s.kind when 'regular' then 'regular hours' when 'overtime' then 'overtime' when 'night' then 'night hours'
      when 'holiday' then 'hours on holidays' else 'hours on rest days' end,
    round(sum(s.minutes) / 60.0, 4), 'h', s.rate, round(sum(s.minutes) * s.rate / 60, 2), s.tax_name, s.tax_rate,
    sum(s.minutes)::integer, null::date, null::uuid, null::datemultirange,
    format('%s on %s, %s.', private.count_text(count(distinct s.user_id), 'guard'),
      private.count_text(count(distinct s.attendance_id), 'shift'), private.days_text(min(s.day), max(s.day)))
  from unnest(p_spans) s
  group by s.contract_id, s.contract_post_id, s.site_id, s.post_id, s.kind, s.rate, s.tax_name, s.tax_rate;
$$;

-- The months of posts with a monthly amount or minimum that end within the days of the draft: each month belongs to the
-- draft that contains its last day. A month in which the post begins or ends counts by its days.
create function private.months_to_bill(p_scopes private.draft_scope[])
returns table (
  contract_id uuid, contract_post_id uuid, site_id uuid, post_id uuid, basis text, month date, first_day date,
  last_day date, days integer, month_days integer, monthly_amount numeric, minimum_minutes integer, tax_name text
)
language sql stable security definer set search_path = '' as $$
  select s.contract_id, c.id, c.site_id, c.post_id, c.basis, m.first::date, d.first_day, d.last_day,
    d.last_day - d.first_day + 1, m.last - m.first::date + 1, c.monthly_amount,
    round(c.minimum_hours * 60 * (d.last_day - d.first_day + 1) / (m.last - m.first::date + 1))::integer, s.tax_name
  from unnest(p_scopes) s
  join public.contract_posts c on c.contract_id = s.contract_id and c.basis in ('fixed', 'minimum')
  cross join lateral generate_series(date_trunc('month', s.first::timestamp), s.last::timestamp, '1 month') g (first)
  cross join lateral (select g.first, (g.first + interval '1 month - 1 day')::date as last) m
  cross join lateral (
    select greatest(m.first::date, c.starts_on) as first_day, least(m.last, c.ends_on) as last_day
  ) d
  where d.last_day >= d.first_day and d.last_day between s.first and s.last
    and not exists (
      select from public.invoice_lines l
      where l.contract_post_id = c.id and l.kind = c.basis and l.month = m.first::date and l.credited_at is null
    );
$$;

create function private.fixed_lines(p_scopes private.draft_scope[]) returns setof private.draft_line
language sql stable security definer set search_path = '' as $$
  select gen_random_uuid(), m.contract_id, m.contract_post_id, m.site_id, m.post_id, 'fixed',
    to_char(m.month, 'FMMonth YYYY'), round(m.days::numeric / m.month_days, 4), 'month', m.monthly_amount,
    round(m.monthly_amount * m.days / m.month_days, 2), case when t.rate is not null then m.tax_name end, t.rate, null::integer, m.month, null::uuid,
    null::datemultirange, case when m.days < m.month_days
      then format('%s of %s days, %s.', m.days, m.month_days, private.days_text(m.first_day, m.last_day)) else '' end
  from private.months_to_bill(p_scopes) m
  cross join lateral (select private.tax_rate_on(m.tax_name, m.last_day) as rate) t
  where m.basis = 'fixed' and m.monthly_amount > 0;
$$;

-- Minutes worked at posts with a minimum in the months to bill, also those that are waived or not approved yet: they are
-- not billed as missing too.
create function private.minimum_minutes(p_scopes private.draft_scope[])
returns table (contract_post_id uuid, month date, minutes integer)
language sql stable security definer set search_path = '' as $$
  with work as materialized (
    select m.contract_post_id, m.month, s.site_id, h.post_id, s.day, sum(s.minutes) as minutes
    from private.months_to_bill(p_scopes) m
    join public.time_segments s on s.site_id = m.site_id and s.starts_at >= private.company_midnight(m.first_day)
      and s.starts_at < private.company_midnight(m.last_day + 1)
    left join public.shifts h on h.id = s.shift_id
    where m.basis = 'minimum' and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
    group by m.contract_post_id, m.month, s.site_id, h.post_id, s.day
  )
  select w.contract_post_id, w.month, sum(w.minutes)::integer from work w
  where (private.contract_post_on(w.site_id, w.post_id, w.day)).id = w.contract_post_id
  group by w.contract_post_id, w.month;
$$;

-- What a post was worked less than its minimum. A month that is not over is part of the estimate.
create function private.minimum_lines(p_scopes private.draft_scope[]) returns setof private.draft_line
language sql stable security definer set search_path = '' as $$
  select gen_random_uuid(), m.contract_id, m.contract_post_id, m.site_id, m.post_id, 'minimum',
    'up to the minimum of ' || to_char(m.month, 'FMMonth YYYY'), round(x.missing / 60.0, 4), 'h', p.rate,
    round(x.missing * p.rate / 60, 2), case when p.tax is not null then m.tax_name end, p.tax, null::integer, m.month, null::uuid, null::datemultirange,
    format('%s h of %s h were worked.', trim_scale(round((m.minimum_minutes - x.missing) / 60.0, 2)),
      trim_scale(round(m.minimum_minutes / 60.0, 2)))
  from private.months_to_bill(p_scopes) m
  left join private.minimum_minutes(p_scopes) b on b.contract_post_id = m.contract_post_id and b.month = m.month
  cross join lateral (select m.minimum_minutes - coalesce(b.minutes, 0) as missing) x
  cross join lateral (
    select private.hour_rate(m.contract_id, m.contract_post_id, 'regular', m.last_day) as rate,
      private.tax_rate_on(m.tax_name, m.last_day) as tax
  ) p
  where m.basis = 'minimum' and m.last_day < private.company_date() and x.missing > 0 and p.rate is not null;
$$;

-- Credits for guards who were not there. At posts paid by the month, the price of an hour is its share of the month's
-- required hours; elsewhere it is the regular rate. Posts that pay worked hours alone give credit only as a penalty.
create function private.gap_lines(p_scopes private.draft_scope[]) returns setof private.draft_line
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
      from (select distinct g.contract_post_id, g.site_id, g.month_first, g.month_last from gaps g where g.basis = 'fixed') m
      join public.shifts h on h.site_id = m.site_id and h.start_time >= private.company_midnight(m.month_first)
        and h.start_time < private.company_midnight(m.month_last + 1)
      group by m.contract_post_id, m.month_first, h.site_id, h.post_id, 5
    ) r
    where (private.contract_post_on(r.site_id, r.post_id, r.day)).id = r.contract_post_id
    group by r.contract_post_id, r.month_first
  ), priced as (
    select g.*, s.tax_name, private.tax_rate_on(s.tax_name, g.day) as tax_rate,
      case when s.gap_credit = 'penalty' then s.gap_factor else 1 end * case
        when g.basis <> 'fixed' then private.hour_rate(g.contract_id, g.contract_post_id, 'regular', g.day)
        else g.monthly_amount * 60 * (g.month_last - g.month_first + 1)
          / extract(day from date_trunc('month', g.day::timestamp) + interval '1 month - 1 day') / nullif(m.required, 0)
      end as rate
    from gaps g
    join unnest(scopes) s on s.contract_id = g.contract_id and g.day between s.first and s.last
    left join months m on m.contract_post_id = g.contract_post_id and m.month_first = g.month_first
  )
  select gen_random_uuid(), p.contract_id, p.contract_post_id, p.site_id, p.post_id, 'gap_credit', 'uncovered hours',
    -round(sum(p.minutes) / 60.0, 4), 'h', round(p.rate, 4), -round(sum(p.minutes) * p.rate / 60, 2),
    case when p.tax_rate is not null then p.tax_name end, p.tax_rate, sum(p.minutes)::integer, null::date, null::uuid,
    range_agg(daterange(p.day, p.day + 1)),
    format('%s, %s.', private.count_text(count(*), 'day'), private.days_text(min(p.day), max(p.day)))
  from priced p
  where p.rate > 0
  group by p.contract_id, p.contract_post_id, p.site_id, p.post_id, p.rate, p.tax_name, p.tax_rate
  having round(sum(p.minutes) * p.rate / 60, 2) <> 0;
end
$$;

revoke all on all functions in schema private from public;
