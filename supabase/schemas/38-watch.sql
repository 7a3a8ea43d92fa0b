-- The handover of the watch in the control room: one page, signed by who leaves and accepted by who comes.

-- ── Tables ────────────────────────────────────────────────────────────

-- Written by sign_watch and accept_watch alone: what was signed stays as it was, and a mistake gets a correction.
create table public.watch_handovers (
  id uuid default gen_random_uuid() primary key,
  from_at timestamptz not null,
  signed_at timestamptz not null default now(),
  facts jsonb not null check (jsonb_typeof(facts) = 'object'),
  remarks text check (char_length(remarks) <= 4000),
  signed_by uuid default auth.uid() references public.profiles on delete set null,
  accepted_at timestamptz,
  accepted_by uuid references public.profiles on delete set null,
  constraint watch_handovers_in_order check (from_at <= signed_at and accepted_at >= signed_at)
);
comment on column public.watch_handovers.from_at is 'The handover before, or 12 hours ago without one in the last 24';
comment on column public.watch_handovers.facts
  is 'What private.watch_facts found at the time of signing. People are in it by their ids';
comment on column public.watch_handovers.accepted_at is 'Null while nobody has read it';
create index watch_handovers_signed_at_idx on public.watch_handovers (signed_at desc);
create index watch_handovers_signed_by_idx on public.watch_handovers (signed_by);
create index watch_handovers_accepted_by_idx on public.watch_handovers (accepted_by) where accepted_by is not null;
alter table public.watch_handovers replica identity full;
alter publication supabase_realtime add table public.watch_handovers;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.watch_handovers', 'remarks');
select private.keep_history_of('public.watch_handovers');
alter table public.watch_handovers enable row level security;
grant select on public.watch_handovers to authenticated;
create policy "Planners of all sites read the handovers of the watch" on public.watch_handovers
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));

-- What is added to a handover after it was signed. Written by correct_watch alone.
create table public.watch_corrections (
  id uuid default gen_random_uuid() primary key,
  handover_id uuid not null references public.watch_handovers on delete cascade,
  body text not null check (char_length(body) between 1 and 2000),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now()
);
create index watch_corrections_handover_id_idx on public.watch_corrections (handover_id, created_at);
create index watch_corrections_created_by_idx on public.watch_corrections (created_by);
alter table public.watch_corrections replica identity full;
alter publication supabase_realtime add table public.watch_corrections;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.watch_corrections', 'body');
select private.keep_history_of('public.watch_corrections');
alter table public.watch_corrections enable row level security;
grant select on public.watch_corrections to authenticated;
create policy "Planners of all sites read corrections of handovers" on public.watch_corrections
  for select to authenticated using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher')));

-- ── Functions ─────────────────────────────────────────────────────────

-- The watch is of all sites: a supervisor of some sees the handovers of their posts instead.
create function private.require_watch() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher') then
    raise exception 'The watch is handed over by those who plan all sites.' using errcode = 'insufficient_privilege';
  end if;
end
$$;

-- When the watch began that ends now.
create function private.watch_began() returns timestamptz
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select max(w.signed_at) from public.watch_handovers w where w.signed_at > now() - interval '24 hours'),
    now() - interval '12 hours'
  );
$$;

