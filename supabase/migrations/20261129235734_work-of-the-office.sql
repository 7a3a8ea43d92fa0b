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

CREATE OR REPLACE FUNCTION private.due_topics()
 RETURNS TABLE(topic text, kind text, roles text[], one text, many text, link text)
 LANGUAGE sql
 IMMUTABLE ROWS 6
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
    ('roster', 'roster', '{dispatcher,ops_manager}', 'The roster of next week is not published', null,
      '/admin/roster?gaps=open&week=%s');
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

grant execute on function private.pay_period(text,date) to authenticated;

grant execute on function public.office_work() to authenticated;

grant execute on function private.people_work(date) to authenticated;

grant execute on function private.money_work(date) to authenticated;

grant execute on function public.office_dates() to authenticated;
