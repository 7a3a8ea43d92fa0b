create or replace FUNCTION public.dashboard_start(p_hours integer DEFAULT 12)
 RETURNS TABLE(required integer, on_post integer, late integer, missing integer, uncovered integer, next_required integer, next_missing integer, gaps_now integer, gaps_next integer, gaps jsonb, leave_pending integer, leave_soon integer, attendance_to_review integer, forgotten_clock_outs integer, new_enquiries integer, expired_certificates integer, expiring_certificates integer, setup text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  ahead constant interval := make_interval(hours => least(greatest(coalesce(p_hours, 12), 1), 72));
  -- Rows of each list; the counts tell how many there are in all.
  shown constant integer := 6;
  earliest constant timestamptz := private.first_start(now());
  last_join constant timestamptz := private.last_join(now() + ahead);
  today constant date := private.company_date();
begin
  if not private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher') and private.supervised_sites() = '{}' then
    raise exception 'Coverage is for those who plan shifts.' using errcode = 'insufficient_privilege';
  end if;

  with shift as materialized (
    select s.id, s.site_id, s.start_time, s.end_time, s.required_headcount as needed,
      s.start_time <= now() as is_running
    from public.shifts s
    where s.start_time >= earliest and s.start_time <= now() + ahead and s.end_time > now()
  ),
  work as materialized (
    -- An assignment starts with its shift, or later in it, when a replacement joins.
    select a.shift_id, count(*) filter (where a.counts_as_staffed)::integer as assigned,
      count(*) filter (where a.attendance_state = 'in')::integer as present,
      count(*) filter (where e.awaited <= now())::integer as late,
      count(*) filter (where e.awaited <= now() - make_interval(mins => t.alert_after_minutes))::integer as gone,
      -- On the way: replacements who join later.
      count(*) filter (where e.awaited > now())::integer as coming
    from public.assignments a
    join public.sites t on t.id = a.site_id
    cross join lateral (
      select case when a.counts_as_staffed and a.attendance_state = 'none'
        then private.expected_at(a.starts_at, a.created_at) end as awaited
    ) e
    where a.starts_at >= earliest and a.starts_at < last_join and upper(a.period) > now()
      and a.status <> 'cancelled'
    group by a.shift_id
  ),
  post as materialized (
    select s.*, coalesce(w.assigned, 0) as assigned, coalesce(w.present, 0) as present, coalesce(w.late, 0) as late,
      coalesce(w.gone, 0) as gone,
      greatest(s.needed - case when s.is_running then coalesce(w.present + w.late + w.coming, 0)
        else coalesce(w.assigned, 0) end, 0)
        as missing
    from shift s
    left join work w on w.shift_id = s.id
  ),
  gap as (
    select p.*, row_number() over (
      partition by p.is_running order by (p.missing > 0) desc, p.start_time, p.missing desc, p.id
    ) as place
    from post p
    where p.missing > 0 or p.is_running and p.late > 0
  ),
  listed as (
    select g.*, t.name as site_name, t.client_name, t.timezone, (
      select coalesce(jsonb_agg(coalesce(nullif(p.full_name, ''), p.email) order by p.full_name), '[]')
      from public.assignments a join public.profiles p on p.id = a.user_id
      where a.shift_id = g.id and g.is_running and a.counts_as_staffed and a.attendance_state = 'none'
        and private.expected_at(a.starts_at, a.created_at) <= now()
    ) as late_guards
    from gap g join public.sites t on t.id = g.site_id
    where g.place <= shown
  )
  select coalesce(sum(p.needed) filter (where p.is_running), 0),
    coalesce(sum(p.present) filter (where p.is_running), 0),
    coalesce(sum(p.late - p.gone) filter (where p.is_running), 0),
    coalesce(sum(p.gone) filter (where p.is_running), 0),
    coalesce(sum(p.missing) filter (where p.is_running), 0),
    coalesce(sum(p.needed) filter (where not p.is_running), 0),
    coalesce(sum(p.missing) filter (where not p.is_running), 0),
    (select count(*) from gap g where g.is_running),
    (select count(*) from gap g where not g.is_running),
    (select coalesce(jsonb_agg(jsonb_build_object(
        'id', l.id, 'site_name', l.site_name, 'client_name', l.client_name, 'timezone', l.timezone,
        'start_time', l.start_time, 'end_time', l.end_time, 'is_running', l.is_running,
        'required', l.needed, 'missing', l.missing, 'late', l.late, 'late_guards', l.late_guards
      ) order by l.is_running desc, l.place), '[]')
      from listed l)
  into required, on_post, late, missing, uncovered, next_required, next_missing, gaps_now, gaps_next, gaps from post p;

  select count(*) into attendance_to_review from public.attendance r where r.needs_review;
  select count(*) into forgotten_clock_outs
  from public.attendance r join public.assignments a on a.id = r.assignment_id
  where r.clock_out_at is null and upper(a.period) <= now() - private.clock_out_grace();

  if private.has_role('admin', 'ops_manager') then
    select count(*), count(*) filter (where l.start_date <= today + 3)
    into leave_pending, leave_soon from public.leave_requests l where l.status = 'pending';
    select count(*) into new_enquiries from public.contact_messages m where m.state = 'new';
    select count(*) filter (where c.expires_at < now()), count(*) filter (where c.expires_at >= now())
    into expired_certificates, expiring_certificates
    from public.certifications c where c.expires_at <= now() + make_interval(days => private.expiring_days());
  end if;
  setup := private.setup_phase();
  return next;
end
$function$;

create or replace FUNCTION private.tell_of_due_dates()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    -- In order, so that two at once never deadlock.
    order by 1, 2
  )
  select count(private.notify(m.user_id, m.kind, m.title, m.body, m.link,
    format('due:%s:%s:%s', m.topic, pg_current_xact_id(), m.user_id)))
  into sent from messages m;
  return sent;
