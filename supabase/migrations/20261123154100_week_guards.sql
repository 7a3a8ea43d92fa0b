-- Adds up the assignments before it joins the names: the search then looks at hundreds of rows, not at thousands.
create or replace function public.week_guards(p_from date, p_site_id uuid default null, p_search text default '')
returns table (id uuid, name text, hours numeric, shifts integer)
language sql stable set search_path = '' as $$
  select private.require_day(p_from, 'first day');
  with week as materialized (
    select private.company_midnight(p_from) as begins, private.company_midnight(p_from + 7) as ends
  ),
  work as materialized (
    select a.user_id,
      coalesce(sum(extract(epoch from upper(a.period) - lower(a.period)) / 3600)
        filter (where a.starts_at >= (select w.begins from week w) and a.counts_as_staffed), 0) as hours,
      (count(*) filter (where a.starts_at >= (select w.begins from week w) and a.counts_as_staffed))::integer as shifts
    from public.assignments a
    where a.starts_at >= (select w.begins from week w) - interval '28 days'
      and a.starts_at < (select w.ends from week w)
      and a.status <> 'cancelled' and (p_site_id is null or a.site_id = p_site_id)
    group by a.user_id
  )
  select p.id, coalesce(nullif(p.full_name, ''), p.email, ''), round(w.hours, 1), w.shifts
  from work w join public.profiles p on p.id = w.user_id
  where concat_ws(' ', p.full_name, p.email) ilike all ((select private.search_patterns(p_search))::text[]);
$$;
