-- The roster of a week: drafts, filling, publishing, pins, changes.

-- ── Tables ────────────────────────────────────────────────────────────

-- Guards answer their assignments, from the phone and after days offline: each answer has the id of its event.
create table private.assignment_answers (
  event_id uuid primary key,
  assignment_id uuid not null,
  user_id uuid not null references public.profiles on delete cascade,
  answer text not null check (answer in ('confirm', 'decline', 'undo')),
  answered_at timestamptz not null default now()
);
create index assignment_answers_user_id_idx on private.assignment_answers (user_id);
alter table private.assignment_answers enable row level security;

-- The draft of a roster: differences from the assignments, which are what is published. Everything else reads only
-- assignments, so a draft changes nothing on any other screen.
create table public.roster_changes (
  id uuid default gen_random_uuid() primary key,
  shift_id uuid not null references public.shifts on delete cascade,
  user_id uuid not null references public.profiles on delete cascade,
  change text not null check (change in ('assign', 'unassign')),
  override_reason text check (char_length(override_reason) <= 500),
  site_id uuid not null,
  period tstzrange not null,
  starts_at timestamptz generated always as (lower(period)) stored,
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  unique (shift_id, user_id)
);
comment on column public.roster_changes.site_id is 'Derived: the site of the shift';
comment on column public.roster_changes.period is 'Derived: the time of the shift';
comment on column public.roster_changes.starts_at is 'Derived: when the shift starts';
create index roster_changes_user_id_idx on public.roster_changes (user_id, starts_at);
create index roster_changes_site_id_idx on public.roster_changes (site_id, starts_at);
create index roster_changes_starts_at_idx on public.roster_changes (starts_at);
create index roster_changes_created_by_idx on public.roster_changes (created_by);
create unique index roster_changes_old_rows_idx on public.roster_changes (id, site_id);
alter table public.roster_changes replica identity using index roster_changes_old_rows_idx;
alter publication supabase_realtime add table public.roster_changes;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.roster_changes', 'override_reason');
create trigger b_author before insert or update on public.roster_changes
  for each row execute function private.stamp_author();
create trigger b_shift before insert or update on public.roster_changes
  for each row execute function private.derive_shift_site();
select private.keep_history_of('public.roster_changes');
alter table public.roster_changes enable row level security;
grant select on public.roster_changes to authenticated;
create policy "Planners read the drafts of their sites" on public.roster_changes
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );

-- The weeks of the roster, from Monday, and when each was last published.
create table public.roster_periods (
  id uuid default gen_random_uuid() primary key,
  starts_on date not null unique
    check (starts_on between '1900-01-01' and '2199-12-31' and extract(isodow from starts_on) = 1),
  state text not null default 'draft' check (state in ('draft', 'published')),
  published_at timestamptz,
  published_by uuid references public.profiles on delete set null,
  publications integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index roster_periods_published_by_idx on public.roster_periods (published_by);
alter publication supabase_realtime add table public.roster_periods;
-- Triggers, in the order in which they fire:
create trigger d_touch before update on public.roster_periods for each row execute function private.touch();
select private.keep_history_of('public.roster_periods');
alter table public.roster_periods enable row level security;
grant select on public.roster_periods to authenticated;
create policy "Planners read the weeks of the roster" on public.roster_periods
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or cardinality((select private.supervised_sites())) > 0
  );

-- Guards whom Fill leaves where they are.
create table public.roster_pins (
  id uuid default gen_random_uuid() primary key,
  shift_id uuid not null references public.shifts on delete cascade,
  user_id uuid not null references public.profiles on delete cascade,
  site_id uuid not null,
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  unique (shift_id, user_id)
);
comment on column public.roster_pins.site_id is 'Derived: the site of the shift';
create index roster_pins_user_id_idx on public.roster_pins (user_id);
create index roster_pins_site_id_idx on public.roster_pins (site_id);
create index roster_pins_created_by_idx on public.roster_pins (created_by);
alter table public.roster_pins replica identity full;
alter publication supabase_realtime add table public.roster_pins;
-- Triggers, in the order in which they fire:
create trigger b_author before insert or update on public.roster_pins
  for each row execute function private.stamp_author();
create trigger b_shift before insert or update on public.roster_pins
  for each row execute function private.derive_shift_site();
select private.keep_history_of('public.roster_pins');
alter table public.roster_pins enable row level security;
grant select on public.roster_pins to authenticated;
create policy "Planners read the pins of their sites" on public.roster_pins
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );

-- Who works when, according to the draft: published assignments without those that the draft takes away, and those
-- that it adds.
create view private.drafted_duties with (security_invoker = true) as
  select a.user_id, a.shift_id, a.site_id, a.period, a.starts_at, a.counts_as_staffed as fills_seat
  from public.assignments a
  where a.status <> 'cancelled' and not exists (
    select from public.roster_changes c
    where c.shift_id = a.shift_id and c.user_id = a.user_id and c.change = 'unassign'
  )
  union all
  select c.user_id, c.shift_id, c.site_id, c.period, c.starts_at, true
  from public.roster_changes c where c.change = 'assign';