end
$function$;

create table public.watch_handovers ();

create table public.watch_corrections ();

alter table public.watch_handovers add column from_at timestamp with time zone not null;

alter table public.watch_handovers add column facts jsonb not null;

alter table public.watch_handovers add column remarks text;

alter table public.watch_handovers add column accepted_at timestamp with time zone;

alter table public.watch_handovers add column accepted_by uuid;

alter table public.watch_handovers add column id uuid default gen_random_uuid() not null;

alter table public.watch_handovers add column signed_at timestamp with time zone default now() not null;

alter table public.watch_handovers add column signed_by uuid default auth.uid();

alter table public.watch_corrections add column handover_id uuid not null;

alter table public.watch_corrections add column body text not null;

alter table public.watch_corrections add column id uuid default gen_random_uuid() not null;

alter table public.watch_corrections add column created_by uuid default auth.uid();

alter table public.watch_corrections add column created_at timestamp with time zone default now() not null;

CREATE OR REPLACE FUNCTION private.due_topics()
 RETURNS TABLE(topic text, kind text, roles text[], one text, many text, link text)
 LANGUAGE sql
 IMMUTABLE ROWS 7
 SET search_path TO ''
AS $function$
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
    ('roster', 'roster', '{dispatcher,ops_manager}', 'The roster of next week is not published', null,
      '/admin/roster?gaps=open&week=%s');
$function$;

CREATE OR REPLACE FUNCTION private.require_watch()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher') then
    raise exception 'The watch is handed over by those who plan all sites.' using errcode = 'insufficient_privilege';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.watch_began()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(
    (select max(w.signed_at) from public.watch_handovers w where w.signed_at > now() - interval '24 hours'),
    now() - interval '12 hours'
  );
$function$;

