-- What stands under the days of the week: the headcount of all sites that a search leaves, not of one page.

-- For each of the seven days of the company from p_from on: shifts that start then, guards that they have and need; at one
-- site or at those in whose name or client each word of p_search occurs. Runs as the caller: the policies decide.
create function public.week_totals(p_from date, p_site_id uuid default null, p_search text default '')
returns table (day date, shifts integer, assigned integer, required integer)
language sql stable set search_path = '' as $$
  with days as materialized (
    select d.day::date as day, private.company_midnight(d.day::date) as begins,
      private.company_midnight(d.day::date + 1) as ends
    from generate_series(p_from, p_from + 6, interval '1 day') d (day)
  ),
  sites as materialized (
    select s.id from public.sites s
    where (p_site_id is null or s.id = p_site_id) and private.holds_words(p_search, s.name, s.client_name)
  )
  select d.day, count(b.id)::integer, coalesce(sum(b.assigned), 0)::integer,
    coalesce(sum(b.required_headcount), 0)::integer
  from days d
  left join public.shift_board b
    on b.start_time >= d.begins and b.start_time < d.ends and b.site_id in (select sites.id from sites)
  group by d.day
  order by d.day;
$$;

revoke all on function public.week_totals(date, uuid, text) from public, anon;
grant execute on function public.week_totals(date, uuid, text) to authenticated;
