-- What falls due by the calendar: one notice to the people whose work it is.

-- ── Tables ────────────────────────────────────────────────────────────

-- Due dates for which notices have been sent. A date that moves gets another notice.
create table private.told_dates (
  topic text not null,
  subject text not null,
  falls_on date not null,
  told_at timestamptz not null default now(),
  primary key (topic, subject, falls_on)
);
alter table private.told_dates enable row level security;

-- ── Functions ─────────────────────────────────────────────────────────

-- Days before its last day on which a contract falls due for a notice.
create function private.contract_ending_days() returns integer language sql immutable set search_path = '' return 60;

-- The day of the company, which begins at seven in the morning here: nobody is woken by a reminder.
create function private.reminder_date() returns date
language sql stable set search_path = '' return private.company_date_of(now() - interval '7 hours');

-- What is due: certificates about to end and just ended, contracts about to end, invoices and pay runs whose period is
-- over, VAT that nobody has confirmed, the next actions of enquiries, and the week to come while it has open seats and
-- is not published.
-- @returns one row each: its topic, what it is about, the person whom it concerns, the day, and a line of text
create function private.due_dates()
returns table (topic text, subject text, user_id uuid, falls_on date, line text)
language plpgsql stable security definer set search_path = '' as $$
declare
  today constant date := private.reminder_date();
  -- Monday of the week to come.
  week constant date := date_trunc('week', today)::date + 7;
  long_ago constant date := today - 60;
begin
  return query
  select case when e.ends_on < today then 'certificate_over' else 'certificate' end, e.id::text, e.user_id, e.ends_on,
    format('%s, %s', k.title, private.day_text(e.ends_on))
  from (
    select c.*, private.company_date_of(c.expires_at) as ends_on from public.certifications c
    where c.expires_at > now() - make_interval(days => private.expiring_days())
      and c.expires_at <= now() + make_interval(days => private.expiring_days())
  ) e
  join public.training_courses k on k.id = e.course_id
  join public.profiles p on p.id = e.user_id and (p.left_on is null or p.left_on >= today)
  where not exists (
    select from public.certifications n
    where n.user_id = e.user_id and n.course_id = e.course_id and n.expires_at > e.expires_at
  );

  return query
  select 'contract', c.id::text, null::uuid, c.ends_on,
    format('%s: %s, last day %s', k.name, c.title, private.day_text(c.ends_on))
  from public.contracts c
  join public.clients k on k.id = c.client_id
  where c.ends_on between today and today + private.contract_ending_days();

  return query
  select 'billing', format('%s:%s', d.contract_id, d.first), null::uuid, d.due_on,
    format('%s: %s, %s', k.name, d.title, private.period_text(d.first, d.last))
  from private.billing_due(today, null) d
  join public.clients k on k.id = d.client_id
  where d.state = 'due';

  return query
  select 'pay_run', format('%s:%s', s.payment_frequency, s.currency), null::uuid, t.period_end + 1,
    format('%s, %s: %s', initcap(s.payment_frequency), s.currency, private.period_text(t.period_start, t.period_end))
  from public.timesheets t
  join public.staff s on s.user_id = t.user_id
  where t.period_end >= long_ago and t.period_end < today
    and not exists (
      select from public.pay_runs r
      where r.status <> 'void' and r.pay_group = s.payment_frequency and r.currency = s.currency
        and daterange(r.period_start, r.period_end, '[]') && daterange(t.period_start, t.period_end, '[]')
    )
  group by s.payment_frequency, s.currency, t.period_start, t.period_end;

  -- VAT that begins within a month, or has begun, while nobody has said whether the company is registered.
  return query
  select 'vat', x.name, null::uuid, x.effective_from, format('%s of %s%% from %s', x.name, trim_scale(x.rate * 100),
    private.day_text(x.effective_from))
  from (
    select p.name, p.rate, p.effective_from from public.rate_proposals p where p.kind = 'tax'
    union all
    select t.name, t.rate, t.effective_from from public.tax_rates t
  ) x
  where x.name = private.vat_name() and x.effective_from between long_ago and today + 31
    and not exists (select from public.vat_registrations)
    and not exists (select from public.setup_marks m where m.step = 'vat' and m.mark = 'confirmed');

  -- The owner's own; those of nobody are for all who answer enquiries.
  return query
  select case when m.owner_id is null then 'enquiry' else 'own_enquiry' end, m.id::text, m.owner_id, m.next_action_on,
    format('%s: %s', coalesce(m.company, m.name), m.next_action)
  from public.contact_messages m
  where m.next_action_on between long_ago and today;

  return query
  select 'roster', 'week', null::uuid, week, format('%s of %s seats of the week from %s are open.',
    sum(s.open), sum(s.needed), private.day_text(week))
  from (
    select h.required_headcount as needed, greatest(h.required_headcount - (
      select count(*) from public.assignments a where a.shift_id = h.id and a.counts_as_staffed
    ), 0) as open
    from public.shifts h
    where h.start_time >= private.company_midnight(week) and h.start_time < private.company_midnight(week + 7)
  ) s
  where not exists (select from public.roster_periods r where r.starts_on = week and r.state = 'published')
  having sum(s.open) > 0;