-- What a watch leaves behind: seats and gaps as board and dashboard count them now, and what happened since p_from. Of
-- incidents only how many, because dispatchers read only their own reports. People are in it by their ids.
create function private.watch_facts(p_from timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  shown constant integer := 100;
begin
  return jsonb_build_object(
    'seats', (
      select g.counts from private.gravest_posts(now() - interval '12 hours', now() + interval '2 hours', null, null,
        null, null, null, null, null) g
    ),
    'coverage', (
      select jsonb_build_object('required', s.required, 'uncovered', s.uncovered, 'gaps_now', s.gaps_now,
        'gaps_next', s.gaps_next, 'next_required', s.next_required, 'next_missing', s.next_missing, 'gaps', (
          select coalesce(jsonb_agg(g.gap - 'late_guards' order by g.place), '[]')
          from jsonb_array_elements(s.gaps) with ordinality g (gap, place)
        ))
      from public.dashboard_start() s
    ),
    'incidents', (
      select jsonb_build_object('open', count(*) filter (where i.status in ('open', 'investigating')),
        'grave', count(*) filter (where i.status in ('open', 'investigating') and i.severity in ('high', 'critical')),
        'reported', count(*) filter (where i.created_at >= p_from))
      from public.incidents i where i.status in ('open', 'investigating') or i.created_at >= p_from
    ),
    'alerts', jsonb_build_object(
      'raised', (select count(*) from public.alerts l where l.raised_at >= p_from),
      'closed', (select count(*) from public.alerts l where l.closed_at >= p_from),
      'open', (
        select coalesce(jsonb_agg(to_jsonb(o) - 'danger' order by o.danger, o.raised_at, o.id), '[]')
        from (
          select l.id, l.kind, l.shift_id, l.user_id, l.site_id, t.name as site, l.raised_at,
            l.acknowledged_at is not null as is_acknowledged, public.danger(l) as danger
          from public.alerts l join public.sites t on t.id = l.site_id
          where l.closed_at is null order by public.danger(l), l.raised_at, l.id limit shown
        ) o
      )
    ),
    'service_calls', (
      select coalesce(jsonb_agg(to_jsonb(c) - 'weight' order by c.weight, c.received_at, c.id), '[]')
      from (
        select r.id, r.kind, r.priority, r.state, r.site_id, coalesce(t.name, r.address) as site, r.received_at,
          array_position(array['danger', 'urgent', 'routine'], r.priority) as weight, array(
            select u.call_sign from public.response_units u where u.call_id = r.id order by u.call_sign
          ) as units
        from public.service_calls r left join public.sites t on t.id = r.site_id
        where r.closed_at is null order by weight, r.received_at, r.id limit shown
      ) c
    ),
    'notes', (
      select coalesce(jsonb_agg(to_jsonb(n) order by n.is_pinned desc, n.at desc, n.id), '[]')
      from (
        select r.id, r.created_at as at, r.body, r.is_pinned, r.site_id, t.name as site, r.created_by as user_id
        from public.room_notes r left join public.sites t on t.id = r.site_id
        where r.created_at >= p_from or r.is_pinned order by r.is_pinned desc, r.created_at desc limit shown
      ) n
    ),
    'calls', (
      select coalesce(jsonb_agg(to_jsonb(c) order by c.at desc, c.id), '[]')
      from (
        select r.id, r.created_at as at, r.shift_id, r.site_id, t.name as site, r.user_id, r.result, r.note
        from public.replacement_calls r join public.sites t on t.id = r.site_id
        where r.created_at >= p_from order by r.created_at desc limit shown
      ) c
    ),
    'replacements', (
      select coalesce(jsonb_agg(to_jsonb(c) order by c.at desc, c.id), '[]')
      from (
        select a.id, a.created_at as at, a.shift_id, a.site_id, t.name as site, a.user_id, a.joins_at
        from public.assignments a
        join public.shifts s on s.id = a.shift_id
        join public.sites t on t.id = a.site_id
        where a.starts_at >= p_from - interval '24 hours' and a.created_at >= p_from and a.status <> 'cancelled'
          and (a.joins_at is not null or a.created_at > s.start_time)
        order by a.created_at desc limit shown
      ) c
    )
  );
end
$$;

-- The page of the watch that is not signed yet.
create function public.watch_draft() returns table (from_at timestamptz, facts jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_watch();
  return query select b.at, private.watch_facts(b.at) from private.watch_began() b (at);
end
$$;
grant execute on function public.watch_draft to authenticated;

-- Hands over the watch of the caller. Safe to repeat with the same id.
create function public.sign_watch(p_id uuid, p_remarks text default null) returns public.watch_handovers
language plpgsql security definer set search_path = '' as $$
declare
  handover public.watch_handovers;
  began timestamptz;
begin
  perform private.require_watch();
  -- Two at once would report the same hours.
  perform pg_advisory_xact_lock(hashtextextended('watch_handovers', 0));
  select * into handover from public.watch_handovers w where w.id = p_id;
  if found then
    if handover.signed_by is distinct from auth.uid() then
      raise exception 'This handover was signed by someone else.' using errcode = 'PT409';
    end if;
    return handover;
  end if;
  if char_length(p_remarks) > 4000 then
    raise exception 'The remarks must be at most 4,000 characters.' using errcode = 'invalid_parameter_value';
  end if;
  began := private.watch_began();
  insert into public.watch_handovers (id, from_at, facts, remarks, signed_by)
  values (p_id, began, private.watch_facts(began), nullif(btrim(p_remarks), ''), auth.uid())
  returning * into handover;
  return handover;
end
$$;
grant execute on function public.sign_watch to authenticated;

-- "I have read it", by another than who signed. Safe to repeat.
create function public.accept_watch(p_id uuid) returns public.watch_handovers
language plpgsql security definer set search_path = '' as $$
declare
  handover public.watch_handovers;
begin
  perform private.require_watch();
  select * into handover from public.watch_handovers w where w.id = p_id for update;
  if not found then
    raise exception 'There is no such handover.' using errcode = 'PT404';
  end if;
  if handover.accepted_by = auth.uid() then
    return handover;
  end if;
  if handover.accepted_at is not null then
    raise exception '% has already accepted this handover.',
      coalesce(private.name_of_person(handover.accepted_by), 'A former user') using errcode = 'PT409';
  end if;
  if handover.signed_by = auth.uid() then
    raise exception 'Who takes over accepts the handover, not who signed it.' using errcode = 'insufficient_privilege';
  end if;
  update public.watch_handovers w set accepted_at = now(), accepted_by = auth.uid() where w.id = p_id
  returning * into handover;
  return handover;
end
$$;
grant execute on function public.accept_watch to authenticated;

-- Adds a note below a signed handover, by anyone who reads it. Safe to repeat with the same id.
create function public.correct_watch(p_id uuid, p_handover_id uuid, p_body text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_watch();
  if not exists (select from public.watch_handovers w where w.id = p_handover_id) then
    raise exception 'There is no such handover.' using errcode = 'PT404';
  end if;
  if coalesce(btrim(p_body), '') = '' or char_length(p_body) > 2000 then
    raise exception 'A correction has 1 to 2,000 characters.' using errcode = 'invalid_parameter_value';
  end if;
  insert into public.watch_corrections (id, handover_id, body, created_by)
  values (p_id, p_handover_id, btrim(p_body), auth.uid()) on conflict (id) do nothing;
end
$$;
grant execute on function public.correct_watch to authenticated;
