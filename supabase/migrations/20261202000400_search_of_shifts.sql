-- A search by words, as before, but it compares each site once, and the names of guards only where one of them has a word.
create or replace function public.search_shifts(p_search text default '', p_ends_after timestamptz default null)
returns setof public.shift_board
language sql stable as $$
  select b.* from public.shift_board b
  where b.end_time > coalesce(p_ends_after, '-infinity')
    and b.start_time >= (select private.first_start(coalesce(p_ends_after, '-infinity')))
    and (coalesce(p_search, '') = ''
      or b.site_id in (
        select t.id from public.sites t
        where concat_ws(' ', t.name, t.client_name) ilike all ((select private.search_patterns(p_search))::text[])
      )
      or b.notes is not null and public.search_text(b) ilike all ((select private.search_patterns(p_search))::text[])
      -- An asterisk may reach from the site to a guard; a word can't.
      or (position('*' in p_search) > 0 or b.id in (
        select a.shift_id from public.assignments a join public.profiles p on p.id = a.user_id
        where a.status <> 'cancelled'
          and a.starts_at >= (select private.first_start(coalesce(p_ends_after, '-infinity')))
          and coalesce(nullif(p.full_name, ''), p.email) ilike any ((select private.search_patterns(p_search))::text[])
      )) and concat_ws(' ', public.search_text(b), (
        select string_agg(coalesce(nullif(p.full_name, ''), p.email), ' ')
        from public.assignments a join public.profiles p on p.id = a.user_id
        where a.shift_id = b.id and a.status <> 'cancelled'
      )) ilike all ((select private.search_patterns(p_search))::text[]));
$$;
