-- An issued invoice credited hours as uncovered, or filled a minimum up, and attendance arrives after it: the next draft of
-- the contract takes back what is covered now. Each line settles the one before it, so that nothing is taken back twice.
create function private.lines_taken_back(p_scopes private.draft_scope[]) returns setof private.draft_line
language plpgsql stable security definer set search_path = '' set jit = off
as $$
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
    join public.invoice_lines l on l.invoice_id = i.id and l.kind = 'gap_credit' and l.credited_at is null and l.minutes > 0
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
  select array_agg(distinct c.site_id), min(lower(c.days)), max(upper(c.days) - 1) into sites, first, last from unnest(credits) c;
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
      join public.invoice_lines l on l.invoice_id = i.id and l.kind = 'minimum' and l.credited_at is null and l.month <= s.last
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
    select t.id, t.id as last_id, 0 as minutes, 0::numeric as amount, 0 as place, false as is_draft from targets t
    union all
    select c.id, l.id, c.minutes + coalesce(l.minutes, 0), c.amount + l.amount, c.place + 1, i.status = 'draft'
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
    -round(l.amount * t.minutes / t.of_line, 2) - e.amount, l.tax_name, l.tax_rate, t.minutes - e.minutes, l.month, e.last_id,
    null::datemultirange,
    case l.kind when 'gap_credit' then format('%s of %s h that were credited are covered by attendance which arrived later.',
        trim_scale(round(t.minutes / 60.0, 2)), trim_scale(round(t.of_line / 60.0, 2)))
      else format('%s of %s h up to the minimum are billed as worked.', trim_scale(round(t.minutes / 60.0, 2)),
        trim_scale(round(t.of_line / 60.0, 2))) end
  from targets t
  join ends e on e.id = t.id
  join public.invoice_lines l on l.id = t.id
  join public.invoices i on i.id = l.invoice_id
  -- What another draft takes back waits for that one.
  where t.minutes <> e.minutes and not e.is_draft;
end
$$;

create or replace function private.gap_lines(p_scopes private.draft_scope[])
 returns SETOF private.draft_line
 language plpgsql
 stable security definer
 set search_path = ''
 set jit = off
as $$
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

revoke all on function private.lines_taken_back(private.draft_scope[]) from public;