end
$$;

-- Whose work each topic is, the title of its notice, and the screen to which it leads.
create function private.due_topics()
returns table (topic text, kind text, roles text[], one text, many text, link text)
language sql immutable rows 8 set search_path = '' as $$
  values
    ('certificate', 'certificate', '{hr}'::text[], 'A certificate ends within 30 days',
      '%s certificates end within 30 days', '/admin/certifications?state=expiring'),
    ('certificate_over', 'certificate', '{hr,ops_manager}', 'A certificate has ended',
      '%s certificates have ended', '/admin/certifications?state=expired'),
    ('contract', 'contract', '{finance,ops_manager}', 'A contract ends soon', '%s contracts end soon',
      '/admin/contracts'),
    ('billing', 'billing', '{finance}', 'An invoice is due', 'Invoices are due: %s', '/admin/invoices'),
    ('pay_run', 'pay_run', '{finance}', 'A pay run is due', 'Pay runs are due: %s', '/admin/payruns'),
    ('vat', 'billing', '{finance}', 'VAT begins: confirm the registration and the rate', null, '/admin/invoices/vat'),
    ('enquiry', 'enquiry', '{ops_manager}', 'An enquiry needs its next step', '%s enquiries need their next step',
      '/admin/enquiries'),
    ('roster', 'roster', '{dispatcher,ops_manager}', 'The roster of next week is not published', null,
      '/admin/roster?gaps=open&week=%s');
$$;

-- Sends one notice a topic to the holders of its roles, guards one for each certificate of their own, and the owner of
-- an enquiry one for its next action. A job: with private.told_dates, a run after days without a server sends what was
-- missed, once.
-- @returns how many notices
create function private.tell_of_due_dates() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  shown constant integer := 15;
  sent integer;
begin
  with due as materialized (
    select d.*, row_number() over (partition by d.topic order by d.falls_on, d.line) as place
    from private.due_dates() d
    where not exists (
      select from private.told_dates t
      where t.topic = d.topic and t.subject = d.subject and t.falls_on = d.falls_on
    )
  ),
  told as (
    insert into private.told_dates (topic, subject, falls_on)
    select distinct d.topic, d.subject, d.falls_on from due d order by 1, 2, 3 on conflict do nothing
  ),
  lists as (
    select d.topic, count(*) as things, min(d.falls_on) as first_on,
      string_agg(coalesce(private.name_of_person(d.user_id) || ': ', '') || d.line, e'\n' order by d.place)
        filter (where d.place <= shown)
        || case when count(*) > shown then format(e'\nand %s more', count(*) - shown) else '' end as body
    from due d group by d.topic
  ),
  messages as (
    select r.user_id, l.topic, t.kind, case when l.things = 1 then t.one else format(t.many, l.things) end as title,
      l.body, format(t.link, l.first_on) as link
    from lists l
    join private.due_topics() t on t.topic = l.topic
    cross join lateral private.holders_of(t.roles) r
    union all
    select d.user_id, d.topic || ':' || d.subject, 'certificate',
      case when d.topic = 'certificate' then 'A certificate of yours ends soon' else 'A certificate of yours has ended'
      end, d.line || e'\nAsk the office to renew it.', '/staff/me'
    from due d where d.topic in ('certificate', 'certificate_over')
    union all
    select d.user_id, 'own_enquiry:' || d.subject, 'enquiry', 'The next step of an enquiry is yours', d.line,
      '/admin/enquiries?open=' || d.subject
    from due d where d.topic = 'own_enquiry'
    -- In order, so that two at once never deadlock.
    order by 1, 2
  )
  select count(private.notify(m.user_id, m.kind, m.title, m.body, m.link,
    format('due:%s:%s:%s', m.topic, pg_current_xact_id(), m.user_id)))
  into sent from messages m;
  return sent;
end
$$;

-- Those who have one of the roles for the whole company; without any, the admins.
create function private.holders_of(p_roles text[]) returns table (user_id uuid)
language sql stable security definer set search_path = '' as $$
  with holders as materialized (
    select distinct r.user_id from public.user_roles r where r.role = any (p_roles) and r.site_id is null
  )
  select h.user_id from holders h
  union all
  select distinct r.user_id from public.user_roles r where r.role = 'admin' and not exists (select from holders);
$$;