-- ── Functions ─────────────────────────────────────────────────────────

-- The draft follows assignments that are written at once, such as from the shift dialog: a change that has happened is
-- none any more.
create function private.settle_drafts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    delete from public.roster_changes c using old_rows o
    where c.shift_id = o.shift_id and c.user_id = o.user_id and c.change = 'unassign';
  -- Usually there is none: a delete without rows still runs the triggers of the draft.
  elsif exists (
    select from public.roster_changes c join new_rows n on n.shift_id = c.shift_id and n.user_id = c.user_id
  ) then
    delete from public.roster_changes c using new_rows n
    where c.shift_id = n.shift_id and c.user_id = n.user_id
      and c.change = case n.status when 'cancelled' then 'unassign' else 'assign' end;
  end if;
  return null;
end
$$;

-- The elements of p_rows as rows. A guard may be named once per shift.
create function private.require_roster_rows(p_rows jsonb)
returns table ( shift_id uuid, user_id uuid, change text, override_reason text )
language plpgsql immutable set search_path = '' as $$
begin
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) not between 1 and 5000 then
    raise exception 'Send 1 to 5,000 rows as an array.' using errcode = 'invalid_parameter_value';
  end if;
  return query
    select r.shift_id, r.user_id, r.change, nullif(btrim(r.override_reason), '')
    from jsonb_to_recordset(p_rows) r (shift_id uuid, user_id uuid, change text, override_reason text);
  if exists (
    select from jsonb_to_recordset(p_rows) r (shift_id uuid, user_id uuid)
    group by r.shift_id, r.user_id
    having count(*) > 1 or r.shift_id is null or r.user_id is null
  ) then
    raise exception 'Name each guard once per shift.' using errcode = 'invalid_parameter_value';
  end if;
end
$$;

-- Planners of a site take turns, so that two of them can't fill one seat. In order of id, so that they never deadlock.
create function private.lock_rosters(p_sites uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('roster of ' || site.id, 0))
  from (select distinct s.id from unnest(p_sites) s (id) order by 1) site;
end
$$;

-- The same lock as an assignment takes, so that a draft and an assignment of one guard don't miss each other.
create function private.lock_guards(p_users uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(guard.id::text, 0))
  from (select distinct u.id from unnest(p_users) u (id) order by 1) guard;
end
$$;

-- Refuses a call with the list of what no longer fits, as JSON in the detail.
create function private.refuse_roster(p_conflicts jsonb, p_total integer) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if jsonb_array_length(p_conflicts) > 0 then
    raise exception 'The roster has changed: % of % changes no longer fit.',
      (select count(distinct (c ->> 'shift_id', c ->> 'user_id')) from jsonb_array_elements(p_conflicts) c), p_total
      using errcode = 'PT409', detail = p_conflicts::text;
  end if;
end
$$;

-- What stays in the draft for each row: an assignment that is published already needs no change, and a change back to
-- what is published is none. Null if nothing stays.
create function private.unpublished_changes(p_changes jsonb)
returns table ( shift_id uuid, user_id uuid, change text, override_reason text )
language sql stable security definer set search_path = '' as $$
  select r.shift_id, r.user_id, case when r.change = case when published.is_so then 'unassign' else 'assign' end
    then r.change end,
    r.override_reason
  from private.require_roster_rows(p_changes) r
  -- One look-up a row: an exists() would read all assignments into a hash table.
  left join lateral (
    select true as is_so from public.assignments a
    where a.shift_id = r.shift_id and a.user_id = r.user_id and a.status <> 'cancelled'
    limit 1
  ) published on true;
$$;

-- What speaks against a draft as it is stored: seats that are taken twice, and rules that its guards would break.
create function private.roster_problems(p_shifts uuid[], p_users uuid[])
returns table ( shift_id uuid, user_id uuid, rule text, message text, can_override boolean )
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
begin
  return query
  with wanted as materialized (
    select c.shift_id, c.user_id, c.period, c.override_reason is not null
      and private.may_oversee(c.site_id) as is_overridden
    from unnest(p_shifts, p_users) w (shift, person)
    join public.roster_changes c on c.shift_id = w.shift and c.user_id = w.person and c.change = 'assign'
  ),
  others as (
    select w.shift_id, w.user_id, array(
      select d.period from private.drafted_duties d
      where d.user_id = w.user_id and d.shift_id <> w.shift_id
        and d.starts_at > lower(w.period) - interval '15 days' and d.starts_at < upper(w.period) + interval '15 days'
    ) as duties
    from wanted w
  )
  select w.shift_id, w.user_id, p.rule, p.message, p.can_override
  from wanted w
  join others o on o.shift_id = w.shift_id and o.user_id = w.user_id
  cross join lateral (
    select * from private.duty_problems(w.user_id, lower(w.period), upper(w.period), o.duties, zone)
    union all
    select e.* from public.shifts s cross join lateral private.eligibility_problems(w.user_id, s) e
      where s.id = w.shift_id
  ) p
  where not (p.can_override and w.is_overridden)
  union all
  select f.id, w.user_id, 'full', format('This shift already has its %s', case f.required_headcount
    when 1 then 'guard' else f.required_headcount || ' guards' end), false
  from (
    select s.id, s.required_headcount
    from public.shifts s where s.id in (select v.shift_id from wanted v)
      and s.required_headcount < (
        select count(*) from private.drafted_duties d where d.shift_id = s.id and d.fills_seat
      )
  ) f
  join wanted w on w.shift_id = f.id;
