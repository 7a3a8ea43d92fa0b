-- Locking a run makes its figures final: payroll records, repayments and timesheets follow, and people see their payslips.
-- Voiding takes that back, until the first payment.

-- "October 2026", or "Nov 2 to Nov 15, 2026"
create function private.period_text(p_first date, p_last date) returns text
language sql immutable set search_path = ''
return case when extract(day from p_first) = 1 and p_last = (p_first + interval '1 month - 1 day')::date
  then to_char(p_first, 'FMMonth YYYY')
  else to_char(p_first, 'Mon FMDD') || ' to ' || to_char(p_last, 'Mon FMDD, YYYY') end;

-- The specified payroll records: base is salary, hours and shifts; bonuses are the other amounts that are added;
-- deductions are all that is taken.
create function private.write_payroll(p_run public.pay_runs) returns void
language sql set search_path = '' as $$
  with days as materialized (
    select b.staff_id, bool_or((b.payment_frequency, b.currency) <> (p_run.pay_group, p_run.currency)) as is_mixed,
      daterange(min(b.first) filter (where (b.payment_frequency, b.currency) = (p_run.pay_group, p_run.currency)),
        max(b.last) filter (where (b.payment_frequency, b.currency) = (p_run.pay_group, p_run.currency)), '[]') as own
    from private.basis_days(p_run.period_start, p_run.period_end,
      array(select s.staff_id from public.payslips s where s.pay_run_id = p_run.id)) b
    group by b.staff_id
  ), sums as (
    select s.id, s.staff_id, s.net,
      coalesce(sum(l.amount) filter (where l.amount > 0 and l.kind in ('salary', 'regular', 'leave_paid')), 0) as base,
      coalesce(sum(l.amount) filter (where l.amount > 0 and l.kind not in ('salary', 'regular', 'leave_paid')), 0) as bonuses,
      coalesce(-sum(l.amount) filter (where l.amount < 0), 0) as deductions,
      (select jsonb_agg(jsonb_build_object('name', d.label, 'amount', -d.amount, 'how', d.explanation) order by d.position)
        from public.payslip_lines d where d.payslip_id = s.id and d.amount < 0) as calculation,
      -- A person who is paid in two currencies has a record for the days of each.
      case when d.is_mixed then d.own else daterange(p_run.period_start, p_run.period_end, '[]') end as days
    from public.payslips s
    left join public.payslip_lines l on l.payslip_id = s.id
    left join days d on d.staff_id = s.staff_id
    where s.pay_run_id = p_run.id
    group by s.id, d.is_mixed, d.own
  ), written as (
    insert into public.payroll (staff_id, period_start, period_end, base_amount, deductions, bonuses, net_amount, currency,
      calculation)
    select s.staff_id, lower(s.days), upper(s.days) - 1, s.base, s.deductions, s.bonuses, s.net, p_run.currency, s.calculation
    from sums s
    order by s.staff_id
    returning id, staff_id
  )
  update public.payslips s set payroll_id = w.id, published_at = now()
  from written w where s.pay_run_id = p_run.id and s.staff_id = w.staff_id;
$$;

-- Locks an approved run. Locking again changes nothing. Refuses if approved hours or corrections have changed since the
-- calculation.
create function public.lock_pay_run(id uuid) returns void
language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  run public.pay_runs := private.run_to_change(lock_pay_run.id, 'approved', 'locked', 'paid');
  people uuid[];
  other text;
