create or replace FUNCTION private.billing_due(p_on date, p_client_id uuid)
 RETURNS TABLE(contract_id uuid, client_id uuid, title text, currency text, billing_cycle text, state text, first date, last date, due_on date, reason text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
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
$function$;