end
$$;

-- Changes the draft: [{"shift_id", "user_id", "change": "assign" | "unassign" | "reset", "override_reason"}]. Assign
-- and
-- unassign say how it shall be after publishing; reset returns to what is published. Nothing is changed if one of them
-- breaks a rule or no longer fits: the detail of the error is a list of {shift_id, user_id, rule, message,
-- can_override}.
-- @returns {"applied": rows that changed, "changes": the draft rows of these shifts and guards}
create function public.apply_roster(p_changes jsonb) returns jsonb
language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  shifts uuid[];
  users uuid[];
  sites uuid[];
  applied integer;
  conflicts jsonb;
begin
  if exists (
    select from private.require_roster_rows(p_changes) r
    where r.change is null or r.change not in ('assign', 'unassign', 'reset') or char_length(r.override_reason) > 500
  ) then
    raise exception 'A change is assign, unassign or reset, with a reason of at most 500 characters.'
      using errcode = 'invalid_parameter_value';
  end if;
  select array_agg(r.shift_id), array_agg(r.user_id) into shifts, users from private.require_roster_rows(p_changes) r;
  sites := array(select distinct s.site_id from public.shifts s where s.id = any (shifts));
  if cardinality(private.planned_sites(sites)) < cardinality(sites) then
    raise exception 'You don''t plan the shifts of all these sites.' using errcode = 'insufficient_privilege';
  end if;
  perform private.lock_rosters(sites);
  perform private.lock_guards(users);
  perform private.refuse_roster(private.closed_shifts(shifts, users), cardinality(shifts));

  with draft as materialized (select * from private.unpublished_changes(p_changes)),
  removed as (
    delete from public.roster_changes c using draft d
    where c.shift_id = d.shift_id and c.user_id = d.user_id and d.change is null
    returning 1
  ),
  written as (
    insert into public.roster_changes as c (shift_id, user_id, change, override_reason)
    select d.shift_id, d.user_id, d.change, d.override_reason from draft d
    where d.change is not null
    order by d.user_id, d.shift_id
    on conflict (shift_id, user_id) do update
      set change = excluded.change, override_reason = excluded.override_reason
      where (c.change, c.override_reason) is distinct from (excluded.change, excluded.override_reason)
    returning 1
  )
  select (select count(*) from removed) + (select count(*) from written) into applied;
  delete from public.roster_pins n using private.require_roster_rows(p_changes) r
  where n.shift_id = r.shift_id and n.user_id = r.user_id and r.change = 'unassign';
  insert into public.roster_periods (starts_on)
  select distinct date_trunc('week', s.start_time at time zone g.time_zone)::date
  from public.shifts s, private.settings g where s.id = any (shifts) on conflict (starts_on) do nothing;

  select coalesce(jsonb_agg(to_jsonb(p)), '[]') into conflicts from private.roster_problems(shifts, users) p;
  perform private.refuse_roster(conflicts, cardinality(shifts));
  return jsonb_build_object('applied', applied, 'changes', coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', c.id, 'shift_id', c.shift_id, 'user_id', c.user_id, 'change', c.change, 'override_reason', c.override_reason
    ))
    from public.roster_changes c join unnest(shifts, users) w (shift, person) on c.shift_id = w.shift
      and c.user_id = w.person
  ), '[]'));
end
$$;
grant execute on function public.apply_roster to authenticated;

-- Pins guards to their shifts, or unpins them: [{"shift_id", "user_id"}]. @returns how many changed
create function public.pin_roster(p_pins jsonb, p_pinned boolean) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  sites uuid[] := array(
    select distinct s.site_id from private.require_roster_rows(p_pins) r join public.shifts s on s.id = r.shift_id
  );
  changed integer;