CREATE OR REPLACE FUNCTION private.watch_facts(p_from timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.office_work()
 RETURNS TABLE(item text, amount integer, urgent integer)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  today constant date := private.company_date();
  oversees constant boolean := private.has_role('admin', 'ops_manager', 'supervisor')
    or private.supervised_sites() <> '{}';
  plans constant boolean := oversees or private.has_role('dispatcher');
  manages_people constant boolean := private.has_role('admin', 'ops_manager', 'hr');
  has_money constant boolean := private.has_role('admin', 'finance');
begin
  if not (plans or manages_people or has_money) then
    raise exception 'The work of the office is for those who do it.' using errcode = 'insufficient_privilege';
  end if;
  if plans then
    return query
    select 'alerts', count(*)::integer, count(*) filter (where l.acknowledged_at is null)::integer
    from public.alerts l where l.closed_at is null;
    return query select 'requests', public.offers_waiting(), 0;
  end if;
  if private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher') then
    return query
    select 'watch', count(*)::integer, 0 from public.watch_handovers w
    where w.accepted_at is null and w.signed_by is distinct from auth.uid();
  end if;
  if oversees then
    return query
    select i.* from public.incident_work() w cross join lateral (values
      ('incidents_overdue', w.overdue, 0), ('incidents_mine', w.mine, 0),
      ('incidents_unowned', w.unowned, w.unowned_grave)
    ) i;
  end if;
  if oversees or private.has_role('hr') then
    return query select 'attendance_review', count(*)::integer, 0 from public.attendance r where r.needs_review;
    return query
    select 'forgotten_clock_outs', count(*)::integer, 0
    from public.attendance r join public.assignments a on a.id = r.assignment_id
    where r.clock_out_at is null and upper(a.period) <= now() - private.clock_out_grace();
  end if;
  if private.may_approve_time(private.supervised_sites()) then
    return query
    select m.item, count(f.*)::integer, 0
    from (values
      ('timesheets', private.pay_period('monthly', today)),
      ('timesheets_before', private.pay_period('monthly', (today - interval '1 month')::date))
    ) m (item, days)
    left join lateral private.find_timesheets(lower(m.days), upper(m.days) - 1, null, null, null, null, 'issues') f
      on true
    group by m.item;
  end if;
  if manages_people then
    return query select * from private.people_work(today);
  end if;
  if has_money then
    return query select * from private.money_work(today);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.people_work(p_today date)
 RETURNS TABLE(item text, amount integer, urgent integer)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query
  select 'leave', count(*)::integer, count(*) filter (where l.start_date <= p_today + 3)::integer
  from public.leave_requests l where l.status = 'pending';
  return query
  select 'on_leave', count(*)::integer, 0
  from public.leave_requests l
  where l.status = 'approved' and l.start_date <= p_today + 6 and l.end_date >= p_today;
  return query
  select c.item, c.amount::integer, 0
  from (select sum(t.expired) as expired, sum(t.expiring) as expiring from public.certification_totals() t) s
  cross join lateral (values
    ('certificates_expired', coalesce(s.expired, 0)), ('certificates_expiring', coalesce(s.expiring, 0))
  ) c (item, amount);
  return query select 'leaving', count(*)::integer, 0 from public.people_list p where p.state = 'leaving';
  if private.has_role('admin', 'ops_manager') then
    return query select 'enquiries', count(*)::integer, 0 from public.contact_messages m where m.state = 'new';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.money_work(p_today date)
 RETURNS TABLE(item text, amount integer, urgent integer)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return query select 'without_pay', count(*)::integer, 0 from public.people_without_pay();
  return query
  select 'adjustments', count(*)::integer, 0 from public.pay_adjustments j where j.status = 'to_decide';
  return query
  select r.item, count(p.id)::integer, 0
  from (values ('pay_runs_in_review', 'in_review'), ('pay_runs_calculated', 'calculated')) r (item, status)
  left join public.pay_runs p on p.status = r.status group by r.item;
  return query select 'rates', count(*)::integer, 0 from public.rate_proposals;
  return query select 'pay_accounts', count(*)::integer, 0 from public.pay_accounts a where a.verified_at is null;
  return query
  select i.item, i.amount::integer, 0
  from (
    select count(*) filter (where v.status = 'draft') as drafts,
      count(*) filter (where v.due_on < p_today and v.open_amount > 0) as overdue
    from public.invoices v
  ) s
  cross join lateral (values ('invoices_draft', s.drafts), ('invoices_overdue', s.overdue)) i (item, amount);
end
$function$;

CREATE OR REPLACE FUNCTION public.office_dates()
 RETURNS TABLE(topic text, title text, first_on date, link text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.has_role('admin', 'ops_manager', 'dispatcher', 'finance') then
    return;
  end if;
  return query
  select t.topic, case when d.things = 1 then t.one else format(coalesce(t.many, t.one), d.things) end,
    d.first_on, format(t.link, d.first_on)
  from (
    select e.topic, count(*) as things, min(e.falls_on) as first_on from private.due_dates() e group by e.topic
  ) d
  join private.due_topics() t on t.topic = d.topic
  where t.kind <> 'certificate' and private.has_role(variadic t.roles || '{admin}'::text[])
  order by d.first_on, t.topic;
end
$function$;



CREATE OR REPLACE FUNCTION public.watch_draft()
 RETURNS TABLE(from_at timestamp with time zone, facts jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_watch();
  return query select b.at, private.watch_facts(b.at) from private.watch_began() b (at);
end
$function$;

CREATE OR REPLACE FUNCTION public.sign_watch(p_id uuid, p_remarks text DEFAULT NULL::text)
 RETURNS public.watch_handovers
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.accept_watch(p_id uuid)
 RETURNS public.watch_handovers
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.correct_watch(p_id uuid, p_handover_id uuid, p_body text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
$function$;

alter table public.watch_handovers add constraint watch_handovers_facts_check CHECK ((jsonb_typeof(facts) = 'object'::text));

alter table public.watch_handovers add constraint watch_handovers_remarks_check CHECK ((char_length(remarks) <= 4000));

alter table public.watch_handovers add constraint watch_handovers_in_order CHECK (((from_at <= signed_at) AND (accepted_at >= signed_at)));

alter table public.watch_handovers add constraint watch_handovers_pkey PRIMARY KEY (id);

alter table public.watch_handovers add constraint watch_handovers_signed_by_fkey FOREIGN KEY (signed_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

alter table public.watch_handovers add constraint watch_handovers_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

alter table public.watch_corrections add constraint watch_corrections_body_check CHECK (((char_length(body) >= 1) AND (char_length(body) <= 2000)));

alter table public.watch_corrections add constraint watch_corrections_pkey PRIMARY KEY (id);

alter table public.watch_corrections add constraint watch_corrections_handover_id_fkey FOREIGN KEY (handover_id) REFERENCES public.watch_handovers(id) ON DELETE CASCADE;

alter table public.watch_corrections add constraint watch_corrections_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

CREATE INDEX watch_corrections_created_by_idx ON public.watch_corrections USING btree (created_by);

CREATE INDEX watch_handovers_signed_by_idx ON public.watch_handovers USING btree (signed_by);

CREATE INDEX watch_handovers_accepted_by_idx ON public.watch_handovers USING btree (accepted_by) WHERE (accepted_by IS NOT NULL);

CREATE INDEX watch_corrections_handover_id_idx ON public.watch_corrections USING btree (handover_id, created_at);

CREATE INDEX watch_handovers_signed_at_idx ON public.watch_handovers USING btree (signed_at DESC);

select private.tidy_texts_of('public.watch_handovers', 'remarks');

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.watch_handovers REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.watch_handovers REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.watch_handovers REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

select private.tidy_texts_of('public.watch_corrections', 'body');

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.watch_corrections REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.watch_corrections REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.watch_corrections REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

create policy "Planners of all sites read the handovers of the watch" on public.watch_handovers for select to authenticated using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'ops_manager'::text, 'supervisor'::text, 'dispatcher'::text]) AS has_role));

create policy "Planners of all sites read corrections of handovers" on public.watch_corrections for select to authenticated using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'ops_manager'::text, 'supervisor'::text, 'dispatcher'::text]) AS has_role));

