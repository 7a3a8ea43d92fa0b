-- The command menu found at most five people of a name.

-- Runs as the caller: row-level security leaves out what they may not read. Every word that was typed must occur in the name
-- or in what is shown beside it. At most 21 of a kind: the menu shows 20, and one more means that there are others.
create or replace function public.find_records(p_text text)
returns table (kind text, id uuid, title text, detail text, start_time timestamptz, timezone text)
language sql stable set search_path = '' as $$
  with words as (
    select array_agg('%' || replace(replace(replace(word, '\', '\\'), '%', '\%'), '_', '\_') || '%') as patterns
    from (
      select word from regexp_split_to_table(left(trim(p_text), 200), '\s+') word where word <> '' limit 8
    ) typed
  )
  (
    select 'client', c.id, c.name, c.location, null::timestamptz, null::text
    from public.clients c, words w
    where concat_ws(' ', c.name, c.location) ilike all (w.patterns)
    order by c.name, c.id limit 21
  )
  union all
  (
    select 'site', s.id, s.name, concat_ws(', ', s.client_name, s.address), null, null
    from public.sites s, words w
    where concat_ws(' ', s.name, s.client_name, s.address) ilike all (w.patterns)
    order by s.name, s.id limit 21
  )
  union all
  (
    select 'guard', p.id, coalesce(nullif(p.full_name, ''), p.email), p.email, null, null
    from public.profiles p, words w
    where concat_ws(' ', p.full_name, p.email) ilike all (w.patterns)
      and p.id <> (select auth.uid())
    order by 3, p.id limit 21
  )
  union all
  (
    -- From the last half day on: a night shift is still on in the morning.
    select 'shift', h.id, s.name, s.client_name, h.start_time, s.timezone
    from public.shifts h join public.sites s on s.id = h.site_id, words w
    where h.start_time > now() - interval '12 hours'
      and concat_ws(' ', s.name, s.client_name, h.notes) ilike all (w.patterns)
    order by h.start_time, h.id limit 21
  );
$$;