begin
  if p_pinned is null then
    raise exception 'Say whether to pin or unpin.' using errcode = 'invalid_parameter_value';
  end if;
  if cardinality(private.planned_sites(sites)) < cardinality(sites) then
    raise exception 'You don''t plan the shifts of all these sites.' using errcode = 'insufficient_privilege';
  end if;
  if p_pinned then
    insert into public.roster_pins (shift_id, user_id)
    select r.shift_id, r.user_id from private.require_roster_rows(p_pins) r
    order by r.shift_id, r.user_id on conflict (shift_id, user_id) do nothing;
  else
    delete from public.roster_pins n using private.require_roster_rows(p_pins) r
    where n.shift_id = r.shift_id and n.user_id = r.user_id;
  end if;
  get diagnostics changed = row_count;
  return changed;
end
$$;
grant execute on function public.pin_roster to authenticated;

-- Whether the caller looks after this person's PIN: overseers, and supervisors of a site where the person worked in the
-- last 60 days or will work. Never null.
create function private.may_set_pin(person uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_role('admin', 'ops_manager', 'supervisor') or exists (
    select from public.assignments a
    where a.user_id = person and a.site_id = any (private.supervised_sites())
      and a.starts_at > now() - interval '60 days'
  );
end
$$;

-- Whether the person has a PIN, and whether it is locked. No row if the caller may not know.
create function public.pin_state(p_user_id uuid) returns table (is_set boolean, is_locked boolean, set_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_user_id = auth.uid() and private.is_member() or private.may_set_pin(p_user_id) then
    return query
      select p.user_id is not null, p.locked_at is not null, p.set_at
      from (select) one left join private.guard_pins p on p.user_id = p_user_id;
  end if;
end
$$;
comment on function public.pin_state is 'Nullable: set_at';
grant execute on function public.pin_state to authenticated;

-- Refuses days that a roster can't span, and returns their instants.
create function private.roster_span(p_from date, p_to date) returns tstzrange
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_day(p_from, 'first day');
  perform private.require_day(p_to, 'last day');
  if p_to < p_from or p_to - p_from >= 35 then
    raise exception 'A roster spans 1 to 35 days.' using errcode = 'invalid_parameter_value';
  end if;
  return tstzrange(private.company_midnight(p_from), private.company_midnight(p_to + 1));
end
$$;

-- The draft of some days and sites, person by person, with the message that publishing would send. Shifts that have
-- begun are left out.
create function private.draft_differences(span tstzrange, chosen uuid[])
returns table ( user_id uuid, full_name text, assigned jsonb, unassigned jsonb, message text )
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
  select p.user_id, coalesce(nullif(f.full_name, ''), f.email, f.phone, ''), p.assigned, p.unassigned,
    left(p.message, 2000)
  from people p join public.profiles f on f.id = p.user_id;
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
    select d.user_id, 'roster', format('Your roster from %s to %s', to_char(p_from, 'Mon FMDD'),
      to_char(p_to, 'Mon FMDD')),
      d.message, '/staff/shifts', format('roster %s %s', publication, d.user_id)
    from private.draft_differences(span, chosen) d
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
    where c.starts_at >= private.company_midnight(w.starts_on)
      and c.starts_at < private.company_midnight(w.starts_on + 7)
  );
  return jsonb_build_object(
    'assigned', assigned, 'unassigned', unassigned, 'notices', notices,
    'people', (select count(distinct u.id) from unnest(users) u (id))
  );
end
$$;
grant execute on function public.publish_roster to authenticated;

-- roster_input for a board. Callers who plan at most 200 sites get all of them, whatever the filters; others get page
-- p_page (from 1) of the sites that match, by name. p_q is searched in the names of site, client and posts.
create function public.roster_board(
  p_from date, p_to date, p_page integer default 1, p_site uuid default null, p_client text default null,
  p_supervisor text default null, p_q text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  per_page constant integer := 100;
  planned constant uuid[] := private.planned_sites(null);
  is_whole constant boolean := cardinality(planned) <= 200;
  matching uuid[];
  patterns text[];
  names jsonb;
begin
  if p_page is null or p_page not between 1 and 1000 then
    raise exception 'A page is a number from 1 to 1,000.' using errcode = 'invalid_parameter_value';
  end if;
  if greatest(length(p_client), length(p_supervisor), length(p_q)) > 300 then
    raise exception 'Search for at most 300 characters.' using errcode = 'invalid_parameter_value';
  end if;
  select jsonb_build_object(
    'clients', (
      select coalesce(jsonb_agg(distinct s.client_name order by s.client_name), '[]') from public.sites s
      where s.id = any (planned)
    ),
    'supervisors', (
      select coalesce(jsonb_agg(distinct b.name order by b.name), '[]') from private.site_supervisors b
      where b.site_id = any (planned)
    )
  ) into names;
  if is_whole then
    matching := planned;
  else
    patterns := private.search_patterns(coalesce(p_q, ''));
    matching := array(
      select s.id from public.sites s
      where s.id = any (planned) and (p_site is null or s.id = p_site)
        and (p_client is null or s.client_name = p_client)
        and (p_supervisor is null or exists (
          select from private.site_supervisors b where b.site_id = s.id and b.name = p_supervisor
        ))
        and (
          private.folded(concat_ws(E'\n', s.name, s.client_name)) like all (patterns)
          or exists (
            select from public.posts p
            where p.site_id = s.id
              and private.folded(concat_ws(E'\n', s.name, s.client_name, p.name)) like all (patterns)
          )
        )
      order by s.name, s.id
    );
  end if;
  return public.roster_input(
    p_from, p_to, case when is_whole then matching else matching[(p_page - 1) * per_page + 1:p_page * per_page] end
  ) || names || jsonb_build_object('sites_planned', cardinality(planned), 'sites_found', cardinality(matching));
end
$$;
grant execute on function public.roster_board to authenticated;

-- What publishing these days and sites would change, and what it would send to whom.
create function public.roster_differences(p_from date, p_to date, p_sites uuid[] default null)
returns table ( user_id uuid, full_name text, assigned jsonb, unassigned jsonb, message text )
language plpgsql stable security definer set search_path = '' as $$
declare
  span tstzrange := private.roster_span(p_from, p_to);
begin
  return query
    select * from private.draft_differences(span, private.planned_sites(p_sites)) d order by d.full_name, d.user_id;
end
$$;
grant execute on function public.roster_differences to authenticated;

-- What changes while a board is open.
create function private.roster_state_of(p_from date, p_to date, span tstzrange, chosen uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'assignments', coalesce((
      select jsonb_agg(jsonb_build_object(
        'shift_id', a.shift_id, 'user_id', a.user_id,
        'absence', case when a.counts_as_staffed then null when a.status = 'no_show' then 'no_show' else 'leave' end,
        'clocked', a.attendance_state <> 'none', 'override', a.override_reason is not null,
        'confirmed', a.status = 'confirmed'
      ) order by a.starts_at, a.id)
      from public.assignments a join public.shifts s on s.id = a.shift_id
      where a.starts_at >= lower(span) and a.starts_at < (select private.last_join(upper(span)))
        and a.site_id = any (chosen) and a.status <> 'cancelled'
        and s.start_time >= lower(span) and s.start_time < upper(span)
    ), '[]'),
    'changes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'shift_id', c.shift_id, 'user_id', c.user_id, 'change', c.change, 'override_reason', c.override_reason
      ) order by c.starts_at, c.id)
      from public.roster_changes c
      where c.starts_at >= lower(span) and c.starts_at < upper(span) and c.site_id = any (chosen)
    ), '[]'),
    'pins', coalesce((
      select jsonb_agg(jsonb_build_object('shift_id', n.shift_id, 'user_id', n.user_id) order by n.created_at, n.id)
      from public.roster_pins n join public.shifts s on s.id = n.shift_id
      where s.start_time >= lower(span) and s.start_time < upper(span) and s.site_id = any (chosen)
    ), '[]'),
    'bids', coalesce((
      select jsonb_agg(jsonb_build_object('shift_id', o.shift_id, 'user_id', o.user_id) order by o.created_at, o.id)
      from public.offers o join public.shifts s on s.id = o.shift_id
      where o.kind = 'bid' and o.status = 'open'
        and s.start_time >= lower(span) and s.start_time < upper(span) and s.site_id = any (chosen)
    ), '[]'),
    'periods', coalesce((
      select jsonb_agg(jsonb_build_object(
        'starts_on', w.starts_on, 'state', w.state, 'published_at', w.published_at
      ) order by w.starts_on)
      from public.roster_periods w where w.starts_on between p_from - 6 and p_to
    ), '[]')
  );
