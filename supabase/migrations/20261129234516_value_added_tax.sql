-- Functions name columns that come below.
set local check_function_bodies = off;

alter type private.draft_line add attribute vat_treatment text, add attribute price_with_tax numeric;

alter type private.draft_scope drop attribute tax_name;

alter type private.unbilled_span add attribute vat_treatment text;

create or replace FUNCTION private.keep_used_tax()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if exists (select from public.contracts c where c.tax_name = old.name)
    and not exists (select from public.tax_rates t where t.name = old.name and t.id <> old.id)
  then
    raise exception 'Contracts use this tax. Choose another tax on them first.' using errcode = 'PT409';
  end if;
  if exists (
    select from public.vat_registrations r
    where r.tax_name = old.name and not exists (
      select from public.tax_rates t
      where t.name = old.name and t.id <> old.id and t.effective_from <= r.registered_from)
  ) then
    raise exception 'The registration for VAT needs this rate. Change the registration first.' using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$function$;

create or replace FUNCTION private.within_headcount(p_spans private.unbilled_span[])
 RETURNS TABLE(is_surplus boolean, piece private.unbilled_span)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
 SET enable_nestloop TO 'off'
 SET work_mem TO '32MB'
AS $function$
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
$function$;

drop function private.months_to_bill(private.draft_scope[]);

create or replace FUNCTION private.months_to_bill(p_scopes private.draft_scope[])
 RETURNS TABLE(contract_id uuid, contract_post_id uuid, site_id uuid, post_id uuid, basis text, month date, first_day date, last_day date, days integer, month_days integer, monthly_amount numeric, minimum_minutes integer, open_days datemultirange)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

create or replace FUNCTION private.fixed_lines(p_scopes private.draft_scope[])
 RETURNS SETOF private.draft_line
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select gen_random_uuid(), m.contract_id, m.contract_post_id, m.site_id, m.post_id, 'fixed',
    to_char(m.month, 'FMMonth YYYY'), round(t.days::numeric / m.month_days, 4), 'month', m.monthly_amount,
    round(m.monthly_amount * t.until / m.month_days, 2) - round(m.monthly_amount * t.before / m.month_days, 2),
    t.tax_name, t.tax_rate, null::integer, m.month, null::uuid, t.span_days,
    case when t.days < m.month_days then format('%s of %s days, %s.', t.days, m.month_days,
      private.days_text(lower(t.span_days), upper(t.span_days) - 1)) else '' end, t.vat_treatment, null::numeric
  from private.months_to_bill(p_scopes) m
  cross join lateral private.month_prices(m.contract_id, m.contract_post_id, m.open_days, false) t
  where m.basis = 'fixed' and m.monthly_amount > 0;
$function$;

create or replace FUNCTION private.minimum_lines(p_scopes private.draft_scope[])
 RETURNS SETOF private.draft_line
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

create or replace FUNCTION private.lines_taken_back(p_scopes private.draft_scope[])
 RETURNS SETOF private.draft_line
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
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
          and t.day >= l.month and t.day < l.month + interval '1 month'
          and (private.contract_post_on(t.site_id, d.post_id, t.day)).id = l.contract_post_id
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
$function$;

create or replace FUNCTION private.gap_lines(p_scopes private.draft_scope[])
 RETURNS SETOF private.draft_line
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
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
$function$;

create or replace FUNCTION private.estimate_lines(p_scopes private.draft_scope[], p_left private.unbilled_span[])
 RETURNS SETOF private.draft_line
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
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
$function$;

create or replace FUNCTION private.settlement_lines(p_scopes private.draft_scope[])
 RETURNS SETOF private.draft_line
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select gen_random_uuid(), u.contract_id, (u.line).contract_post_id, (u.line).site_id, (u.line).post_id, 'settlement',
    'estimate of ' || u.number || ' taken back', -(u.line).quantity, (u.line).unit, (u.line).rate, -(u.line).amount,
      (u.line).tax_name, (u.line).tax_rate, null::integer, (u.line).month, (u.line).id,
    null::datemultirange, 'The hours worked are on this invoice.', (u.line).vat_treatment, -(u.line).price_with_tax
  from unnest(p_scopes) s
  cross join lateral private.unsettled_estimates(array[s.contract_id]) u where u.last <= s.last;
$function$;

create or replace FUNCTION private.journal_entries(p_from date, p_to date)
 RETURNS TABLE(day date, kind text, document text, place integer, key text, amount numeric, currency text, text text)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 10000
 SET search_path TO ''
