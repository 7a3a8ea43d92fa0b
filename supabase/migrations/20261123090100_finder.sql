-- What the command menu finds by a few letters: clients, sites, guards and shifts.

-- Runs as the caller: row-level security leaves out what they may not read. At most five of a kind; every word that was
-- typed must occur in the name or in what stands beside it.
create function public.find_records(p_text text)
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
    order by c.name, c.id limit 5
  )
  union all
  (
    select 'site', s.id, s.name, concat_ws(', ', s.client_name, s.address), null, null
    from public.sites s, words w
    where concat_ws(' ', s.name, s.client_name, s.address) ilike all (w.patterns)
    order by s.name, s.id limit 5
  )
  union all
  (
    select 'guard', p.id, coalesce(nullif(p.full_name, ''), p.email), p.email, null, null
    from public.profiles p, words w
    where concat_ws(' ', p.full_name, p.email) ilike all (w.patterns)
      and p.id <> (select auth.uid())
    order by 3, p.id limit 5
  )
  union all
  (
    -- From the last half day on: a night shift is still on in the morning.
    select 'shift', h.id, s.name, s.client_name, h.start_time, s.timezone
    from public.shifts h join public.sites s on s.id = h.site_id, words w
    where h.start_time > now() - interval '12 hours'
      and concat_ws(' ', s.name, s.client_name, h.notes) ilike all (w.patterns)
    order by h.start_time, h.id limit 5
  );
$$;

revoke all on function public.find_records(text) from public, anon;
grant execute on function public.find_records(text) to authenticated;
comment on function public.find_records(text) is 'Nullable: detail, start_time, timezone';