$$;

-- Posts and sites of the chosen sites, with what they need.
create function private.roster_places(chosen uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'sites', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', s.id, 'name', s.name, 'client', s.client_name, 'zone', s.timezone,
        'latitude', s.latitude, 'longitude', s.longitude, 'county', s.county, 'max_distance_km', s.max_distance_km,
        'supervisors', coalesce((
          select jsonb_agg(coalesce(nullif(p.full_name, ''), p.email) order by p.full_name)
          from public.user_roles r join public.profiles p on p.id = r.user_id
          where r.role = 'supervisor' and r.site_id = s.id
        ), '[]')
      ) order by s.name, s.id)
      from public.sites s where s.id = any (chosen)
    ), '[]'),
    'courses', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'title', c.title) order by c.title) from public.training_courses c
    ), '[]'),
    'posts', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', p.id, 'site_id', p.site_id, 'name', p.name, 'gender', p.gender, 'lone_worker', p.lone_worker,
        'needs_induction', p.needs_induction,
        'courses', coalesce((
          select jsonb_agg(n.course_id order by n.course_id) from public.post_courses n where n.post_id = p.id
        ), '[]')
      ) order by p.name, p.id)
      from public.posts p where p.site_id = any (chosen)
    ), '[]')
  );
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

-- Out of roster_input, unchanged.
create function private.roster_shifts(span tstzrange, chosen uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', s.id, 'site_id', s.site_id, 'post_id', s.post_id, 'start', private.epoch_minutes(s.start_time),
    'end', private.epoch_minutes(s.end_time), 'headcount', s.required_headcount, 'notes', s.notes,
    'is_manual', s.is_manual
  ) order by s.start_time, s.site_id, s.id), '[]')
  from public.shifts s
  where s.start_time >= lower(span) and s.start_time < upper(span) and s.site_id = any (chosen)
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
grant execute on function public.roster_first_sites to authenticated;

