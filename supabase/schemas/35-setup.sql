-- Setting up a new company: which steps are done, and what admins have confirmed or left for later.

-- ── Tables ────────────────────────────────────────────────────────────

-- Steps of the setup guide that an admin has confirmed, or left for later. Which steps there are: private.setup_steps.
create table public.setup_marks (
  id uuid default gen_random_uuid() primary key,
  step text not null unique
    check (step in ('company', 'clients', 'sites', 'guards', 'posts', 'roster_rules', 'roster', 'time_rules',
      'contracts', 'vat', 'pay_rules', 'bank_formats', 'office', 'messages', 'backup')),
  mark text not null check (mark in ('confirmed', 'later')),
  marked_by uuid default auth.uid() references public.profiles on delete set null,
  marked_at timestamptz not null default now(),
  -- The other steps are done by their data alone.
  constraint setup_marks_confirm_settings check (
    mark = 'later'
    or step in ('company', 'roster_rules', 'time_rules', 'vat', 'pay_rules', 'bank_formats', 'messages', 'backup')
  )
);
create index setup_marks_marked_by_idx on public.setup_marks (marked_by);
-- Triggers, in the order in which they fire:
select private.keep_history_of('public.setup_marks');
alter table public.setup_marks enable row level security;
grant select on public.setup_marks to authenticated;
create policy "Admins read how far the setup is" on public.setup_marks
  for select to authenticated using ((select private.has_role('admin')));

-- ── Functions ─────────────────────────────────────────────────────────

-- The steps in their order: how much there is of each, and whether that is enough. Rules that came with the product
-- count as seen when a version was added, or when they have been used.
create function private.setup_steps() returns table (place integer, step text, done boolean, count bigint)
language sql stable security definer set search_path = '' as $$
  select s.place, s.step,
    s.count >= s.enough or exists (
      select from public.setup_marks m where m.step = s.step and m.mark = 'confirmed'
    ), s.count
  from (values
    (1, 'company', 1, 0),
    (2, 'clients', 1, (select count(*) from public.clients)),
    (3, 'sites', 1, (select count(*) from public.sites)),
    (4, 'guards', 1, (select count(distinct r.user_id) from public.user_roles r where r.role = 'guard')),
    (5, 'posts', 1, (
      select count(*) from public.posts p
      where exists (select from public.post_requirements r where r.post_id = p.id)
    )),
    (6, 'roster_rules', 2, (select count(*) from public.rule_sets)),
    (7, 'roster', 1, (select count(*) from public.roster_periods p where p.publications > 0)),
    (8, 'time_rules', 2, (select count(*) from public.time_rules)),
    (9, 'contracts', 1, (select count(*) from public.contracts)),
    (10, 'vat', 1, (select count(*) from public.vat_registrations)),
    (11, 'pay_rules', 1, (select count(*) from public.pay_runs p where p.status in ('locked', 'paid'))),
    (12, 'bank_formats', 1, (select count(*) from public.payment_files)),
    (13, 'office', 2, (select count(distinct r.user_id) from public.user_roles r where r.role <> 'guard')),
    (14, 'messages', 1, 0),
    (15, 'backup', 1, (select count(p.backed_up_at) from private.settings p))
  ) s (place, step, enough, count);
$$;

-- How far the setup is: first, until a guard has a shift; open, while a step is neither done nor left for later;
-- otherwise null, as for everyone but admins.
create function private.setup_phase() returns text
language sql stable security definer set search_path = '' as $$
  select case
    when not private.has_role('admin') then null
    when not exists (
      select from private.setup_steps() s
      where not s.done and not exists (select from public.setup_marks m where m.step = s.step)
    ) then null
    when exists (select from public.assignments) then 'open'
    else 'first'
  end;
$$;
grant execute on function private.setup_phase to authenticated;

create function public.setup_state()
returns table (step text, done boolean, count bigint, mark text, marked_by text, marked_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
  select s.step, s.done, s.count, m.mark, private.name_of_person(m.marked_by), m.marked_at
  from private.setup_steps() s
  left join public.setup_marks m on m.step = s.step
  order by s.place;
end
$$;
comment on function public.setup_state is 'Nullable: mark, marked_by, marked_at';
grant execute on function public.setup_state to authenticated;

-- Confirms a step or leaves it for later; null takes the mark back.
create function public.mark_setup_step(p_step text, p_mark text default null) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if not exists (select from private.setup_steps() s where s.step = p_step) then
    raise exception 'The setup has no such step.' using errcode = 'invalid_parameter_value';
  end if;
  if p_mark is null then
    delete from public.setup_marks m where m.step = p_step;
    return;
  end if;
  insert into public.setup_marks as m (step, mark) values (p_step, p_mark)
  on conflict (step) do update set mark = excluded.mark, marked_by = excluded.marked_by, marked_at = excluded.marked_at
  where m.mark <> excluded.mark;
end
$$;
grant execute on function public.mark_setup_step to authenticated;

-- Sends the caller a message in every way that reaches them, at most one a minute.
create function public.send_test_message() returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.notify(auth.uid(), 'test', 'Test message', 'Messages of the company reach you this way.',
    '/admin/system', 'test:' || auth.uid() || to_char(now(), ':YYYYMMDDHH24MI'));
  perform private.send_at_once(array[auth.uid()]);
end
$$;
grant execute on function public.send_test_message to authenticated;

-- What became of the caller's last test message in each way. An obstacle says why a way is not used: no_gateway,
-- no_address, or off in the caller's notice settings.
create function public.test_message_state()
returns table (channel text, obstacle text, state text, at timestamptz, problem text)
language plpgsql stable security definer set search_path = '' as $$
declare
  last_test uuid;
begin
  perform private.require_admin();
  select n.id into last_test from public.notices n
  where n.user_id = auth.uid() and n.kind = 'test' order by n.created_at desc limit 1;
  return query
  select way.channel, way.obstacle, d.state, coalesce(d.sent_at, d.created_at), d.last_error
  from public.profiles p
  cross join private.settings s
  left join private.notice_settings w on w.user_id = p.id
  cross join lateral (values
    ('email', case when p.email is null then 'no_address' when not coalesce(w.email, true) then 'off' end),
    ('sms', case when not s.text_messages then 'no_gateway' when p.phone is null then 'no_address'
      when not coalesce(w.sms, false) then 'off' end)
  ) way (channel, obstacle)
  left join lateral (
    select * from private.notice_deliveries d
    where d.user_id = p.id and d.channel = way.channel and last_test = any (d.notice_ids)
    order by d.created_at desc limit 1
  ) d on true
  where p.id = auth.uid();
end
$$;
comment on function public.test_message_state is 'Nullable: obstacle, state, at, problem';
grant execute on function public.test_message_state to authenticated;
