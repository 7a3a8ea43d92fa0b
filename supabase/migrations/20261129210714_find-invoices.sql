create or replace FUNCTION public.find_records(p_text text)
 RETURNS TABLE(kind text, id uuid, title text, detail text, start_time timestamp with time zone, timezone text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with words as (
    select private.search_patterns(p_text) as patterns
  )
  (
    select 'client', c.id, c.name, c.location, null::timestamptz, null::text
    from public.clients c
    where c.id in (select private.found_clients(w.patterns) from words w)
    order by c.name, c.id limit 21
  )
  union all
  (
    select 'site', s.id, s.name, concat_ws(', ', s.client_name, s.address), null, null
    from public.sites s
    where s.id in (select private.found_sites(w.patterns) from words w)
    order by s.name, s.id limit 21
  )
  union all
  (
    select 'guard', p.id, coalesce(nullif(p.full_name, ''), p.email, p.phone), coalesce(p.email, p.phone), null, null
    from public.profiles p
    where p.id in (select private.found_people(w.patterns) from words w)
      and p.id <> (select auth.uid())
    order by 3, p.id limit 21
  )
  union all
  (
    -- Including the last twelve hours: a night shift is still running in the morning.
    select 'shift', h.id, s.name, s.client_name, h.start_time, s.timezone
    from public.shifts h join public.sites s on s.id = h.site_id, words w
    where h.start_time > now() - interval '12 hours' and cardinality(w.patterns) > 0
      and (
        h.site_id in (
          select t.id from public.sites t, words v
          where private.folded(concat_ws(' ', t.name, t.client_name)) like all (v.patterns)
        )
        or h.notes is not null
          and private.folded(concat_ws(' ', s.name, s.client_name, h.notes)) like all (w.patterns)
      )
    order by h.start_time, h.id limit 21
  )
  union all
  (
    select 'invoice', i.id, i.number, c.name, null, null
    from public.invoices i join public.clients c on c.id = i.client_id, words w
    where cardinality(w.patterns) > 0 and private.folded(i.number) like all (w.patterns)
    order by i.number desc, i.id limit 21
  );
$function$;
