-- The totals of a week look at the shifts of that week alone, found by index; day by day they read all there ever were.
create or replace function public.week_totals(p_from date, p_site_id uuid default null, p_search text default '')
returns table (day date, shifts integer, assigned integer, required integer)
language sql stable set search_path = '' as $$
  with days as materialized (
    select d.day::date as day, private.company_midnight(d.day::date) as begins,
      private.company_midnight(d.day::date + 1) as ends
    from generate_series(p_from, p_from + 6, interval '1 day') d (day)
  ),
  week as materialized (
    select b.start_time, b.assigned, b.required_headcount
    from public.shift_board b
    where b.start_time >= (select min(days.begins) from days) and b.start_time < (select max(days.ends) from days)
      and b.site_id = any (array(
        select s.id from public.sites s
        where (p_site_id is null or s.id = p_site_id) and private.holds_words(p_search, s.name, s.client_name)
      ))
  )
  select d.day, count(w.start_time)::integer, coalesce(sum(w.assigned), 0)::integer,
    coalesce(sum(w.required_headcount), 0)::integer
  from days d left join week w on w.start_time >= d.begins and w.start_time < d.ends
  group by d.day
  order by d.day;
$$;