begin
  if run.status <> 'approved' then
    return;
  end if;
  people := array(select s.user_id from public.payslips s where s.pay_run_id = run.id and s.user_id is not null);
  -- Nobody changes these hours between here and the end.
  perform from public.timesheets t
  where t.user_id = any (people) and t.period_start <= run.period_end and t.period_end >= run.period_start
  order by t.id for no key update;
  select string_agg(c.full_name, ', ' order by c.full_name) into other from (
    select p.full_name from public.payslips s
    join public.staff p on p.id = s.staff_id
    left join private.hours_keys(people, run.period_start, run.period_end) h on h.user_id = s.user_id
    where s.pay_run_id = run.id and s.hours_key <> coalesce(h.hours_key, 0)
    order by 1 limit 5
  ) c;
  if other is not null then
    raise exception 'Hours have changed since the calculation: %. Return the run and calculate it again.', other
      using errcode = 'PT409';
  end if;

  -- Nor these corrections, which another run may have paid, or somebody decided otherwise.
  perform from public.pay_adjustments a
  where a.id in (select (l.source ->> 'id')::uuid from public.payslip_lines l join public.payslips s on s.id = l.payslip_id
    where s.pay_run_id = run.id and l.kind = 'adjustment')
  order by a.id for no key update;
  select string_agg(c.full_name, ', ' order by c.full_name) into other from (
    select distinct p.full_name
    from public.payslip_lines l
    join public.payslips s on s.id = l.payslip_id
    join public.staff p on p.id = s.staff_id
    left join public.pay_adjustments a on a.id = (l.source ->> 'id')::uuid
    where s.pay_run_id = run.id and l.kind = 'adjustment'
      and ((a.status, a.amount, a.currency) is distinct from ('approved', l.amount, s.currency)
        or a.payslip_line_id is not null)
    order by 1 limit 5
  ) c;
  if other is not null then
    raise exception 'Corrections have changed since the calculation: %. Return the run and calculate it again.', other
      using errcode = 'PT409';
  end if;

  perform private.write_payroll(run);
  insert into public.staff_ledger (staff_id, entry, kind, loan_id, currency, amount, payslip_line_id)
  select s.staff_id, 'repayment', l.kind, (l.source ->> 'id')::uuid, run.currency, -l.amount, l.id
  from public.payslip_lines l join public.payslips s on s.id = l.payslip_id
  where s.pay_run_id = run.id and l.kind in ('advance', 'loan', 'uniform', 'other')
  order by l.source ->> 'id';
  update public.pay_adjustments a set payslip_line_id = l.id
  from public.payslip_lines l join public.payslips s on s.id = l.payslip_id
  where s.pay_run_id = run.id and l.kind = 'adjustment' and a.id = (l.source ->> 'id')::uuid and a.payslip_line_id is null;
  update public.timesheets t set status = 'locked', locked_at = now(), pay_run_id = run.id
  where t.user_id = any (people) and t.status = 'approved'
    and t.period_start <= run.period_end and t.period_end >= run.period_start;
  insert into public.notices (user_id, kind, title, body, link, dedupe_key)
  select s.user_id, 'payslip', 'Your payslip for ' || private.period_text(run.period_start, run.period_end),
    format('Net pay: %s.', private.money_text(s.net, s.currency)), '/staff/payslips?open=' || s.payroll_id, 'payslip:' || s.id
  from public.payslips s where s.pay_run_id = run.id and s.user_id is not null
  on conflict (dedupe_key) do nothing;
  update public.pay_runs r set status = 'locked', locked_by = auth.uid(), locked_at = now() where r.id = run.id;
end
$$;

-- Voids a run with a reason. Of a locked one: its payroll records are cancelled, repayments and corrections are owed
-- again, and its timesheets are approved ones.
create function public.void_pay_run(p_id uuid, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  run public.pay_runs := private.run_to_change(p_id, 'draft', 'calculated', 'in_review', 'approved', 'locked');
  why text := nullif(btrim(p_reason), '');
begin
  if why is null or char_length(why) > 500 then
    raise exception 'Give a reason of at most 500 characters.' using errcode = 'check_violation';
  end if;
  if exists (
    select from public.payslips s join public.payroll r on r.id = s.payroll_id
    where s.pay_run_id = run.id and r.payment_status = 'paid'
  ) then
    raise exception 'Payments of this run have been made, so it can''t be voided. Correct it in the next run.'
      using errcode = 'PT409';
  end if;
  update public.pay_runs r set status = 'void', voided_by = auth.uid(), voided_at = now(), void_reason = why
  where r.id = run.id;
  if run.status <> 'locked' then
    return;
  end if;
  update public.payslips s set published_at = null where s.pay_run_id = run.id;
  update public.payroll r set payment_status = 'cancelled'
  where r.id in (select s.payroll_id from public.payslips s where s.pay_run_id = run.id);
  delete from public.staff_ledger l where l.payslip_line_id in (
    select x.id from public.payslip_lines x join public.payslips s on s.id = x.payslip_id where s.pay_run_id = run.id);
  update public.pay_adjustments a set payslip_line_id = null where a.payslip_line_id in (
    select x.id from public.payslip_lines x join public.payslips s on s.id = x.payslip_id where s.pay_run_id = run.id);
  -- Who is paid in two currencies has one timesheet: it stays locked by the other run.
  update public.timesheets t set pay_run_id = o.id
  from public.payslips s join public.pay_runs o on o.id = s.pay_run_id and o.status in ('locked', 'paid')
  where t.pay_run_id = run.id and s.user_id = t.user_id and t.period_start <= o.period_end and t.period_end >= o.period_start;
  update public.timesheets t set status = 'approved', locked_at = null, pay_run_id = null where t.pay_run_id = run.id;
  insert into public.notices (user_id, kind, title, body, link, dedupe_key)
  select s.user_id, 'payslip', 'Payslip withdrawn: ' || private.period_text(run.period_start, run.period_end),
    'You get a corrected payslip.', '/staff/payslips', 'payslip withdrawn:' || s.id
  from public.payslips s where s.pay_run_id = run.id and s.user_id is not null
  on conflict (dedupe_key) do nothing;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.lock_pay_run, public.void_pay_run from public, anon;
grant execute on function public.lock_pay_run, public.void_pay_run to authenticated, service_role;