-- The guards that a board shows: all up to 1,000. A larger company's are those who were at the chosen sites in the last
-- 12 weeks, are planned or inducted there, and of the others as many, by name, as make 1,000.
create function private.roster_guards(begins timestamptz, ends timestamptz, chosen uuid[]) returns uuid[]
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  most constant integer := 1000;
  last_join constant timestamptz := private.last_join(ends);
  guards uuid[];
  near uuid[];
begin
  guards := array(
    select p.id from public.profiles p
    where p.left_on is null and exists (select from public.user_roles r where r.user_id = p.id and r.role = 'guard')
    limit most + 1
  );
  if cardinality(guards) <= most then
    return guards;
  end if;
  near := array(
    select a.user_id from public.assignments a
    where a.starts_at >= begins - interval '84 days' and a.starts_at < last_join and a.site_id = any (chosen)
    union
    select c.user_id from public.roster_changes c
    where c.starts_at >= begins and c.starts_at < ends and c.site_id = any (chosen)
    union
    select i.user_id from public.site_inductions i where i.site_id = any (chosen)
  );
  near := array(
    select p.id from public.profiles p
    where p.id = any (near) and p.left_on is null and exists (
      select from public.user_roles r where r.user_id = p.id and r.role = 'guard'
    )
  );
  return near || array(
    select p.id from public.profiles p
    where p.left_on is null and p.id <> all (near) and exists (
      select from public.user_roles r where r.user_id = p.id and r.role = 'guard'
    )
    order by p.full_name, p.id
    limit greatest(most - cardinality(near), 0)
  );
end
$$;

-- As before, but everything is looked for at the guards of the board, and of the weeks before the last four only the
-- sites.
create function private.roster_people(p_from date, p_to date, chosen uuid[]) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  -- The planner knows these bounds, so it reads the weeks that count instead of all years.
  begins constant timestamptz := private.company_midnight(p_from);
  ends constant timestamptz := private.company_midnight(p_to + 1);
  zone constant text := (select s.time_zone from private.settings s);
  night_at constant time := (private.rules_on(p_from)).night_at;
  guards constant uuid[] := private.roster_guards(begins, ends, chosen);