alter table public.watch_handovers enable row level security;

alter table public.watch_corrections enable row level security;

alter table public.watch_handovers replica identity full;

alter table public.watch_corrections replica identity full;

alter publication supabase_realtime add table public.watch_handovers;

alter publication supabase_realtime add table public.watch_corrections;

grant SELECT on public.watch_handovers to authenticated;

grant all on public.watch_handovers to service_role;

grant SELECT on public.watch_corrections to authenticated;

grant all on public.watch_corrections to service_role;

grant execute on function private.pay_period(text,date) to authenticated;

grant execute on function public.office_work() to authenticated;

grant execute on function private.people_work(date) to authenticated;

grant execute on function private.money_work(date) to authenticated;

grant execute on function public.office_dates() to authenticated;

grant execute on function public.watch_draft() to authenticated;

grant execute on function public.sign_watch(uuid,text) to authenticated;

grant execute on function public.accept_watch(uuid) to authenticated;

grant execute on function public.correct_watch(uuid,uuid,text) to authenticated;

comment on column public.watch_handovers.from_at is 'The handover before, or 12 hours ago without one in the last 24';

comment on column public.watch_handovers.facts is 'What private.watch_facts found at the time of signing. People are in it by their ids';

comment on column public.watch_handovers.accepted_at is 'Null while nobody has read it';

