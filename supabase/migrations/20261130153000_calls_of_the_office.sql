-- Open calls for service are part of what waits for the office.
create or replace function public.office_work()
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