begin
  return (
  with known as (
    select k.user_id, jsonb_object_agg(k.site_id, k.shifts) as sites
    from (
      select a.user_id, a.site_id, count(*) as shifts from public.assignments a
      where a.starts_at >= begins - interval '84 days' and a.starts_at < begins and a.site_id = any (chosen)
        and a.counts_as_staffed and a.user_id = any (guards)
      group by 1, 2
    ) k
    group by k.user_id
  ),
  earlier as materialized (
    select a.user_id, lower(a.period) at time zone zone as starts, upper(a.period) at time zone zone as ends
    from public.assignments a
    where a.starts_at >= begins - interval '28 days' and a.starts_at < begins
      and a.counts_as_staffed and a.user_id = any (guards)
  ),
  past as (
    select e.user_id, sum(extract(epoch from e.ends - e.starts) / 3600) as hours,
      count(*) filter (where e.starts <= n.at and e.ends > n.at
        or e.starts <= n.at + interval '1 day' and e.ends > n.at + interval '1 day') as nights,
      count(*) filter (where extract(isodow from e.starts) = 7) as sundays
    from earlier e
    cross join lateral (select date_trunc('day', e.starts) + night_at as at) n
    group by e.user_id
  ),
  outside as (
    select d.user_id, jsonb_agg(
      jsonb_build_array(private.epoch_minutes(lower(d.period)), private.epoch_minutes(upper(d.period)))
      order by lower(d.period)
    ) as duties
    from private.drafted_duties d join public.shifts s on s.id = d.shift_id
    where d.starts_at >= begins - interval '15 days' and d.starts_at < ends + interval '15 days'
      and d.user_id = any (guards)
      and not (d.site_id = any (chosen) and s.start_time >= begins and s.start_time < ends)
    group by d.user_id
  ),
  certificates as (
    select n.user_id, jsonb_object_agg(n.course_id, private.epoch_minutes(n.expires_at)) as courses
    from (
      select c.user_id, c.course_id, max(c.expires_at) as expires_at from public.certifications c
      where c.expires_at < '2200-01-01' and c.user_id = any (guards) group by 1, 2
    ) n
    group by n.user_id
  ),
  leave as (
    select l.user_id, jsonb_agg(jsonb_build_array(l.start_date, l.end_date) order by l.start_date) as days
    from public.leave_requests l
    where l.status = 'approved' and l.end_date >= p_from - 1 and l.start_date <= p_to + 2 and l.user_id = any (guards)
    group by l.user_id
  ),
  wishes as (
    select a.user_id, jsonb_agg(jsonb_build_object(
      'kind', a.kind, 'weekday', a.weekday, 'from', a.from_day, 'to', a.to_day, 'part', a.part
    ) order by a.created_at, a.id) as wishes
    from public.availability a
    where (a.from_day is null or a.from_day <= p_to + 1) and (a.to_day is null or a.to_day >= p_from)
      and a.user_id = any (guards)
    group by a.user_id
  ),
  bans as (
    select b.user_id, jsonb_agg(b.site_id) as sites from public.site_bans b
    where b.site_id = any (chosen) and b.user_id = any (guards) group by 1
  ),
  inductions as (
    select i.user_id, jsonb_agg(i.site_id) as sites
    from public.site_inductions i where i.site_id = any (chosen) and i.user_id = any (guards) group by 1
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', g.id, 'name', coalesce(nullif(g.full_name, ''), g.email, g.phone, ''), 'gender', g.gender, 'phone', g.phone,
    'home', case when g.home_position is not null then to_jsonb(private.degrees_of(g.home_position)) end,
    'home_region', g.home_region, 'max_distance_km', g.max_distance_km,
    'certificates', coalesce(c.courses, '{}'), 'leave', coalesce(l.days, '[]'), 'wishes', coalesce(w.wishes, '[]'),
    'banned', coalesce(b.sites, '[]'), 'inducted', coalesce(i.sites, '[]'), 'known', coalesce(k.sites, '{}'),
    'past', jsonb_build_object(
      'hours', coalesce(round(p.hours, 2), 0), 'nights', coalesce(p.nights, 0), 'sundays', coalesce(p.sundays, 0)
    ),
    'outside', coalesce(o.duties, '[]')
  ) order by g.full_name, g.id), '[]')
  from public.profiles g
  left join certificates c on c.user_id = g.id
  left join leave l on l.user_id = g.id
  left join wishes w on w.user_id = g.id
  left join bans b on b.user_id = g.id
  left join inductions i on i.user_id = g.id
  left join known k on k.user_id = g.id
  left join past p on p.user_id = g.id
  left join outside o on o.user_id = g.id
  where g.id = any (guards)
  );
end
$$;

-- Definer, because it tells planners facts from tables that they can't read, such as the days of approved leave.
create function public.roster_input("from" date, "to" date, sites uuid[] default null) returns jsonb
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
grant execute on function public.roster_input to authenticated;

