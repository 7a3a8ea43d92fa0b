-- What the roster's board shows first, a tenth of roster_board: the sites at its top, and the names of who is on their
-- shifts. The board follows while these rows are on the screen.

-- Out of roster_input, unchanged.
create function private.roster_shifts(span tstzrange, chosen uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', s.id, 'site_id', s.site_id, 'post_id', s.post_id, 'start', private.minutes(s.start_time),
    'end', private.minutes(s.end_time), 'headcount', s.required_headcount, 'notes', s.notes,
    'is_manual', s.is_manual
  ) order by s.start_time, s.site_id, s.id), '[]')
  from public.shifts s
  where s.start_time >= lower(span) and s.start_time < upper(span) and s.site_id = any (chosen)
$$;

create function private.roster_days(p_from date, p_to date) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'from', p_from, 'to', p_to, 'zone', (select s.time_zone from private.settings s),
    'rules', to_jsonb(private.rules_on(p_from)),
    'holidays', coalesce((
      select jsonb_agg(jsonb_build_object('day', h.day, 'name', h.name) order by h.day, h.name)
      from public.public_holidays h where h.day between p_from and p_to + 1
    ), '[]')
  )
$$;

create or replace function public.roster_input("from" date, "to" date, sites uuid[] default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  span tstzrange := private.roster_span("from", "to");
  chosen uuid[] := private.planned_sites(sites);
begin
  return private.roster_places(chosen) || private.roster_state_of("from", "to", span, chosen)
    || private.roster_days("from", "to") || jsonb_build_object(
      'people', private.roster_people("from", "to", chosen), 'shifts', private.roster_shifts(span, chosen)
    );
end
$$;

-- Shaped as roster_input, but of the people only id and name.
create function public.roster_first_sites(p_from date, p_to date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  -- More rows than a screen shows.
  most constant integer := 10;
  span constant tstzrange := private.roster_span(p_from, p_to);
  planned constant uuid[] := private.planned_sites(null);
  chosen constant uuid[] := array(
    select s.id from public.sites s
    where s.id = any (planned) and exists (
      select from public.shifts h
      where h.site_id = s.id and h.start_time >= lower(span) and h.start_time < upper(span)
    )
    order by lower(s.name), s.id limit most
  );
  state constant jsonb := private.roster_state_of(p_from, p_to, span, chosen);
begin
  return private.roster_places(chosen) || state || private.roster_days(p_from, p_to) || jsonb_build_object(
    'shifts', private.roster_shifts(span, chosen),
    'people', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', p.id, 'name', coalesce(nullif(p.full_name, ''), p.email, p.phone, '')
      ) order by p.full_name, p.id)
      from public.profiles p
      where p.id in (
        select (each ->> 'user_id')::uuid
        from jsonb_array_elements((state -> 'assignments') || (state -> 'changes')) each
      )
    ), '[]')
  );
end
$$;

revoke all on function private.roster_shifts, private.roster_days, public.roster_first_sites from public, anon;
grant execute on function public.roster_first_sites to authenticated;
