-- What each role of the office has to do: what waits for a decision, and what falls due.

-- ── Functions ─────────────────────────────────────────────────────────

-- What waits for the caller, a row for each kind of work that the caller's roles do, also when nothing of it waits.
-- Runs as the caller and counts as the screens list: web/features/platform/dashboard/work.ts names them.
-- @returns urgent: how many of them should not wait
create function public.office_work()
returns table (item text, amount integer, urgent integer)
language plpgsql stable set search_path = '' as $$
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
  if private.has_role('admin', 'ops_manager', 'dispatcher') then
    return query
    select 'calls', count(*)::integer, count(*) filter (where c.answered_at is null)::integer
    from public.service_calls c where c.closed_at is null;
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
$$;
grant execute on function public.office_work to authenticated;

-- Of those who manage people. Runs as the caller.
create function private.people_work(p_today date)
returns table (item text, amount integer, urgent integer)
language plpgsql stable set search_path = '' as $$
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
$$;
grant execute on function private.people_work to authenticated;

-- Of those who pay and bill. Runs as the caller.
create function private.money_work(p_today date)
returns table (item text, amount integer, urgent integer)
language plpgsql stable set search_path = '' as $$
begin
  return query select 'without_pay', count(*)::integer, 0 from public.people_without_pay();
  return query
  select 'adjustments', count(*)::integer, 0 from public.pay_adjustments j where j.status = 'to_decide';
  return query
  select r.item, count(p.id)::integer, 0
  from (values ('pay_runs_in_review', 'in_review'), ('pay_runs_calculated', 'calculated')) r (item, status)
  left join public.pay_runs p on p.status = r.status group by r.item;
  return query select 'rates', count(*)::integer, 0 from public.rate_proposals;
  return query select 'contracts_losing', public.count_losing_contracts(), 0;
  return query
  select 'pay_returns', count(*)::integer, count(*) filter (where p_today > r.due_on)::integer
  from public.pay_returns_to_file() r;
  return query select 'tax_numbers', count(*)::integer, 0 from public.missing_tax_numbers();
  return query select 'pay_accounts', count(*)::integer, 0 from public.pay_accounts a where a.verified_at is null;
  return query select 'refunds', count(*)::integer, 0 from public.refunds f where f.status = 'asked';
  return query
  select i.item, i.amount::integer, 0
  from (
    select count(*) filter (where v.status = 'draft') as drafts,
      count(*) filter (where v.due_on < p_today and v.open_amount > 0) as overdue
    from public.invoices v
  ) s
  cross join lateral (values ('invoices_draft', s.drafts), ('invoices_overdue', s.overdue)) i (item, amount);
end
$$;
grant execute on function private.money_work to authenticated;

-- What falls due by the calendar and is work of the caller, in the words of its notice. Certificates are left out:
-- public.office_work counts them as their list does. Definer, because it computes for everybody and is then reduced to
-- the caller's topics.
create function public.office_dates()
returns table (topic text, title text, first_on date, link text)
language plpgsql stable security definer set search_path = '' as $$
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
$$;
grant execute on function public.office_dates to authenticated;