AS $function$
  with runs as materialized (
    -- A locked run that was voided is booked, and booked back on the day of voiding.
    select r.id, r.currency, b.day, b.sign, b.kind,
      format('PAY %s %s %s', r.period_end, r.pay_group, r.currency) as document,
      format('%s pay, %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end)) as text
    from public.pay_runs r
    cross join lateral (values
      ('pay_run', r.period_end, 1), ('pay_run_void', private.company_date_of(r.voided_at), -1)
    ) b (kind, day, sign)
    where r.locked_at is not null and b.day between p_from and p_to
  ), sums as materialized (
    select s.* from private.run_sums(array(select distinct r.id from runs r)) s
  ), invoices as (
    select i.issued_on as day, 'invoice' as kind, i.number as document, i.currency, 1 as sign, i.total, i.tax,
      c.name as text
    from public.invoices i join public.clients c on c.id = i.client_id
    where i.status <> 'draft' and i.issued_on between p_from and p_to
    union all
    select n.issued_on, 'credit_note', n.number, n.currency, -1, n.amount, n.tax,
      format('%s, %s: %s', c.name, i.number, n.reason)
    from public.credit_notes n join public.invoices i on i.id = n.invoice_id join public.clients c on c.id = n.client_id
    where n.issued_on between p_from and p_to
  ), booked as (
    select r.*, 'receipt' as kind, r.received_on as day, 1 as sign
    from public.receipts r where r.received_on between p_from and p_to
    union all
    select r.*, 'receipt_void', private.company_date_of(r.voided_at), -1
    from public.receipts r
    where r.voided_at is not null and private.company_date_of(r.voided_at) between p_from and p_to
  ), methods as materialized (
    select m.method, private.receipt_method_text(m.method) as text from (select distinct b.method from booked b) m
  ), receipts as (
    select b.day, b.kind, format('RCT %s', upper(left(b.id::text, 8))) as document, b.currency,
      b.sign * b.amount as amount,
      case b.method when 'cash' then 'cash' when 'mobile_money' then 'mobile_money' else 'bank' end as key,
      concat_ws(', ', c.name, m.text, b.reference) as text
    from booked b join public.clients c on c.id = b.client_id join methods m on m.method = b.method
  ), paid as (
    -- What the bank returned is booked on the day it was paid, and booked back on the day of the return.
    select p.day, p.kind, format('%s %s %s %s', case p.kind when 'payment' then 'PAID'
      else 'RETURNED' end, r.period_end,
        r.pay_group, r.currency) as document, p.currency, p.key,
      p.amount, format('%s pay, %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end)) as text
    from (
      select b.day, b.kind, p.pay_run_id, p.currency,
        case p.channel when 'cash' then 'cash' when 'bank' then 'bank' else 'mobile_money' end as key,
        sum(b.sign * p.amount) as amount
      from public.payments p
      cross join lateral (values ('payment', p.paid_on, 1), ('payment_return', p.returned_on, -1)) b (kind, day, sign)
      where p.status in ('paid', 'returned') and b.day between p_from and p_to
      group by 1, 2, 3, 4, 5
    ) p
    join public.pay_runs r on r.id = p.pay_run_id
  ), expenses as (
    -- In US dollars, like the list of expenses.
    select e.expense_date as day, format('EXP %s', upper(left(e.id::text, 8))) as document, e.amount, e.vat_amount,
      'expense_' || e.category as cost, e.paid_from, concat_ws(', ', e.title, e.supplier) as text
    from public.expense_reports e where e.expense_date between p_from and p_to
  ), returns as (
    select b.day, b.kind, format('VAT %s', to_char(r.month, 'YYYY-MM')) as document, a.currency,
      case b.kind when 'vat_return' then a.input else a.paid end as amount,
      case b.kind when 'vat_return' then 'vat_input' else r.paid_from end as key,
      'VAT of ' || to_char(r.month, 'FMMonth YYYY') as text
    from public.vat_returns r
    cross join lateral (values ('vat_return', r.filed_on), ('vat_payment', r.paid_on)) b (kind, day)
    cross join lateral (
      values ('USD', r.input_usd, r.paid_usd), ('LRD', r.input_lrd, r.paid_lrd)
    ) a (currency, input, paid)
    where b.day between p_from and p_to
  )
  select i.day, i.kind, i.document, e.place, e.key, i.sign * e.amount, i.currency, i.text
  from invoices i
  cross join lateral (values
    (1, 'receivables', i.total), (2, 'revenue', i.tax - i.total), (3, 'tax_payable', -i.tax)) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, e.amount, r.currency, r.text
  from receipts r cross join lateral (values (1, r.key, r.amount), (2, 'receivables', -r.amount)) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, r.sign * e.amount, r.currency, r.text
  from runs r join sums s on s.pay_run_id = r.id
  cross join lateral (values
    (1, 'wages', s.gross), (2, 'employer_contributions', s.employer_cost), (3, 'income_tax_payable', s.income_tax),
    (4, 'nasscorp_payable', s.nasscorp), (5, 'staff_advances', s.staff_advances),
    (6, 'other_deductions', s.other_deductions), (7, 'nasscorp_payable', -s.employer_cost),
    (9, 'wages_payable', -s.net)) e (place, key, amount)
  union all
  select p.day, p.kind, p.document, e.place, e.key, e.amount, p.currency, p.text
  from paid p cross join lateral (values (1, 'wages_payable', p.amount), (2, p.key, -p.amount)) e (place, key, amount)
  union all
  select x.day, 'expense', x.document, e.place, e.key, e.amount, 'USD', x.text
  from expenses x cross join lateral (values
    (1, x.cost, x.amount - x.vat_amount), (2, 'vat_input', x.vat_amount), (3, x.paid_from, -x.amount)
  ) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, e.amount, r.currency, r.text
  from returns r
  cross join lateral (values (1, 'tax_payable', r.amount), (2, r.key, -r.amount)) e (place, key, amount);
$function$;

create or replace FUNCTION private.insert_draft_lines(p_lines private.draft_line[], p_contracts uuid[], p_invoices uuid[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

create or replace FUNCTION private.mark_pieces_billed(p_pieces private.unbilled_span[], p_lines private.draft_line[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

create or replace FUNCTION private.billed_hour_lines(p_spans private.unbilled_span[])
 RETURNS SETOF private.draft_line
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
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
$function$;

create or replace FUNCTION private.draft_scopes(p_from date, p_to date, p_client_id uuid)
 RETURNS SETOF private.draft_scope
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

create or replace FUNCTION private.draft_content(p_invoice_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

create or replace FUNCTION private.prepare_invoice_line()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  contract public.contracts;
  tax record;
begin
  if new.position is null then
    new.position := 1 + coalesce((
      select max(l.position) from public.invoice_lines l where l.invoice_id = new.invoice_id), 0);
  end if;
  if new.kind = 'other' then
    new.amount := round(new.quantity * new.rate, 2);
    new.price_with_tax := null;
    select c.* into contract from public.invoices i join public.contracts c on c.id = i.contract_id
    where i.id = new.invoice_id;
    select t.* into tax from public.invoices i
    cross join lateral private.tax_days(i.contract_id, null, i.period_end, i.period_end) t
    where i.id = new.invoice_id and t.vat_treatment is not null;
    if not found then
      new.vat_treatment := null;
    else
      -- A line by hand may be without VAT where others have it, never the other way round.
      new.vat_treatment := case when tax.vat_treatment = 'exempt' then 'exempt'
        else coalesce(new.vat_treatment, 'standard') end;
      new.tax_name := tax.tax_name;
      new.tax_rate := case when new.vat_treatment = 'standard' then tax.tax_rate else 0 end;
    end if;
    if contract.prices_include_tax and new.tax_rate > 0 then
      new.price_with_tax := new.amount;
      new.amount := private.price_without_tax(new.price_with_tax, new.tax_rate);
    end if;
  end if;
  return new;
end
$function$;

create or replace FUNCTION private.issue_draft(p_id uuid, p_is_current boolean)
 RETURNS public.invoices
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  invoice public.invoices;
  today date := private.company_date();
begin
  -- Before any row, as draft_invoices does: they take turns.
  perform pg_advisory_xact_lock(hashtextextended('draft_invoices', 0));
  select * into invoice from public.invoices i where i.id = p_id for update;
  if not found then
    raise exception 'This invoice no longer exists.' using errcode = 'PT404';
  end if;
  if invoice.status <> 'draft' then
    return invoice;
  end if;
  if not exists (select from public.invoice_lines l where l.invoice_id = invoice.id) then
    raise exception 'This invoice has no lines.' using errcode = 'PT409';
  end if;
  if invoice.total < 0 then
    raise exception 'This invoice is below zero. Bill it together with the next period.' using errcode = 'PT409';
  end if;
  if p_is_current is not true then
    perform private.require_current_draft(invoice.id);
  end if;
  update public.invoices i set
    year = extract(year from today)::integer,
    sequence = private.next_number('invoice', extract(year from today)::integer),
    status = 'issued', issued_on = today, due_on = today + c.payment_terms_days,
    bill_to = private.bill_to_of(c.id, i.period_end), issued_by = auth.uid(),
    vat_number = (private.vat_registration_on(today)).number
  from public.contracts c where i.id = invoice.id and c.id = i.contract_id returning i.* into strict invoice;
  return invoice;
end
$function$;

create or replace FUNCTION private.unbilled_spans(p_sites uuid[], p_from date, p_to date, p_timesheets uuid[] DEFAULT NULL::uuid[], p_is_priced boolean DEFAULT true)
 RETURNS SETOF private.unbilled_span
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
 SET work_mem TO '32MB'
 SET plan_cache_mode TO 'force_custom_plan'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  first timestamptz := private.company_midnight(p_from);
  last timestamptz := private.company_midnight(p_to + 1);
begin
  return query
  with chosen as materialized (
    select s.timesheet_id, s.user_id, s.attendance_id, s.shift_id, s.site_id, s.day, s.starts_at, s.ends_at, s.class,
      s.rule
    from public.time_segments s
    where p_timesheets is null and s.site_id = any (p_sites) and s.starts_at >= first and s.starts_at < last
      and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
    union all
    select s.*
    from unnest(p_timesheets) c (id)
    -- One look-up for each timesheet, whatever the planner expects of their number.
    cross join lateral (
      select s.timesheet_id, s.user_id, s.attendance_id, s.shift_id, s.site_id, s.day, s.starts_at, s.ends_at, s.class,
        s.rule
      from public.time_segments s
      where s.timesheet_id = c.id and s.day between p_from - 1 and p_to + 1
      offset 0
    ) s
    where s.site_id = any (p_sites) and s.starts_at >= first and s.starts_at < last
      and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
  ), billed as materialized (
    select b.user_id, b.span
    from (
      select c.user_id, min(c.starts_at) as first, max(c.ends_at) as last from chosen c
        group by c.user_id, c.timesheet_id
    ) u
    cross join lateral (
      select b.user_id, b.span from public.billed_time b
      where b.user_id = u.user_id and b.freed_at is null and b.span && tstzrange(u.first, u.last)
      offset 0
    ) b
  ), unbilled as materialized (
    select c.* from chosen c
    -- Most of the past is billed as it was computed, and left out before anything is joined.
    where not exists (select from billed b where b.user_id = c.user_id and b.span = tstzrange(c.starts_at, c.ends_at))
  ), posts as materialized (
    select u.shift_id, h.post_id
    from (select distinct n.shift_id from unbilled n) u
    cross join lateral (select h.post_id from public.shifts h where h.id = u.shift_id offset 0) h
  ), sheets as materialized (
    select u.timesheet_id, t.status in ('approved', 'locked') as is_approved
    from (select distinct n.timesheet_id from unbilled n) u
    cross join lateral (select t.status from public.timesheets t where t.id = u.timesheet_id offset 0) t
  ), work as materialized (
    select s.timesheet_id, s.user_id, s.attendance_id, s.shift_id, s.site_id, h.post_id, s.day,
      tstzrange(s.starts_at, s.ends_at) as span,
      t.is_approved,
      case when s.rule = 'rest_day' then 'rest_day' when s.class in ('overtime_1', 'overtime_2') then 'overtime'
        else s.class end as kind
    from unbilled s
    join sheets t on t.timesheet_id = s.timesheet_id
    left join posts h on h.shift_id = s.shift_id
  ), taken as materialized (
    select b.user_id, range_agg(b.span) as spans from billed b group by b.user_id
  ), free as materialized (
    select w.*, x.span as left_over
    from work w left join taken t on t.user_id = w.user_id
    cross join lateral (
      select w.span where t.spans is null or not t.spans && w.span
      union all
      select unnest(tstzmultirange(w.span) - t.spans) where t.spans && w.span
    ) x
  ), terms as materialized (
    select c.id, c.contract_id, c.basis, c.site_id, c.post_id, c.starts_on, c.ends_on from public.contract_posts c
    where c.site_id in (select f.site_id from free f)
  ), placed as materialized (
    -- As contract_post_on: the row of the post before that of the site. Rows of the same do not overlap.
    select f.*, coalesce(p.id, s.id) as contract_post_id, coalesce(p.contract_id, s.contract_id) as contract_id,
      case when p.id is null then s.basis else p.basis end as basis
    from free f
    left join terms p on p.site_id = f.site_id and p.post_id = f.post_id and f.day >= p.starts_on
      and (p.ends_on is null or f.day <= p.ends_on)
    left join (select t.* from terms t where t.post_id is null) s on s.site_id = f.site_id and f.day >= s.starts_on
      and (s.ends_on is null or f.day <= s.ends_on)
  ), priced as materialized (
    select distinct l.contract_id, l.contract_post_id, l.kind from placed l
    where l.contract_id is not null and l.basis <> 'fixed' and (p_is_priced or l.is_approved)
  ), prices as materialized (
    -- As hour_rate, which can only change on a day on which a rate begins.
    select d.contract_post_id, d.kind, d.day as first,
      coalesce(lead(d.day) over (partition by d.contract_post_id, d.kind order by d.day), 'infinity') as before,
        x.amount as rate
    from (
      select distinct p.contract_id, p.contract_post_id, p.kind, r.effective_from as day
      from priced p
      join public.rates r on r.contract_id = p.contract_id
        and (r.contract_post_id = p.contract_post_id or r.contract_post_id is null) and r.kind in (p.kind, 'regular')
    ) d
    cross join lateral (
      select r.amount from public.rates r
      where r.contract_id = d.contract_id and (r.contract_post_id = d.contract_post_id or r.contract_post_id is null)
        and r.kind in (d.kind, 'regular') and r.effective_from <= d.day
      order by r.kind = d.kind desc, r.contract_post_id nulls last, r.effective_from desc
      limit 1
    ) x
  ), taxes as materialized (
    select p.contract_post_id, t.*
    from (
      select l.contract_id, l.contract_post_id, min(l.day) as first, max(l.day) as last from placed l
      where l.contract_id is not null group by l.contract_id, l.contract_post_id
    ) p
    cross join lateral private.tax_days(p.contract_id, p.contract_post_id, p.first, p.last) t
  )
  select l.contract_id, l.contract_post_id, l.basis, l.site_id, l.post_id, l.user_id, l.attendance_id, l.shift_id,
    l.day,
    l.left_over, (extract(epoch from upper(l.left_over) - lower(l.left_over)) / 60)::integer, l.kind, l.is_approved,
      p.rate,
    x.tax_name, x.tax_rate, l.timesheet_id, x.vat_treatment
  from placed l
  left join prices p on p.contract_post_id = l.contract_post_id and p.kind = l.kind and l.day >= p.first
    and l.day < p.before
  left join taxes x on x.contract_post_id = l.contract_post_id and l.day between x.first and x.last;
end
$function$;

create or replace FUNCTION private.insert_correction_lines(p_corrections private.invoice_corrections[], p_contracts uuid[], p_invoices uuid[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

select private.tidy_texts_of('public.clients', 'name', 'location', 'tin');

select private.tidy_texts_of('public.expense_reports', 'title', 'notes', 'receipt_path', 'supplier', 'supplier_tin');

create or replace FUNCTION public.client_invoice(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  answer jsonb;
begin
  select jsonb_build_object(
    'id', i.id, 'number', i.number, 'currency', i.currency, 'status', i.status, 'issued_on', i.issued_on, 'due_on',
      i.due_on,
    'period_start', i.period_start, 'period_end', i.period_end, 'bill_to', i.bill_to, 'subtotal', i.subtotal, 'tax',
      i.tax,
    'total', i.total, 'credited', i.credited, 'paid', i.paid, 'open_amount', i.open_amount,
    -- Printed on the PDF, too.
    'note', i.note, 'vat_number', i.vat_number,
    'lines', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', l.id, 'site', s.name, 'post', p.name, 'description', l.description, 'quantity', l.quantity, 'unit',
          l.unit,
        'rate', l.rate, 'amount', l.amount, 'price_with_tax', l.price_with_tax, 'tax_name', l.tax_name, 'tax_rate',
        l.tax_rate, 'tax_amount', l.tax_amount, 'vat_treatment', l.vat_treatment,
        'is_credited', l.credited_at is not null, 'has_days', l.kind = 'fixed'
          or exists (
          select from public.billed_time b where b.invoice_line_id = l.id)
      ) order by l.position, l.id)
      from public.invoice_lines l
      left join public.sites s on s.id = l.site_id
      left join public.posts p on p.id = l.post_id
      where l.invoice_id = i.id), '[]'),
    'credit_notes', coalesce((
      select jsonb_agg(jsonb_build_object('number', n.number, 'issued_on', n.issued_on, 'reason', n.reason, 'amount',
        n.amount,
        'tax', n.tax, 'lines', (
          select coalesce(jsonb_agg(jsonb_build_object('description', l.description, 'quantity', l.quantity, 'unit',
            l.unit,
            'rate', l.rate, 'amount', c.amount, 'price_with_tax', l.price_with_tax, 'tax_name', l.tax_name, 'tax_rate',
            l.tax_rate, 'tax_amount', c.tax_amount, 'vat_treatment', l.vat_treatment) order by l.position, l.id), '[]')
          from public.credit_note_lines c
          join public.invoice_lines l on l.id = c.invoice_line_id
          where c.credit_note_id = n.id)
      ) order by n.year, n.sequence)
      from public.credit_notes n where n.invoice_id = i.id), '[]'),
    'receipts', coalesce((
      select jsonb_agg(jsonb_build_object('received_on', r.received_on, 'method', private.receipt_method_text(r.method),
        'reference', r.reference, 'amount', a.amount) order by r.received_on, r.id)
      from public.receipt_allocations a join public.receipts r on r.id = a.receipt_id
      where a.invoice_id = i.id), '[]')
  ) into answer
  from public.invoices i where i.id = p_id and i.client_id = any (private.client_of_caller()) and i.status <> 'draft';
  if answer is null then
    raise exception 'There is no such invoice.' using errcode = 'PT404';
  end if;
  return answer;
end
$function$;

create or replace FUNCTION private.setup_steps()
 RETURNS TABLE(place integer, step text, done boolean, count bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select s.place, s.step,
    s.count >= s.enough or exists (
      select from public.setup_marks m where m.step = s.step and m.mark = 'confirmed'
    ), s.count
  from (values
    (1, 'company', 1, 0),
    (2, 'clients', 1, (select count(*) from public.clients)),
    (3, 'sites', 1, (select count(*) from public.sites)),
    (4, 'guards', 1, (select count(distinct r.user_id) from public.user_roles r where r.role = 'guard')),
    (5, 'posts', 1, (
      select count(*) from public.posts p
      where exists (select from public.post_requirements r where r.post_id = p.id)
    )),
    (6, 'roster_rules', 2, (select count(*) from public.rule_sets)),
    (7, 'roster', 1, (select count(*) from public.roster_periods p where p.publications > 0)),
    (8, 'time_rules', 2, (select count(*) from public.time_rules)),
    (9, 'contracts', 1, (select count(*) from public.contracts)),
    (10, 'vat', 1, (select count(*) from public.vat_registrations)),
    (11, 'pay_rules', 1, (select count(*) from public.pay_runs p where p.status in ('locked', 'paid'))),
    (12, 'bank_formats', 1, (select count(*) from public.payment_files)),
    (13, 'office', 2, (select count(distinct r.user_id) from public.user_roles r where r.role <> 'guard')),
    (14, 'messages', 1, 0),
    (15, 'backup', 1, (select count(p.backed_up_at) from private.settings p))
  ) s (place, step, enough, count);
$function$;

create or replace FUNCTION private.due_dates()
 RETURNS TABLE(topic text, subject text, user_id uuid, falls_on date, line text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  today constant date := private.reminder_date();
  -- Monday of the week to come.
  week constant date := date_trunc('week', today)::date + 7;
  long_ago constant date := today - 60;
begin
  return query
  select case when e.ends_on < today then 'certificate_over' else 'certificate' end, e.id::text, e.user_id, e.ends_on,
    format('%s, %s', k.title, private.day_text(e.ends_on))
  from (
    select c.*, private.company_date_of(c.expires_at) as ends_on from public.certifications c
    where c.expires_at > now() - make_interval(days => private.expiring_days())
      and c.expires_at <= now() + make_interval(days => private.expiring_days())
  ) e
  join public.training_courses k on k.id = e.course_id
  join public.profiles p on p.id = e.user_id and (p.left_on is null or p.left_on >= today)
  where not exists (
    select from public.certifications n
    where n.user_id = e.user_id and n.course_id = e.course_id and n.expires_at > e.expires_at
  );

  return query
  select 'contract', c.id::text, null::uuid, c.ends_on,
    format('%s: %s, last day %s', k.name, c.title, private.day_text(c.ends_on))
  from public.contracts c
  join public.clients k on k.id = c.client_id
  where c.ends_on between today and today + private.contract_ending_days();

  return query
  select 'billing', format('%s:%s', d.contract_id, d.first), null::uuid, d.due_on,
    format('%s: %s, %s', k.name, d.title, private.period_text(d.first, d.last))
  from private.billing_due(today, null) d
  join public.clients k on k.id = d.client_id
  where d.state = 'due';

  return query
  select 'pay_run', format('%s:%s', s.payment_frequency, s.currency), null::uuid, t.period_end + 1,
    format('%s, %s: %s', initcap(s.payment_frequency), s.currency, private.period_text(t.period_start, t.period_end))
  from public.timesheets t
  join public.staff s on s.user_id = t.user_id
  where t.period_end >= long_ago and t.period_end < today
    and not exists (
      select from public.pay_runs r
      where r.status <> 'void' and r.pay_group = s.payment_frequency and r.currency = s.currency
        and daterange(r.period_start, r.period_end, '[]') && daterange(t.period_start, t.period_end, '[]')
    )
  group by s.payment_frequency, s.currency, t.period_start, t.period_end;

  -- VAT that begins within a month, or has begun, while nobody has said whether the company is registered.
  return query
  select 'vat', x.name, null::uuid, x.effective_from, format('%s of %s%% from %s', x.name, trim_scale(x.rate * 100),
    private.day_text(x.effective_from))
  from (
    select p.name, p.rate, p.effective_from from public.rate_proposals p where p.kind = 'tax'
    union all
    select t.name, t.rate, t.effective_from from public.tax_rates t
  ) x
  where x.name = private.vat_name() and x.effective_from between long_ago and today + 31
    and not exists (select from public.vat_registrations)
    and not exists (select from public.setup_marks m where m.step = 'vat' and m.mark = 'confirmed');

  return query
  select 'roster', 'week', null::uuid, week, format('%s of %s seats of the week from %s are open.',
    sum(s.open), sum(s.needed), private.day_text(week))
  from (
    select h.required_headcount as needed, greatest(h.required_headcount - (
      select count(*) from public.assignments a where a.shift_id = h.id and a.counts_as_staffed
    ), 0) as open
    from public.shifts h
    where h.start_time >= private.company_midnight(week) and h.start_time < private.company_midnight(week + 7)
  ) s
  where not exists (select from public.roster_periods r where r.starts_on = week and r.state = 'published')
  having sum(s.open) > 0;
end
$function$;

create or replace FUNCTION private.tell_of_due_dates()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  shown constant integer := 15;
  sent integer;
begin
  with due as materialized (
    select d.*, row_number() over (partition by d.topic order by d.falls_on, d.line) as place
    from private.due_dates() d
    where not exists (
      select from private.told_dates t
      where t.topic = d.topic and t.subject = d.subject and t.falls_on = d.falls_on
    )
  ),
  told as (
    insert into private.told_dates (topic, subject, falls_on)
    select distinct d.topic, d.subject, d.falls_on from due d order by 1, 2, 3 on conflict do nothing
  ),
  topics (topic, kind, roles, one, many, link) as (
    values
      ('certificate', 'certificate', '{hr}'::text[], 'A certificate ends within 30 days',
        '%s certificates end within 30 days', '/admin/certifications?state=expiring'),
      ('certificate_over', 'certificate', '{hr,ops_manager}', 'A certificate has ended',
        '%s certificates have ended', '/admin/certifications?state=expired'),
      ('contract', 'contract', '{finance,ops_manager}', 'A contract ends soon', '%s contracts end soon',
        '/admin/contracts'),
      ('billing', 'billing', '{finance}', 'An invoice is due', 'Invoices are due: %s', '/admin/invoices'),
      ('pay_run', 'pay_run', '{finance}', 'A pay run is due', 'Pay runs are due: %s', '/admin/payruns'),
      ('vat', 'billing', '{finance}', 'VAT begins: confirm the registration and the rate', null, '/admin/invoices/vat'),
      ('roster', 'roster', '{dispatcher,ops_manager}', 'The roster of next week is not published', null,
        '/admin/roster?gaps=open&week=%s')
  ),
  lists as (
    select d.topic, count(*) as things, min(d.falls_on) as first_on,
      string_agg(coalesce(private.name_of_person(d.user_id) || ': ', '') || d.line, e'\n' order by d.place)
        filter (where d.place <= shown)
        || case when count(*) > shown then format(e'\nand %s more', count(*) - shown) else '' end as body
    from due d group by d.topic
  ),
  messages as (
    select r.user_id, l.topic, t.kind, case when l.things = 1 then t.one else format(t.many, l.things) end as title,
      l.body, format(t.link, l.first_on) as link
    from lists l
    join topics t on t.topic = l.topic
    cross join lateral private.holders_of(t.roles) r
    union all
    select d.user_id, d.topic || ':' || d.subject, 'certificate',
      case when d.topic = 'certificate' then 'A certificate of yours ends soon' else 'A certificate of yours has ended'
      end, d.line || e'\nAsk the office to renew it.', '/staff/me'
    from due d where d.topic in ('certificate', 'certificate_over')
    -- In order, so that two at once never deadlock.
    order by 1, 2
  )
  select count(private.notify(m.user_id, m.kind, m.title, m.body, m.link,
    format('due:%s:%s:%s', m.topic, pg_current_xact_id(), m.user_id)))
  into sent from messages m;
  return sent;
end
$function$;

alter table public.chart_of_accounts drop constraint chart_of_accounts_key_check;

alter table public.chart_of_accounts add constraint chart_of_accounts_key_check CHECK ((key = ANY (ARRAY['receivables'::text, 'revenue'::text, 'tax_payable'::text, 'vat_input'::text, 'bank'::text, 'cash'::text, 'mobile_money'::text, 'wages'::text, 'employer_contributions'::text, 'income_tax_payable'::text, 'nasscorp_payable'::text, 'wages_payable'::text, 'staff_advances'::text, 'other_deductions'::text, 'expense_operations'::text, 'expense_payroll'::text, 'expense_equipment'::text, 'expense_training'::text, 'expense_transport'::text, 'expense_utilities'::text, 'expense_other'::text])));

alter table public.setup_marks drop constraint setup_marks_step_check;

alter table public.setup_marks add constraint setup_marks_step_check CHECK ((step = ANY (ARRAY['company'::text, 'clients'::text, 'sites'::text, 'guards'::text, 'posts'::text, 'roster_rules'::text, 'roster'::text, 'time_rules'::text, 'contracts'::text, 'vat'::text, 'pay_rules'::text, 'bank_formats'::text, 'office'::text, 'messages'::text, 'backup'::text])));

alter table public.setup_marks drop constraint setup_marks_confirm_settings;

alter table public.setup_marks add constraint setup_marks_confirm_settings CHECK (((mark = 'later'::text) OR (step = ANY (ARRAY['company'::text, 'roster_rules'::text, 'time_rules'::text, 'vat'::text, 'pay_rules'::text, 'bank_formats'::text, 'messages'::text, 'backup'::text]))));

create table public.vat_registrations ();

create table public.vat_exemptions ();

create table public.vat_returns ();

create table public.vat_return_lines ();

alter table public.clients add column tin text;

alter table public.contracts add column prices_include_tax boolean default false not null;

alter table public.vat_registrations add column id uuid default gen_random_uuid() not null;

alter table public.vat_registrations add column created_by uuid default auth.uid();

alter table public.vat_registrations add column created_at timestamp with time zone default now() not null;

alter table public.vat_registrations add column updated_at timestamp with time zone default now() not null;

alter table public.vat_exemptions add column id uuid default gen_random_uuid() not null;

alter table public.vat_exemptions add column created_by uuid default auth.uid();

alter table public.vat_exemptions add column created_at timestamp with time zone default now() not null;

alter table public.vat_exemptions add column updated_at timestamp with time zone default now() not null;

alter table public.invoices add column vat_number text;

alter table public.expense_reports add column supplier text;

alter table public.expense_reports add column supplier_tin text;

alter table public.expense_reports add column vat_amount numeric(14,2) default 0 not null;

alter table public.expense_reports add column paid_from text default 'bank'::text not null;

alter table public.vat_returns add column month date not null;

alter table public.vat_returns add column lrd_per_usd numeric(14,4) not null;

alter table public.vat_returns add column filed_on date;

alter table public.vat_returns add column filed_reference text;

alter table public.vat_returns add column filed_by uuid;

alter table public.vat_returns add column paid_on date;

alter table public.vat_returns add column paid_from text;

alter table public.vat_returns add column paid_reference text;

alter table public.vat_returns add column reopened_reason text;

alter table public.vat_returns add column id uuid default gen_random_uuid() not null;

alter table public.vat_returns add column status text default 'prepared'::text not null;

alter table public.vat_returns add column output_usd numeric(16,2) default 0 not null;

alter table public.vat_returns add column output_lrd numeric(16,2) default 0 not null;

alter table public.vat_returns add column input_usd numeric(16,2) default 0 not null;

alter table public.vat_returns add column input_lrd numeric(16,2) default 0 not null;

alter table public.vat_returns add column brought_forward numeric(16,2) default 0 not null;

alter table public.vat_returns add column due numeric(16,2) generated always as ((round(((((output_usd - input_usd) * lrd_per_usd) + output_lrd) - input_lrd), 2) - brought_forward)) stored not null;

alter table public.vat_returns add column prepared_by uuid default auth.uid();

alter table public.vat_returns add column prepared_at timestamp with time zone default now() not null;

alter table public.vat_returns add column paid_usd numeric(16,2) default 0 not null;

alter table public.vat_returns add column paid_lrd numeric(16,2) default 0 not null;

alter table public.vat_return_lines add column return_id uuid not null;

alter table public.vat_return_lines add column box text not null;

alter table public.vat_return_lines add column kind text not null;

alter table public.vat_return_lines add column document_id uuid not null;

alter table public.vat_return_lines add column document text not null;

alter table public.vat_return_lines add column day date not null;

alter table public.vat_return_lines add column party text not null;

alter table public.vat_return_lines add column tin text;

alter table public.vat_return_lines add column currency text not null;

alter table public.vat_return_lines add column net numeric(16,2) not null;

alter table public.vat_return_lines add column rate numeric(6,4);

alter table public.vat_return_lines add column vat numeric(16,2) not null;

alter table public.vat_return_lines add column id uuid default gen_random_uuid() not null;

alter table public.contract_posts add column vat_treatment text default 'standard'::text not null;

alter table public.invoice_lines add column price_with_tax numeric(14,2);

alter table public.invoice_lines drop column tax_amount;

alter table public.invoice_lines add column tax_amount numeric(14,2) generated always as (COALESCE((price_with_tax - amount), round((amount * COALESCE(tax_rate, (0)::numeric)), 2))) stored not null;

alter table public.vat_registrations add column tax_name text default 'VAT'::text not null;

alter table public.vat_registrations add column number text not null;

alter table public.vat_registrations add column registered_from date not null;

alter table public.vat_registrations add column registered_to date;

alter table public.vat_exemptions add column client_id uuid not null;

alter table public.vat_exemptions add column certificate text not null;

alter table public.vat_exemptions add column valid_from date not null;

alter table public.vat_exemptions add column valid_to date;

alter table public.invoice_lines add column vat_treatment text;

CREATE OR REPLACE FUNCTION private.require_rate_of_registration()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if private.tax_rate_on(new.tax_name, new.registered_from) is null then
    raise exception 'There is no rate of % in force on %. Approve it in Pay Rates first.',
      new.tax_name, private.day_text(new.registered_from) using errcode = 'check_violation';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_used_registration()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  days_lost datemultirange := datemultirange(daterange(old.registered_from, old.registered_to, '[]'));
  used text;
begin
  if tg_op = 'UPDATE' and new.tax_name = old.tax_name then
    days_lost := days_lost - datemultirange(daterange(new.registered_from, new.registered_to, '[]'));
  end if;
  -- An invoice has VAT for a part of its days if the registration began or ended within them.
  select i.number into used from public.invoices i
  where i.status not in ('draft', 'credited')
    and daterange(i.period_start, i.period_end, '[]') && days_lost
    and (tg_op = 'DELETE' or new.tax_name <> old.tax_name
      or not daterange(i.period_start, i.period_end, '[]') && daterange(new.registered_from, new.registered_to, '[]'))
    and exists (
      select from public.invoice_lines l
      where l.invoice_id = i.id and l.vat_treatment is not null and l.credited_at is null)
  order by i.issued_on, i.sequence limit 1;
  if used is null then
    select e.title into used from public.expense_reports e
    where e.vat_amount > 0 and e.expense_date <@ days_lost order by e.expense_date limit 1;
  end if;
  if used is not null then
    raise exception '"%" has VAT of these days, so they stay registered.', used using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$function$;

CREATE OR REPLACE FUNCTION private.tax_days(p_contract_id uuid, p_contract_post_id uuid, p_first date, p_last date)
 RETURNS TABLE(first date, last date, tax_name text, tax_rate numeric, vat_treatment text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with terms as materialized (
    select c.client_id, c.tax_name, coalesce(p.vat_treatment, 'standard') as treatment
    from public.contracts c left join public.contract_posts p on p.id = p_contract_post_id
    where c.id = p_contract_id
  ), changes as (
    select p_first as day
    union
    select d.day from public.vat_registrations r
    cross join lateral (values (r.registered_from), (r.registered_to + 1)) d (day)
    where d.day > p_first and d.day <= p_last
    union
    select d.day from terms t join public.vat_exemptions e on e.client_id = t.client_id
    cross join lateral (values (e.valid_from), (e.valid_to + 1)) d (day)
    where d.day > p_first and d.day <= p_last
    union
    select x.effective_from from public.tax_rates x where x.effective_from > p_first and x.effective_from <= p_last
  ), spans as (
    select c.day, coalesce(lead(c.day) over (order by c.day) - 1, p_last) as last, x.tax_name, x.tax_rate, x.treatment
    from changes c
    cross join terms t
    left join public.vat_registrations r on c.day >= r.registered_from and c.day <= coalesce(r.registered_to, c.day)
    left join public.vat_exemptions e on r.id is not null and e.client_id = t.client_id and c.day >= e.valid_from
      and c.day <= coalesce(e.valid_to, c.day)
    cross join lateral (
      select coalesce(r.tax_name, t.tax_name) as tax_name,
        case when r.id is null then null when e.id is not null then 'exempt' else t.treatment end as treatment
    ) n
    cross join lateral (
      select n.tax_name, n.treatment,
        case when n.treatment in ('zero', 'exempt') then 0 else private.tax_rate_on(n.tax_name, c.day) end as tax_rate
    ) x
  ), islands as (
    -- A change of what doesn't apply here divides nothing.
    select s.*, row_number() over (order by s.day)
      - row_number() over (partition by s.tax_name, s.tax_rate, s.treatment order by s.day) as island
    from spans s
  )
  select min(i.day), max(i.last), case when i.tax_rate is not null then i.tax_name end, i.tax_rate, i.treatment
  from islands i group by i.tax_name, i.tax_rate, i.treatment, i.island;
$function$;

CREATE OR REPLACE FUNCTION private.price_without_tax(p_price numeric, p_rate numeric)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN round((p_price / ((1)::numeric + p_rate)), 2);

CREATE OR REPLACE FUNCTION private.vat_registration_on(p_day date)
 RETURNS public.vat_registrations
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select r from public.vat_registrations r
  where p_day >= r.registered_from and (r.registered_to is null or p_day <= r.registered_to);
$function$;

CREATE OR REPLACE FUNCTION private.vat_name()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN 'VAT'::text;

CREATE OR REPLACE FUNCTION private.price_days(p_contract_id uuid, p_contract_post_id uuid, p_first date, p_last date, p_by_rate boolean DEFAULT true)
 RETURNS TABLE(first date, last date, rate numeric, tax_name text, tax_rate numeric, vat_treatment text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.month_prices(p_contract_id uuid, p_contract_post_id uuid, p_open_days datemultirange, p_by_rate boolean DEFAULT true)
 RETURNS TABLE(span_days datemultirange, rate numeric, tax_name text, tax_rate numeric, vat_treatment text, days integer, before integer, until integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.bill_to_of(p_contract_id uuid, p_day date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_strip_nulls(jsonb_build_object('tin', k.tin, 'vat_certificate', (
      select e.certificate from public.vat_exemptions e
      where e.client_id = k.id and e.valid_from <= p_day and (e.valid_to is null or p_day <= e.valid_to)
    ))) || jsonb_build_object('name', coalesce(c.bill_to_name, k.name), 'address',
      coalesce(c.bill_to_address, k.location), 'email', c.bill_to_email)
  from public.contracts c join public.clients k on k.id = c.client_id where c.id = p_contract_id;
$function$;

CREATE OR REPLACE FUNCTION private.require_registered_expense()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if (private.vat_registration_on(new.expense_date)).id is null then
    raise exception 'The company is not registered for VAT on %, so its VAT is part of the cost.',
      private.day_text(new.expense_date) using errcode = 'check_violation';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.keep_filed_expense()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  filed date := (
    select r.month from public.vat_return_lines l join public.vat_returns r on r.id = l.return_id
    where l.kind = 'expense' and l.document_id = old.id and r.status <> 'prepared'
  );
begin
  if filed is not null and (tg_op = 'DELETE'
    or (old.amount, old.vat_amount, old.expense_date, old.supplier, old.supplier_tin)
      is distinct from (new.amount, new.vat_amount, new.expense_date, new.supplier, new.supplier_tin))
  then
    raise exception 'The VAT return of % names this expense. Reopen the return first.',
      to_char(filed, 'FMMonth YYYY') using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$function$;

CREATE OR REPLACE FUNCTION private.vat_lines_of(p_month date)
 RETURNS TABLE(box text, kind text, document_id uuid, document text, day date, party text, tin text, currency text, net numeric, rate numeric, vat numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with span as (
    select (select min(r.registered_from) from public.vat_registrations r) as first,
      (p_month + interval '1 month - 1 day')::date as last
  ), filed as materialized (
    select l.kind, l.document_id from public.vat_return_lines l join public.vat_returns r on r.id = l.return_id
    where r.status <> 'prepared'
  )
  select l.vat_treatment, 'invoice', i.id, i.number, i.issued_on, i.bill_to ->> 'name', i.bill_to ->> 'tin', i.currency,
    sum(l.amount), l.tax_rate, sum(l.tax_amount)
  from span s
  join public.invoices i on i.status <> 'draft' and i.period_end >= s.first and i.issued_on <= s.last
  join public.invoice_lines l on l.invoice_id = i.id and l.vat_treatment is not null
  where not exists (select from filed f where f.kind = 'invoice' and f.document_id = i.id)
  group by i.id, l.vat_treatment, l.tax_rate
  union all
  select l.vat_treatment, 'credit_note', n.id, n.number, n.issued_on, i.bill_to ->> 'name', i.bill_to ->> 'tin',
    n.currency, -sum(c.amount), l.tax_rate, -sum(c.tax_amount)
  from span s
  join public.credit_notes n on n.issued_on between s.first and s.last
  join public.invoices i on i.id = n.invoice_id
  join public.credit_note_lines c on c.credit_note_id = n.id
  join public.invoice_lines l on l.id = c.invoice_line_id and l.vat_treatment is not null
  where not exists (select from filed f where f.kind = 'credit_note' and f.document_id = n.id)
  group by n.id, i.bill_to, l.vat_treatment, l.tax_rate
  union all
  select 'input', 'expense', e.id, e.title, e.expense_date, e.supplier, e.supplier_tin, 'USD', e.amount - e.vat_amount,
    null, e.vat_amount
  from span s join public.expense_reports e on e.expense_date between s.first and s.last and e.vat_amount > 0
  where not exists (select from filed f where f.kind = 'expense' and f.document_id = e.id);
$function$;

CREATE OR REPLACE FUNCTION private.require_vat_month(p_month date)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_billing_role();
  perform private.require_day(p_month, 'month');
  if not exists (select from public.vat_months() m where m.month = p_month) then
    raise exception 'There is no return of VAT for this month.' using errcode = 'PT404';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.vat_return_to_change(p_month date, p_status text)
 RETURNS public.vat_returns
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  found_one public.vat_returns;
begin
  perform private.require_vat_month(p_month);
  perform pg_advisory_xact_lock(hashtextextended('vat returns', 0));
  select * into found_one from public.vat_returns r where r.month = p_month for update;
  if found_one.status is distinct from p_status then
    raise exception 'Someone has changed this return meanwhile. Look at it again.' using errcode = 'PT409';
  end if;
  return found_one;
end
$function$;




CREATE OR REPLACE FUNCTION public.vat_months()
 RETURNS TABLE(month date, status text, output_usd numeric, output_lrd numeric, input_usd numeric, input_lrd numeric, due numeric, filed_on date, paid_on date)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_billing_role();
  return query
  select g.month::date, coalesce(r.status, case when g.month > private.company_date() - interval '1 month'
      then 'running' else 'open' end),
    r.output_usd, r.output_lrd, r.input_usd, r.input_lrd, r.due, r.filed_on, r.paid_on
  from (select min(v.registered_from) as first from public.vat_registrations v) v
  cross join lateral generate_series(date_trunc('month', v.first::timestamp), private.company_date(), '1 month')
    g (month)
  left join public.vat_returns r on r.month = g.month::date
  where exists (
    select from public.vat_registrations x
    -- A return for documents that come within a quarter after the end.
    where x.registered_from < g.month + interval '1 month'
      and coalesce(x.registered_to, 'infinity'::date) > g.month - interval '3 months'
  )
  order by 1 desc;
end
$function$;

CREATE OR REPLACE FUNCTION public.prepare_vat_return(p_month date)
 RETURNS public.vat_returns
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  prepared public.vat_returns;
begin
  perform private.require_vat_month(p_month);
  -- Two at once take turns, so that a document is in one return.
  perform pg_advisory_xact_lock(hashtextextended('vat returns', 0));
  if exists (select from public.vat_returns r where r.month = p_month and r.status <> 'prepared') then
    raise exception 'This return is filed. Reopen it first.' using errcode = 'PT409';
  end if;
  if exists (
    select from public.vat_months() m where m.month < p_month and m.status not in ('filed', 'paid')
  ) then
    raise exception 'Returns are made in order: file the return of the month before first.' using errcode = 'PT409';
  end if;
  -- A later one was prepared before this one was reopened.
  delete from public.vat_returns r where r.status = 'prepared' and r.month <> p_month;
  insert into public.vat_returns as r (month, lrd_per_usd, brought_forward)
  values (p_month, private.pay_rate('lrd_per_usd', (p_month + interval '1 month - 1 day')::date), coalesce((
    select greatest(-o.due, 0) from public.vat_returns o where o.month < p_month order by o.month desc limit 1), 0))
  on conflict (month) do update set lrd_per_usd = excluded.lrd_per_usd, brought_forward = excluded.brought_forward,
    prepared_by = excluded.prepared_by, prepared_at = now()
  returning * into prepared;
  delete from public.vat_return_lines l where l.return_id = prepared.id;
  insert into public.vat_return_lines (return_id, box, kind, document_id, document, day, party, tin, currency, net,
    rate, vat)
  select prepared.id, d.* from private.vat_lines_of(p_month) d;
  update public.vat_returns r set output_usd = s.output_usd, output_lrd = s.output_lrd, input_usd = s.input_usd,
    input_lrd = s.input_lrd
  from (
    select coalesce(sum(l.vat) filter (where l.box <> 'input' and l.currency = 'USD'), 0) as output_usd,
      coalesce(sum(l.vat) filter (where l.box <> 'input' and l.currency = 'LRD'), 0) as output_lrd,
      coalesce(sum(l.vat) filter (where l.box = 'input' and l.currency = 'USD'), 0) as input_usd,
      coalesce(sum(l.vat) filter (where l.box = 'input' and l.currency = 'LRD'), 0) as input_lrd
    from public.vat_return_lines l where l.return_id = prepared.id
  ) s
  where r.id = prepared.id returning r.* into prepared;
  return prepared;
end
$function$;

CREATE OR REPLACE FUNCTION public.file_vat_return(p_month date, p_filed_on date, p_reference text)
 RETURNS public.vat_returns
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  filed public.vat_returns := private.vat_return_to_change(p_month, 'prepared');
  today date := private.company_date();
begin
  perform private.require_day(p_filed_on, 'day of filing');
  if p_filed_on > today or p_filed_on < p_month + interval '1 month' then
    raise exception 'The day of filing is after the month, and not in the future.'
      using errcode = 'invalid_parameter_value';
  end if;
  if nullif(btrim(p_reference), '') is null or char_length(p_reference) > 100 then
    raise exception 'Enter the reference of the tax office, of at most 100 characters.'
      using errcode = 'invalid_parameter_value';
  end if;
  if exists (
    with stored as materialized (
      select l.box, l.kind, l.document_id, l.document, l.day, l.party, l.tin, l.currency, l.net, l.rate, l.vat
      from public.vat_return_lines l where l.return_id = filed.id
    ), present as materialized (
      select d.* from private.vat_lines_of(p_month) d
    )
    (table stored except all table present) union all (table present except all table stored)
  ) then
    raise exception 'Documents have changed since this return was prepared. Prepare it again.' using errcode = 'PT409';
  end if;
  update public.vat_returns r set status = 'filed', filed_on = p_filed_on, filed_reference = p_reference,
    filed_by = auth.uid()
  where r.id = filed.id returning r.* into filed;
  return filed;
end
$function$;

create or replace FUNCTION public.pay_vat_return(p_month date, p_paid_on date, p_usd numeric, p_lrd numeric, p_paid_from text, p_reference text DEFAULT NULL::text)
 RETURNS public.vat_returns
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  paid public.vat_returns := private.vat_return_to_change(p_month, 'filed');
  missing numeric;
begin
  perform private.require_day(p_paid_on, 'day of payment');
  if p_paid_on > private.company_date() or p_paid_on < paid.filed_on then
    raise exception 'The day of payment is not before the filing, and not in the future.'
      using errcode = 'invalid_parameter_value';
  end if;
  if p_usd is null or p_lrd is null or not p_usd between 0 and 999999999999.99 or p_usd <> round(p_usd, 2)
    or not p_lrd between 0 and 999999999999.99 or p_lrd <> round(p_lrd, 2)
  then
    raise exception 'Enter amounts in whole cents.' using errcode = 'invalid_parameter_value';
  end if;
  if char_length(p_reference) > 100 then
    raise exception 'A reference has at most 100 characters.' using errcode = 'invalid_parameter_value';
  end if;
  missing := greatest(paid.due, 0) - p_lrd - round(p_usd * paid.lrd_per_usd, 2);
  if abs(missing) > paid.lrd_per_usd then
    raise exception '% is due, at % LRD for one US$. This is % too %.',
      private.money_text(greatest(paid.due, 0), 'LRD'),
      trim_scale(paid.lrd_per_usd), private.money_text(abs(missing), 'LRD'),
      case when missing > 0 then 'little' else 'much' end using errcode = 'invalid_parameter_value';
  end if;
  update public.vat_returns r set status = 'paid', paid_on = p_paid_on, paid_usd = p_usd, paid_lrd = p_lrd,
    paid_from = p_paid_from, paid_reference = p_reference
  where r.id = paid.id returning r.* into paid;
  return paid;
end
$function$;

CREATE OR REPLACE FUNCTION public.reopen_vat_return(p_month date, p_reason text)
 RETURNS public.vat_returns
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  why text := private.require_reason(p_reason);
  reopened public.vat_returns;
begin
  perform private.require_vat_month(p_month);
  perform pg_advisory_xact_lock(hashtextextended('vat returns', 0));
  select * into reopened from public.vat_returns r where r.month = p_month for update;
  if reopened.status is null or reopened.status = 'prepared' then
    raise exception 'This return is not filed.' using errcode = 'PT409';
  end if;
  if exists (select from public.vat_returns r where r.month > p_month and r.status <> 'prepared') then
    raise exception 'A later return is filed. Reopen that one first.' using errcode = 'PT409';
  end if;
  if reopened.filed_by is not distinct from auth.uid() then
    raise exception 'Someone else must reopen it: you filed it.' using errcode = 'insufficient_privilege';
  end if;
  if reopened.status = 'paid' then
    update public.vat_returns r set status = 'filed', paid_on = null, paid_usd = 0, paid_lrd = 0, paid_from = null,
      paid_reference = null, reopened_reason = why
    where r.id = reopened.id returning r.* into reopened;
  else
    update public.vat_returns r set status = 'prepared', filed_on = null, filed_reference = null, filed_by = null,
      reopened_reason = why
    where r.id = reopened.id returning r.* into reopened;
  end if;
  return reopened;
end
$function$;

create or replace FUNCTION public.vat_differences()
 RETURNS TABLE(invoice_id uuid, number text, client_name text, lines bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_billing_role();
  return query
  select i.id, i.number, k.name, count(*)
  from public.invoices i
  join public.clients k on k.id = i.client_id
  join public.invoice_lines l on l.invoice_id = i.id and l.credited_at is null
    and l.kind in ('regular', 'overtime', 'night', 'holiday', 'rest_day', 'fixed', 'minimum')
  cross join private.settings z
  cross join lateral (
    select coalesce(lower(l.days), min((lower(b.span) at time zone z.time_zone)::date), l.month, i.period_start)
        as first,
      coalesce(upper(l.days) - 1, max((lower(b.span) at time zone z.time_zone)::date),
        (l.month + interval '1 month - 1 day')::date, i.period_end) as last
    from public.billed_time b where b.invoice_line_id = l.id and b.freed_at is null
  ) d
  where i.status not in ('draft', 'credited')
    and i.period_end >= (select min(r.registered_from) from public.vat_registrations r) and exists (
      select from private.tax_days(i.contract_id, l.contract_post_id, d.first, d.last) t
      where (t.tax_name, t.tax_rate, t.vat_treatment) is distinct from (l.tax_name, l.tax_rate, l.vat_treatment)
    )
  group by i.id, k.name order by i.number desc;
end
$function$;

drop trigger y_books on public.expense_reports;

create trigger y_books after update on public.expense_reports
  for each row when ( (old.title, old.amount, old.category, old.expense_date, old.report_type, old.notes,
      old.receipt_path, old.supplier, old.supplier_tin, old.vat_amount, old.paid_from) is distinct from (new.title,
      new.amount, new.category, new.expense_date, new.report_type, new.notes, new.receipt_path, new.supplier,
      new.supplier_tin, new.vat_amount, new.paid_from) or new.site_id is not null and old.site_id is distinct from new.site_id)
  execute function private.keep_closed_books('expense_date');

drop trigger c_printable on public.clients;

CREATE TRIGGER c_printable BEFORE INSERT OR UPDATE OF name, location, tin ON public.clients FOR EACH ROW EXECUTE FUNCTION private.refuse_unprintable('name', 'location', 'tin');

alter table public.clients add constraint clients_tin_check CHECK ((char_length(tin) <= 40));

alter table public.vat_registrations add constraint vat_registrations_tax_name_check CHECK ((char_length(tax_name) <= 100));

alter table public.vat_registrations add constraint vat_registrations_number_check CHECK (((char_length(number) <= 40) AND (number ~ '^[0-9A-Za-z][0-9A-Za-z /-]*$'::text)));

alter table public.vat_registrations add constraint vat_registrations_registered_from_check CHECK (((registered_from >= '1900-01-01'::date) AND (registered_from <= '2199-12-31'::date)));

alter table public.vat_exemptions add constraint vat_exemptions_pkey PRIMARY KEY (id);

alter table public.vat_exemptions add constraint vat_exemptions_one_at_a_time EXCLUDE USING gist (client_id WITH =, daterange(valid_from, valid_to, '[]'::text) WITH &&);

alter table public.vat_exemptions add constraint vat_exemptions_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.clients(id) ON DELETE CASCADE;

alter table public.vat_registrations add constraint vat_registrations_registered_to_check CHECK (((registered_to >= '1900-01-01'::date) AND (registered_to <= '2199-12-31'::date)));

alter table public.vat_registrations add constraint vat_registrations_end_not_before_start CHECK ((registered_to >= registered_from));

alter table public.vat_registrations add constraint vat_registrations_pkey PRIMARY KEY (id);

alter table public.vat_registrations add constraint vat_registrations_one_at_a_time EXCLUDE USING gist (daterange(registered_from, registered_to, '[]'::text) WITH &&);

alter table public.vat_registrations add constraint vat_registrations_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

alter table public.vat_exemptions add constraint vat_exemptions_certificate_check CHECK (((char_length(certificate) >= 1) AND (char_length(certificate) <= 60)));

alter table public.vat_exemptions add constraint vat_exemptions_valid_from_check CHECK (((valid_from >= '1900-01-01'::date) AND (valid_from <= '2199-12-31'::date)));

alter table public.vat_exemptions add constraint vat_exemptions_valid_to_check CHECK (((valid_to >= '1900-01-01'::date) AND (valid_to <= '2199-12-31'::date)));

alter table public.vat_exemptions add constraint vat_exemptions_end_not_before_start CHECK ((valid_to >= valid_from));

alter table public.vat_exemptions add constraint vat_exemptions_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

alter table public.invoices add constraint invoices_vat_number_check CHECK ((char_length(vat_number) <= 40));

alter table public.expense_reports add constraint expense_reports_supplier_check CHECK ((char_length(supplier) <= 200));

alter table public.expense_reports add constraint expense_reports_supplier_tin_check CHECK ((char_length(supplier_tin) <= 40));

alter table public.expense_reports add constraint expense_reports_vat_amount_check CHECK (((vat_amount >= (0)::numeric) AND (vat_amount <= 999999999999.99)));

alter table public.expense_reports add constraint expense_reports_paid_from_check CHECK ((paid_from = ANY (ARRAY['bank'::text, 'cash'::text, 'mobile_money'::text])));

alter table public.expense_reports add constraint expense_reports_vat_below_amount CHECK ((vat_amount < amount));

alter table public.expense_reports add constraint expense_reports_vat_has_supplier CHECK (((vat_amount = (0)::numeric) OR (supplier IS NOT NULL)));

alter table public.vat_returns add constraint vat_returns_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric));

alter table public.vat_returns add constraint vat_returns_status_check CHECK ((status = ANY (ARRAY['prepared'::text, 'filed'::text, 'paid'::text])));

alter table public.vat_returns add constraint vat_returns_lrd_per_usd_check CHECK ((lrd_per_usd > (0)::numeric));

alter table public.vat_returns add constraint vat_returns_brought_forward_check CHECK ((brought_forward >= (0)::numeric));

alter table public.vat_returns add constraint vat_returns_filed_on_check CHECK (((filed_on >= '1900-01-01'::date) AND (filed_on <= '2199-12-31'::date)));

alter table public.vat_returns add constraint vat_returns_filed_reference_check CHECK (((char_length(filed_reference) >= 1) AND (char_length(filed_reference) <= 100)));

alter table public.vat_returns add constraint vat_returns_paid_on_check CHECK (((paid_on >= '1900-01-01'::date) AND (paid_on <= '2199-12-31'::date)));

alter table public.vat_returns add constraint vat_returns_paid_usd_check CHECK (((paid_usd >= (0)::numeric) AND (paid_usd <= 999999999999.99)));

alter table public.vat_returns add constraint vat_returns_paid_lrd_check CHECK (((paid_lrd >= (0)::numeric) AND (paid_lrd <= 999999999999.99)));

alter table public.vat_returns add constraint vat_returns_paid_from_check CHECK ((paid_from = ANY (ARRAY['bank'::text, 'cash'::text, 'mobile_money'::text])));

alter table public.vat_returns add constraint vat_returns_paid_reference_check CHECK ((char_length(paid_reference) <= 100));

alter table public.vat_returns add constraint vat_returns_reopened_reason_check CHECK (((char_length(reopened_reason) >= 1) AND (char_length(reopened_reason) <= 500)));

alter table public.vat_returns add constraint vat_returns_filed CHECK ((((status = 'prepared'::text) = (filed_on IS NULL)) AND ((filed_on IS NULL) = (filed_reference IS NULL))));

alter table public.vat_returns add constraint vat_returns_paid CHECK ((((status = 'paid'::text) = (paid_on IS NOT NULL)) AND ((paid_on IS NULL) = (paid_from IS NULL)) AND ((paid_on IS NOT NULL) OR ((paid_usd + paid_lrd) = (0)::numeric))));

alter table public.vat_returns add constraint vat_returns_after_month CHECK (((filed_on >= (month + '1 mon'::interval)) AND (paid_on >= filed_on)));

alter table public.vat_returns add constraint vat_returns_pkey PRIMARY KEY (id);

alter table public.vat_returns add constraint vat_returns_month_key UNIQUE (month);

alter table public.vat_returns add constraint vat_returns_prepared_by_fkey FOREIGN KEY (prepared_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

alter table public.vat_returns add constraint vat_returns_filed_by_fkey FOREIGN KEY (filed_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

alter table public.vat_return_lines add constraint vat_return_lines_box_check CHECK ((box = ANY (ARRAY['standard'::text, 'zero'::text, 'exempt'::text, 'input'::text])));

alter table public.vat_return_lines add constraint vat_return_lines_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text, 'expense'::text])));

alter table public.vat_return_lines add constraint vat_return_lines_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'LRD'::text])));

alter table public.vat_return_lines add constraint vat_return_lines_pkey PRIMARY KEY (id);

alter table public.vat_return_lines add constraint vat_return_lines_once UNIQUE NULLS NOT DISTINCT (kind, document_id, box, rate);

alter table public.vat_return_lines add constraint vat_return_lines_return_id_fkey FOREIGN KEY (return_id) REFERENCES public.vat_returns(id) ON DELETE CASCADE;

alter table public.contract_posts add constraint contract_posts_vat_treatment_check CHECK ((vat_treatment = ANY (ARRAY['standard'::text, 'zero'::text, 'exempt'::text])));

alter table public.invoice_lines add constraint invoice_lines_vat_treatment_check CHECK ((vat_treatment = ANY (ARRAY['standard'::text, 'zero'::text, 'exempt'::text])));

alter table public.invoice_lines add constraint invoice_lines_vat CHECK (((vat_treatment IS NULL) OR ((tax_rate IS NOT NULL) AND ((vat_treatment = 'standard'::text) OR (tax_rate = (0)::numeric)))));

alter table public.invoice_lines add constraint invoice_lines_price_with_tax CHECK ((abs(((price_with_tax - amount) - (amount * tax_rate))) <= 0.05));

CREATE INDEX vat_return_lines_return_id_idx ON public.vat_return_lines USING btree (return_id, box, day);

CREATE INDEX vat_exemptions_created_by_idx ON public.vat_exemptions USING btree (created_by);

CREATE INDEX vat_registrations_created_by_idx ON public.vat_registrations USING btree (created_by);

CREATE INDEX vat_returns_filed_by_idx ON public.vat_returns USING btree (filed_by);

CREATE INDEX vat_returns_prepared_by_idx ON public.vat_returns USING btree (prepared_by);

select private.tidy_texts_of('public.vat_registrations', 'tax_name', 'number');

CREATE TRIGGER b_author BEFORE INSERT OR UPDATE ON public.vat_registrations FOR EACH ROW EXECUTE FUNCTION private.stamp_author();

CREATE TRIGGER c_has_rate BEFORE INSERT OR UPDATE ON public.vat_registrations FOR EACH ROW EXECUTE FUNCTION private.require_rate_of_registration();

CREATE TRIGGER c_keep_used BEFORE DELETE OR UPDATE ON public.vat_registrations FOR EACH ROW EXECUTE FUNCTION private.keep_used_registration();

CREATE TRIGGER d_touch BEFORE UPDATE ON public.vat_registrations FOR EACH ROW EXECUTE FUNCTION private.touch();

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.vat_registrations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.vat_registrations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.vat_registrations REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

select private.tidy_texts_of('public.vat_exemptions', 'certificate');

CREATE TRIGGER b_author BEFORE INSERT OR UPDATE ON public.vat_exemptions FOR EACH ROW EXECUTE FUNCTION private.stamp_author();

CREATE TRIGGER c_printable BEFORE INSERT OR UPDATE OF certificate ON public.vat_exemptions FOR EACH ROW EXECUTE FUNCTION private.refuse_unprintable('certificate');

CREATE TRIGGER d_touch BEFORE UPDATE ON public.vat_exemptions FOR EACH ROW EXECUTE FUNCTION private.touch();

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.vat_exemptions REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.vat_exemptions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.vat_exemptions REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER c_vat BEFORE INSERT OR UPDATE OF vat_amount, expense_date ON public.expense_reports FOR EACH ROW WHEN ((new.vat_amount > (0)::numeric)) EXECUTE FUNCTION private.require_registered_expense();

CREATE TRIGGER c_vat_filed BEFORE DELETE OR UPDATE ON public.expense_reports FOR EACH ROW EXECUTE FUNCTION private.keep_filed_expense();

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.vat_return_lines REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.vat_return_lines REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

select private.tidy_texts_of('public.vat_returns', 'filed_reference', 'paid_reference', 'reopened_reason');

create trigger y_books after update on public.vat_returns
  for each row when ((old.filed_on, old.paid_on, old.input_usd, old.input_lrd, old.paid_usd, old.paid_lrd, old.paid_from)
      is distinct from (new.filed_on, new.paid_on, new.input_usd, new.input_lrd, new.paid_usd, new.paid_lrd,
      new.paid_from))
  execute function private.keep_closed_books('filed_on', 'paid_on');

CREATE TRIGGER y_books_of_new AFTER INSERT ON public.vat_returns FOR EACH ROW EXECUTE FUNCTION private.keep_closed_books('filed_on', 'paid_on');

CREATE TRIGGER y_books_of_deleted AFTER DELETE ON public.vat_returns FOR EACH ROW EXECUTE FUNCTION private.keep_closed_books('filed_on', 'paid_on');

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.vat_returns REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.vat_returns REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.vat_returns REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.vat_return_lines REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

create policy "Admins and finance read registrations for VAT" on public.vat_registrations for select to authenticated using (( SELECT private.may_bill() AS may_bill));

create policy "Admins and finance add registrations for VAT" on public.vat_registrations for insert to authenticated with check (( SELECT private.may_bill() AS may_bill));

create policy "Admins and finance delete exemptions from VAT" on public.vat_exemptions for delete to authenticated using (( SELECT private.may_bill() AS may_bill));

create policy "Admins and finance change registrations for VAT" on public.vat_registrations for update to authenticated using (( SELECT private.may_bill() AS may_bill)) with check (( SELECT private.may_bill() AS may_bill));

create policy "Admins and finance delete registrations for VAT" on public.vat_registrations for delete to authenticated using (( SELECT private.may_bill() AS may_bill));

create policy "Admins and finance read exemptions from VAT" on public.vat_exemptions for select to authenticated using (( SELECT private.may_bill() AS may_bill));

create policy "Admins and finance add exemptions from VAT" on public.vat_exemptions for insert to authenticated with check (( SELECT private.may_bill() AS may_bill));

create policy "Admins and finance change exemptions from VAT" on public.vat_exemptions for update to authenticated using (( SELECT private.may_bill() AS may_bill)) with check (( SELECT private.may_bill() AS may_bill));

create policy "Admins and finance read returns of VAT" on public.vat_returns for select to authenticated using (( SELECT private.may_bill() AS may_bill));

create policy "Admins and finance read the lines of returns of VAT" on public.vat_return_lines for select to authenticated using (( SELECT private.may_bill() AS may_bill));

alter table public.vat_registrations enable row level security;

alter table public.vat_exemptions enable row level security;

alter table public.vat_returns enable row level security;

alter table public.vat_return_lines enable row level security;

alter table public.vat_registrations replica identity default;

alter table public.vat_exemptions replica identity default;

alter table public.vat_returns replica identity default;

alter table public.vat_return_lines replica identity default;

alter publication supabase_realtime add table public.vat_registrations;

alter publication supabase_realtime add table public.vat_exemptions;

alter publication supabase_realtime add table public.vat_returns;

alter publication supabase_realtime add table public.vat_return_lines;

grant DELETE, SELECT on public.vat_registrations to authenticated;

grant all on public.vat_registrations to service_role;

grant DELETE, SELECT on public.vat_exemptions to authenticated;

grant all on public.vat_exemptions to service_role;

grant SELECT on public.vat_returns to authenticated;

revoke insert, update, delete, truncate on public.vat_returns from service_role;

grant SELECT on public.vat_return_lines to authenticated;

revoke insert, update, delete, truncate on public.vat_return_lines from service_role;

grant INSERT (number), UPDATE (number) on public.vat_registrations to authenticated;

grant INSERT (registered_from), UPDATE (registered_from) on public.vat_registrations to authenticated;

grant INSERT (registered_to), UPDATE (registered_to) on public.vat_registrations to authenticated;

grant INSERT (tax_name), UPDATE (tax_name) on public.vat_registrations to authenticated;

grant INSERT (certificate), UPDATE (certificate) on public.vat_exemptions to authenticated;

grant INSERT (client_id) on public.vat_exemptions to authenticated;

grant INSERT (valid_from), UPDATE (valid_from) on public.vat_exemptions to authenticated;

grant INSERT (valid_to), UPDATE (valid_to) on public.vat_exemptions to authenticated;

grant INSERT (vat_treatment), UPDATE (vat_treatment) on public.invoice_lines to authenticated;

grant execute on function public.vat_months() to authenticated;

grant execute on function public.prepare_vat_return(date) to authenticated;

grant execute on function public.file_vat_return(date,date,text) to authenticated;

grant execute on function public.pay_vat_return(date,date,numeric,numeric,text,text) to authenticated;

grant execute on function public.reopen_vat_return(date,text) to authenticated;

grant execute on function public.vat_differences() to authenticated;

comment on function public.vat_months() is 'Nullable: output_usd, output_lrd, input_usd, input_lrd, due, filed_on, paid_on';

insert into public.chart_of_accounts ("key","code","name") select "key","code","name" from jsonb_populate_record(null::public.chart_of_accounts, '{"key": "expense_equipment", "code": "5120", "name": "Equipment"}');

insert into public.chart_of_accounts ("key","code","name") select "key","code","name" from jsonb_populate_record(null::public.chart_of_accounts, '{"key": "expense_operations", "code": "5100", "name": "Operations"}');

insert into public.chart_of_accounts ("key","code","name") select "key","code","name" from jsonb_populate_record(null::public.chart_of_accounts, '{"key": "expense_other", "code": "5190", "name": "Other expenses"}');

insert into public.chart_of_accounts ("key","code","name") select "key","code","name" from jsonb_populate_record(null::public.chart_of_accounts, '{"key": "expense_payroll", "code": "5110", "name": "Costs of staff"}');

insert into public.chart_of_accounts ("key","code","name") select "key","code","name" from jsonb_populate_record(null::public.chart_of_accounts, '{"key": "expense_training", "code": "5130", "name": "Training"}');

insert into public.chart_of_accounts ("key","code","name") select "key","code","name" from jsonb_populate_record(null::public.chart_of_accounts, '{"key": "expense_transport", "code": "5140", "name": "Transport"}');

insert into public.chart_of_accounts ("key","code","name") select "key","code","name" from jsonb_populate_record(null::public.chart_of_accounts, '{"key": "expense_utilities", "code": "5150", "name": "Utilities"}');

insert into public.chart_of_accounts ("key","code","name") select "key","code","name" from jsonb_populate_record(null::public.chart_of_accounts, '{"key": "vat_input", "code": "1300", "name": "VAT on purchases"}');

drop function private.bill_to_of(uuid);

drop function private.month_prices(uuid,uuid,text,datemultirange);

drop function private.price_days(uuid,uuid,text,date,date);

insert into public.rate_proposals (kind, name, effective_from, rate, source) values
  ('tax', 'VAT', '2027-01-01', 0.18, 'Ministry of Finance and Liberia Revenue Authority, November 2025 to 2026: VAT '
    'replaces GST. Confirm the rate and the registration before approving.');

revoke INSERT (number), UPDATE (number) on public.vat_registrations from authenticated;

revoke INSERT (registered_from), UPDATE (registered_from) on public.vat_registrations from authenticated;

revoke INSERT (registered_to), UPDATE (registered_to) on public.vat_registrations from authenticated;

revoke INSERT (tax_name), UPDATE (tax_name) on public.vat_registrations from authenticated;

revoke INSERT (certificate), UPDATE (certificate) on public.vat_exemptions from authenticated;

revoke INSERT (client_id) on public.vat_exemptions from authenticated;

revoke INSERT (valid_from), UPDATE (valid_from) on public.vat_exemptions from authenticated;

revoke INSERT (valid_to), UPDATE (valid_to) on public.vat_exemptions from authenticated;





revoke DELETE, SELECT on public.vat_registrations from authenticated;

grant DELETE, INSERT, SELECT, UPDATE on public.vat_registrations to authenticated;

revoke DELETE, SELECT on public.vat_exemptions from authenticated;

grant DELETE, INSERT, SELECT, UPDATE on public.vat_exemptions to authenticated;

create or replace FUNCTION public.client_statement(p_client_id uuid, p_currency text, p_from date, p_to date)
 RETURNS TABLE(day date, kind text, id uuid, document text, text text, charge numeric, payment numeric, balance numeric)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  perform private.require_day(p_from, 'first day');
  perform private.require_day(p_to, 'last day');
  if p_to < p_from or p_to - p_from > 400 then
    raise exception 'The period must be at most 400 days.' using errcode = 'invalid_parameter_value';
  end if;
  return query
  with entries as (
    select i.issued_on as day, 1 as place, 'invoice' as kind, i.id, i.number as document,
      concat_ws(', ', format('%s to %s', to_char(i.period_start, 'Mon FMDD'), to_char(i.period_end, 'Mon FMDD, YYYY')),
        'tax in it: ' || private.money_text(nullif(i.tax, 0), i.currency)) as text,
      i.total as charge, 0::numeric as payment
    from public.invoices i
    where i.client_id = p_client_id and i.currency = p_currency and i.status <> 'draft' and i.issued_on <= p_to
    union all
    select n.issued_on, 2, 'credit_note', n.id, n.number, concat_ws(', ', format('%s: %s', i.number, n.reason),
      'tax in it: ' || private.money_text(nullif(n.tax, 0), n.currency)), 0, n.amount
    from public.credit_notes n join public.invoices i on i.id = n.invoice_id
    where n.client_id = p_client_id and n.currency = p_currency and n.issued_on <= p_to
    union all
    select r.received_on, 3, 'receipt', r.id, coalesce(r.reference, ''), private.receipt_method_text(r.method), 0,
      r.amount
    from public.receipts r
    where r.client_id = p_client_id and r.currency = p_currency and r.received_on <= p_to
    union all
    select private.company_date_of(r.voided_at), 4, 'void', r.id, coalesce(r.reference, ''), r.void_reason, r.amount, 0
    from public.receipts r
    where r.client_id = p_client_id and r.currency = p_currency and private.company_date_of(r.voided_at) <= p_to
  ), listed as (
    select p_from as day, 0 as place, 'opening' as kind, null::uuid as id, '' as document, '' as text,
      0::numeric as charge, 0::numeric as payment, coalesce(sum(e.charge - e.payment), 0) as moved
    from entries e where e.day < p_from
    union all
    select e.day, e.place, e.kind, e.id, e.document, e.text, e.charge, e.payment, e.charge - e.payment
    from entries e where e.day >= p_from
    union all
    select p_to, 5, 'closing', null, '', '', 0, 0, 0
  )
  select l.day, l.kind, l.id, l.document, l.text, l.charge, l.payment,
    sum(l.moved) over (order by l.kind = 'closing', l.kind <> 'opening', l.day, l.place, l.document, l.id)
  from listed l order by l.kind = 'closing', l.kind <> 'opening', l.day, l.place, l.document, l.id;
end
$function$;

CREATE OR REPLACE FUNCTION public.set_client_tax(p_client_id uuid, p_tin text DEFAULT NULL::text, p_exemption_id uuid DEFAULT NULL::uuid, p_certificate text DEFAULT NULL::text, p_valid_from date DEFAULT NULL::date, p_valid_to date DEFAULT NULL::date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_billing_role();
  if p_certificate is not null then
    perform private.require_day(p_valid_from, 'first day of the certificate');
    perform private.require_day(coalesce(p_valid_to, p_valid_from), 'last day of the certificate');
  end if;
  update public.clients c set tin = p_tin where c.id = p_client_id;
  if not found then
    raise exception 'This client no longer exists.' using errcode = 'PT404';
  end if;
  if p_exemption_id is not null and p_certificate is null then
    delete from public.vat_exemptions e where e.id = p_exemption_id and e.client_id = p_client_id;
  elsif p_exemption_id is not null then
    update public.vat_exemptions e set certificate = p_certificate, valid_from = p_valid_from, valid_to = p_valid_to
    where e.id = p_exemption_id and e.client_id = p_client_id;
    if not found then
      raise exception 'This certificate no longer exists.' using errcode = 'PT404';
    end if;
  elsif p_certificate is not null then
    insert into public.vat_exemptions (client_id, certificate, valid_from, valid_to)
    values (p_client_id, p_certificate, p_valid_from, p_valid_to);
  end if;
end
$function$;

grant execute on function public.set_client_tax(uuid,text,uuid,text,date,date) to authenticated;

grant execute on function private.money_text(numeric,text) to authenticated;

grant execute on function private.money_text(numeric,text) to service_role;

create or replace FUNCTION private.keep_issued_lines()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  touched uuid[];
begin
  if tg_op = 'INSERT' then
    touched := array(select distinct n.invoice_id from new_rows n);
  elsif tg_op = 'DELETE' then
    touched := array(select distinct o.invoice_id from old_rows o);
  else
    touched := array(
      select distinct c.invoice_id
      from (
        select o.id, coalesce(o.invoice_id, n.invoice_id) as invoice_id, o.credited_at as was_credited,
          n.credited_at as is_credited, to_jsonb(o) - 'credited_at' as was, to_jsonb(n) - 'credited_at' as became
        from old_rows o full join new_rows n on n.id = o.id offset 0
      ) c
      where c.was is distinct from c.became or c.was_credited is distinct from c.is_credited
        and (c.was_credited is not null
          or not exists (select from public.credit_note_lines l where l.invoice_line_id = c.id))
    );
  end if;
  -- Waits for one who is issuing it now.
  perform from public.invoices i where i.id = any (touched) order by i.id for no key update;
  if exists (select from public.invoices i where i.id = any (touched) and i.status <> 'draft') then
    raise exception 'The invoice of this line is issued, so it can''t be changed. Credit it instead.'
      using errcode = 'PT409';
  end if;
  return null;
end
$function$;