insert into private.personal_data ("texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure") select "texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure" from jsonb_populate_record(null::private.personal_data, '{"texts": ["body"], "newest": "1", "target": "public.watch_corrections", "belongs": "r.created_by = $1", "blanked": [], "withheld": null, "is_shared": true, "on_erasure": "keep"}');

insert into private.personal_data ("texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure") select "texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure" from jsonb_populate_record(null::private.personal_data, '{"texts": ["remarks", "facts"], "newest": "1", "target": "public.watch_handovers", "belongs": "$1 in (r.signed_by, r.accepted_by)", "blanked": [], "withheld": null, "is_shared": true, "on_erasure": "keep"}');

insert into private.retention_parts ("age","due","key","kind","target","blanked","is_quiet","position","stripped") select "age","due","key","kind","target","blanked","is_quiet","position","stripped" from jsonb_populate_record(null::private.retention_parts, '{"age": "r.signed_at", "due": "r.signed_at < $1", "key": "id", "kind": "duty_notes", "target": "public.watch_handovers", "blanked": null, "is_quiet": false, "position": 5, "stripped": null}');

create or replace FUNCTION private.delivery_statement(p_call text, p_values jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  names text[] := array(select jsonb_object_keys(p_values));
  listed text;
  passed text;
begin
  if p_call = any (array['incidents', 'report_notes', 'leave_requests', 'timesheet_disputes']) then
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into listed
    from pg_catalog.pg_attribute a
    where a.attrelid = ('public.' || p_call)::regclass and a.attnum > 0 and not a.attisdropped
      and a.attname = any (names);
    return format('insert into public.%1$I (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)
      on conflict (id) do nothing', p_call, listed);
  end if;
  if p_call = any (array['record_clock_event', 'raise_sos', 'cancel_sos', 'answer_welfare_check', 'answer_assignment',
    'confirm_post_orders', 'record_muster', 'mark_no_show', 'undo_no_show', 'leave_note', 'take_over', 'answer_offer',
    'record_scans', 'confirm_announcement', 'report_duty_notice', 'withdraw_duty_notice'])
  then
    select string_agg(format('%I %s', a.name, format_type(a.type, null)), ', '),
      string_agg(format('%1$I => x.%1$I', a.name), ', ')
    into listed, passed
    from pg_catalog.pg_proc p, unnest(p.proargnames[:p.pronargs], p.proargtypes::oid[]) a (name, type)
    where p.pronamespace = 'public'::regnamespace and p.proname = p_call and a.name = any (names);
    return format('select from jsonb_to_record($1) x (%s), public.%I(%s)', listed, p_call, passed);
  end if;
  raise exception 'This can''t be delivered without signing in.' using errcode = 'PT403';
end
$function$;
