-- Client totals of what a search leaves: the same words in the same columns as the list.
-- One function with a default, because two of one name could not be told apart by a call without arguments.
drop function public.client_totals();

-- Count, guards and monthly revenue (USD) of the clients whose name or location holds each word of p_search
-- (at most eight), in any case; of all clients without it. Runs as the caller: the policies of the table decide.
create function public.client_totals(p_search text default null) returns table (
  client_count integer,
  total_guards integer,
  monthly_revenue numeric
)
language sql stable set search_path = '' as $$
  select count(*)::integer, coalesce(sum(c.number_of_guards), 0)::integer, coalesce(sum(c.monthly_rate), 0)
  from public.clients c
  where not exists (
    select from (
      select lower(found.word) as word
      from regexp_split_to_table(coalesce(p_search, ''), '\s+') with ordinality found (word, place)
      where found.word <> ''
      order by found.place
      limit 8
    ) wanted
    where strpos(lower(c.name), wanted.word) = 0 and strpos(lower(c.location), wanted.word) = 0
  );
$$;

revoke all on function public.client_totals(text) from public, anon;
grant execute on function public.client_totals(text) to authenticated;