-- The part of roster_input that other planners and the clock change, for boards that are open.
create function public.roster_state(p_from date, p_to date, p_sites uuid[] default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.roster_state_of(p_from, p_to, private.roster_span(p_from, p_to), private.planned_sites(p_sites));
end
$$;
grant execute on function public.roster_state to authenticated;

-- Who would work the open seats of a week as they work those of another one: the guards of the shift at the same post
-- and times, drafts included, with what stands against each; null if nothing does. A shift without a post is found by
-- its times and notes. Both days are Mondays. One value, because rows are limited. Definer, because a conflict counts
-- at any site.
create function public.roster_copies(p_from date, p_to date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  chosen uuid[] := private.planned_sites(null);
  zone text := (select s.time_zone from private.settings s);
  person uuid;
  obstacle text;
  copied tstzrange[];
  planned record;
  copies jsonb[];
begin
  if p_from is null or p_to is null or p_from = p_to or abs(p_to - p_from) > private.copy_limit_days() then
    raise exception 'Choose two different weeks, at most a year apart.' using errcode = 'check_violation';
  end if;
  for planned in
    with week as (
      select s as shift, s.id, s.site_id, s.start_time, t.name, t.timezone,
        s.start_time < private.company_midnight(p_from + 7)
        and s.start_time >= private.company_midnight(p_from) as is_source,
        -- Two shifts at the same time are told apart by their notes, then by their order.
        row_number() over (
          partition by s.site_id, s.post_id, s.start_time, s.end_time, s.notes order by s.id
        ) as place
      from public.shifts s join public.sites t on t.id = s.site_id
      where s.site_id = any (chosen) and (
        s.start_time >= private.company_midnight(p_from) and s.start_time < private.company_midnight(p_from + 7)
        or s.start_time >= private.company_midnight(p_to) and s.start_time < private.company_midnight(p_to + 7)
      )
    )
    select target.id, target.shift, d.user_id, target.name, target.timezone, target.start_time,
      coalesce(nullif(p.full_name, ''), p.email, '') as person_name
    from week source
    join week target on target.site_id = source.site_id and not target.is_source and target.place = source.place
      and (target.shift).post_id is not distinct from (source.shift).post_id
      and (target.shift).notes is not distinct from (source.shift).notes
      and target.start_time at time zone target.timezone
        = source.start_time at time zone source.timezone + make_interval(days => p_to - p_from)
      and (target.shift).end_time at time zone target.timezone
        = (source.shift).end_time at time zone source.timezone + make_interval(days => p_to - p_from)
    -- Also who is on leave or did not come: that says nothing about the other week.
    join private.drafted_duties d on d.shift_id = source.id
    join public.profiles p on p.id = d.user_id
    where source.is_source and target.start_time > now()
      and not exists (
        select from private.drafted_duties o where o.shift_id = target.id and o.user_id = d.user_id
      )
    order by d.user_id, target.start_time, target.id
  loop
    if planned.user_id is distinct from person then
      person := planned.user_id;
      copied := '{}';
    end if;
    select string_agg(b.message, '; ') into obstacle from (
      select d.message from private.duty_problems(
        person, planned.start_time, (planned.shift).end_time, copied || array(
          select o.period from private.drafted_duties o
          where o.user_id = person and o.starts_at > planned.start_time - interval '16 days'
            and o.starts_at < planned.start_time + interval '16 days'
        ), zone) d
      union all
      select e.message from private.eligibility_problems(person, planned.shift) e
      union all
      select 'No longer a guard'
      where not exists (select from public.user_roles r where r.user_id = person and r.role = 'guard')
    ) b;
    if obstacle is null then
      copied := copied || tstzrange(planned.start_time, (planned.shift).end_time);
    end if;
    copies := copies || jsonb_build_object('shift_id', planned.id, 'user_id', person, 'name', planned.person_name,
      'site', planned.name, 'zone', planned.timezone, 'start', planned.start_time, 'obstacle', obstacle);
  end loop;
  return (
    with copy as (
      select c ->> 'shift_id' as shift_id, c, c ->> 'name' as guard, c ->> 'obstacle' as obstacle
      from unnest(copies) c
    ),
    ranked as (
      select c.*, row_number() over (
        partition by c.shift_id order by c.obstacle is not null, c.guard, c.c ->> 'user_id'
      ) as place
      from copy c
    ),
    seats as (
      select s.id::text as shift_id, s.required_headcount - (
        select count(*) from private.drafted_duties d where d.shift_id = s.id and d.fills_seat
      ) as open
      from public.shifts s where s.id in (select c.shift_id::uuid from copy c)
    )
    select coalesce(jsonb_agg(r.c || jsonb_build_object(
      'obstacle', coalesce(r.obstacle, case when r.place > s.open then 'The shift has its guards' end)
    ) order by r.guard, r.c ->> 'start', r.shift_id), '[]')
    from ranked r join seats s on s.shift_id = r.shift_id
  );
end
$$;
grant execute on function public.roster_copies to authenticated;

-- Refuses what is guessed first: one digit repeated, and digits in a row.
create function private.store_pin(person uuid, pin text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if pin ~ '^[0-9]{4,6}$' is not true then
    raise exception 'A PIN has 4 to 6 digits.' using errcode = 'check_violation';
  end if;
  if pin ~ '^(.)\1+$' or strpos('01234567890', pin) > 0 or strpos('09876543210', pin) > 0 then
    raise exception 'Choose a PIN that is harder to guess.' using errcode = 'check_violation';
  end if;
  insert into private.guard_pins as p (user_id, pin_hash, set_by)
  values (person, extensions.crypt(pin, extensions.gen_salt('bf', 8)), auth.uid())
  on conflict (user_id) do update
    set pin_hash = excluded.pin_hash, failures = 0, locked_at = null, set_at = now(), set_by = excluded.set_by;
  perform private.record_security_event('pin_set', person, '{}');
end
$$;

create function public.set_own_pin(p_pin text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_member() then
    raise exception 'Finish signing in first.' using errcode = 'insufficient_privilege';
  end if;
  perform private.store_pin(auth.uid(), p_pin);
end
$$;
grant execute on function public.set_own_pin to authenticated;

create function private.require_pin_overseer(person uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.may_set_pin(person) then
    raise exception 'You can''t change this person''s PIN.' using errcode = 'insufficient_privilege';
  end if;
end
$$;

create function public.set_pin(p_user_id uuid, p_pin text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_pin_overseer(p_user_id);
  perform private.store_pin(p_user_id, p_pin);
end
$$;
grant execute on function public.set_pin to authenticated;

create function public.unlock_pin(p_user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_pin_overseer(p_user_id);
  update private.guard_pins p set failures = 0, locked_at = null where p.user_id = p_user_id;
  if not found then
    raise exception 'This person has no PIN.' using errcode = 'PT404';
  end if;
  perform private.record_security_event('pin_unlocked', p_user_id, '{}');
end
$$;
grant execute on function public.unlock_pin to authenticated;
