-- Publishing: the draft becomes assignments, and each guard whose roster changes gets one notice.

-- The draft of some days and sites, person by person, with the message that publishing would send. Shifts that have
-- begun are left out.
create function private.differences(span tstzrange, chosen uuid[]) returns table (
  user_id uuid, full_name text, assigned jsonb, unassigned jsonb, message text
)
language sql stable security definer set search_path = '' as $$
  with changed as (
    select c.user_id, c.change, c.shift_id, lower(c.period) as starts, upper(c.period) as ends, s.name as site,
      s.timezone as zone, o.name as post
    from public.roster_changes c
    join public.shifts h on h.id = c.shift_id
    join public.sites s on s.id = c.site_id
    left join public.posts o on o.id = h.post_id
    where c.starts_at >= lower(span) and c.starts_at < upper(span) and c.site_id = any (chosen)
  ),
  people as (
    select d.user_id,
      coalesce(jsonb_agg(jsonb_build_object(
        'shift_id', d.shift_id, 'site', d.site, 'post', d.post, 'start', d.starts, 'end', d.ends
      ) order by d.starts) filter (where d.change = 'assign'), '[]') as assigned,
      coalesce(jsonb_agg(jsonb_build_object(
        'shift_id', d.shift_id, 'site', d.site, 'post', d.post, 'start', d.starts, 'end', d.ends
      ) order by d.starts) filter (where d.change = 'unassign'), '[]') as unassigned,
      string_agg(format('%s: %s, %s to %s', case d.change when 'assign' then 'New' else 'Removed' end, d.site,
        to_char(d.starts at time zone d.zone, 'Dy, Mon FMDD, FMHH12:MI AM'),
        to_char(d.ends at time zone d.zone, 'FMHH12:MI AM')), E'\n' order by d.starts) as message
    from changed d
    group by d.user_id
  )
  select p.user_id, coalesce(nullif(f.full_name, ''), f.email, f.phone, ''), p.assigned, p.unassigned, left(p.message, 2000)
  from people p join public.profiles f on f.id = p.user_id;
$$;

-- What publishing these days and sites would change, and what it would send to whom.
create function public.roster_differences(p_from date, p_to date, p_sites uuid[] default null) returns table (
  user_id uuid, full_name text, assigned jsonb, unassigned jsonb, message text
)
language plpgsql stable security definer set search_path = '' as $$
declare
  span tstzrange := private.roster_span(p_from, p_to);
begin
  return query
    select * from private.differences(span, private.planned_sites(p_sites)) d order by d.full_name, d.user_id;
end
$$;

-- Publishes the draft of some days, at these sites or at all that the caller plans, and queues one notice a person in
-- the same transaction. A repeated call finds no draft and sends nothing. Refused like apply_roster when the rules have
-- come to forbid a change since it was drafted.
-- @returns {"assigned", "unassigned", "people", "notices"}
create function public.publish_roster(p_from date, p_to date, p_sites uuid[] default null) returns jsonb
language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  span tstzrange := private.roster_span(p_from, p_to);
  chosen uuid[] := private.planned_sites(p_sites);
  publication uuid := gen_random_uuid();
  shifts uuid[];
  users uuid[];
  conflicts jsonb;
  assigned integer;
  unassigned integer;
  notices integer;
  reason text;
begin
  perform private.lock_rosters(chosen);
  select coalesce(array_agg(c.shift_id), '{}'), coalesce(array_agg(c.user_id), '{}') into shifts, users
  from public.roster_changes c
  where c.starts_at >= lower(span) and c.starts_at < upper(span) and c.site_id = any (chosen);
  perform private.lock_guards(users);
  perform private.refuse_roster(private.closed_shifts(shifts, users), cardinality(shifts));

  with told as (
    insert into public.notices (user_id, kind, title, body, link, dedupe_key)
    select d.user_id, 'roster', format('Your roster from %s to %s', to_char(p_from, 'Mon FMDD'), to_char(p_to, 'Mon FMDD')),
      d.message, '/staff/shifts', format('roster %s %s', publication, d.user_id)
    from private.differences(span, chosen) d
    where jsonb_array_length(d.assigned) + jsonb_array_length(d.unassigned) > 0
    returning 1
  )
  select count(*) into notices from told;
  begin
    delete from public.assignments a using public.roster_changes c
    where c.shift_id = any (shifts) and c.site_id = any (chosen) and c.change = 'unassign'
      and a.shift_id = c.shift_id and a.user_id = c.user_id and a.status <> 'cancelled';
    get diagnostics unassigned = row_count;
    insert into public.assignments (shift_id, user_id, override_reason)
    select c.shift_id, c.user_id, c.override_reason from public.roster_changes c
    where c.starts_at >= lower(span) and c.starts_at < upper(span) and c.site_id = any (chosen) and c.change = 'assign'
    -- Those with a reason last, next to what they override.
    order by c.user_id, c.override_reason is not null, c.starts_at;
    get diagnostics assigned = row_count;
  exception when exclusion_violation or check_violation or foreign_key_violation then
    get stacked diagnostics reason = message_text;
    select coalesce(jsonb_agg(to_jsonb(p)), '[]') into conflicts from private.roster_problems(shifts, users) p;
    perform private.refuse_roster(conflicts, cardinality(shifts));
    raise exception '%', reason using errcode = 'PT409';
  end;
  delete from public.roster_changes c
  where c.starts_at >= lower(span) and c.starts_at < upper(span) and c.site_id = any (chosen);

  if shifts = '{}' then
    return jsonb_build_object('assigned', 0, 'unassigned', 0, 'notices', 0, 'people', 0);
  end if;
  insert into public.roster_periods as w (starts_on, state, published_at, published_by, publications)
  select d::date, 'published', now(), auth.uid(), 1
  from generate_series(date_trunc('week', p_from::timestamp), p_to::timestamp, interval '7 days') d
  on conflict (starts_on) do update set
    state = 'published', published_at = now(), published_by = auth.uid(), publications = w.publications + 1;
  update public.roster_periods w set state = 'draft'
  where w.starts_on between p_from - 6 and p_to and exists (
    select from public.roster_changes c
    where c.starts_at >= private.company_midnight(w.starts_on) and c.starts_at < private.company_midnight(w.starts_on + 7)
  );
  return jsonb_build_object(
    'assigned', assigned, 'unassigned', unassigned, 'notices', notices,
    'people', (select count(distinct u.id) from unnest(users) u (id))
  );
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.roster_differences, public.publish_roster from public, anon;
grant execute on function public.roster_differences, public.publish_roster to authenticated;
