-- Corrections after a run is locked: what the period would pay today, under its own dated rules, against what it paid.
-- The difference becomes an adjustment that somebody decides and the next run pays.

-- What the payslip paid before taxes and repayments, without corrections of earlier periods.
create function private.paid_before_tax(p_payslip_id uuid) returns numeric
language sql stable security definer set search_path = '' as $$
  select coalesce(sum(l.amount), 0) from public.payslip_lines l
  where l.payslip_id = p_payslip_id and l.kind not in
    ('adjustment', 'income_tax', 'nasscorp', 'deduction', 'advance', 'loan', 'uniform', 'other');
$$;

-- Recomputes a locked run from today's records, as dated pay bases, and proposes what differs. Running it again proposes
-- nothing new: earlier proposals count, also rejected ones. @returns how many it proposed
create function public.propose_corrections(p_pay_run_id uuid) returns integer
language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  run public.pay_runs := private.run_to_change(p_pay_run_id, 'locked', 'paid');
  proposed integer;
begin
  with fresh as (
    select e.staff_id, sum(e.amount) as amount
    from private.earning_lines(run.pay_group, run.currency, run.period_start, run.period_end) e group by e.staff_id
  ), known as (
    select s.staff_id, private.paid_before_tax(s.id) as amount from public.payslips s where s.pay_run_id = run.id
  ), figures as (
    select coalesce(f.staff_id, k.staff_id) as staff_id, coalesce(k.amount, 0) + coalesce((
        select sum(a.amount) from public.pay_adjustments a
        where a.pay_run_id = run.id and a.kind = 'correction' and a.staff_id = coalesce(f.staff_id, k.staff_id)
      ), 0) as before, coalesce(f.amount, 0) as after
    from fresh f full join known k on k.staff_id = f.staff_id
  ), added as (
    insert into public.pay_adjustments (staff_id, user_id, kind, period_start, period_end, pay_run_id, figure_before,
      figure_after, amount, currency, explanation)
    select g.staff_id, p.user_id, 'correction', run.period_start, run.period_end, run.id, g.before, g.after,
      g.after - g.before, run.currency,
      format('Pay of %s recomputed from the records of today.', private.period_text(run.period_start, run.period_end))
    from figures g join public.staff p on p.id = g.staff_id
    where g.after <> g.before
    returning 1
  )
  select count(*) into proposed from added;
  return proposed;
end
$$;

-- An amount that a person gets more (or less, negative) for a period, entered by hand; somebody else decides it.
create function public.add_adjustment(
  p_staff_id uuid, p_period_start date, p_period_end date, p_amount numeric, p_currency text, p_explanation text
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  adjustment_id uuid;
begin
  perform private.require_pay_role();
  perform private.require_day(p_period_start, 'first day');
  perform private.require_day(p_period_end, 'last day');
  if p_amount is null or p_amount = 0 or abs(p_amount) > 999999999999.99 or p_amount = 'NaN' then
    raise exception 'Enter an amount other than 0.' using errcode = 'invalid_parameter_value';
  end if;
  if p_currency is null or p_currency not in ('USD', 'LRD') then
    raise exception 'Choose USD or LRD.' using errcode = 'invalid_parameter_value';
  end if;
  insert into public.pay_adjustments (staff_id, user_id, kind, period_start, period_end, amount, currency, details, explanation)
  select p.id, p.user_id, 'manual', p_period_start, p_period_end, round(p_amount, 2), p_currency,
    jsonb_build_object('entered_by', auth.uid()), nullif(btrim(p_explanation), '')
  from public.staff p where p.id = p_staff_id
  returning id into adjustment_id;
  if adjustment_id is null then
    raise exception 'This staff member no longer exists.' using errcode = 'PT404';
  end if;
  return adjustment_id;
end
$$;

-- What a person would be paid before tax for these days if these records had been known: p_extra as private.worked_spans
-- has them.
create function private.pay_with_records(
  p_staff_id uuid, p_user_id uuid, p_pay_group text, p_currency text, p_first date, p_last date, p_extra jsonb
) returns numeric
language plpgsql stable security definer set search_path = '' as $$
declare
  first date := date_trunc('week', p_first::timestamp)::date - 7;
  last date := date_trunc('week', p_last::timestamp)::date + 6;
  segments private.time_piece[];
  days public.timesheet_days[];
begin
  segments := array(select c from private.computed_segments(array[p_user_id], first, last, p_extra) c);
  days := array(
    select row(null, null, d.user_id, d.day, d.planned, d.worked, d.paid, d.missing, d.credited, d.issues, d.explanations)
      ::public.timesheet_days
    from private.computed_days(array[p_user_id], first, last, segments, p_extra) d);
  return (
    select coalesce(sum(e.amount), 0)
    from private.earning_lines(p_pay_group, p_currency, p_first, p_last, array[p_staff_id], segments, days) e);
end
$$;

-- What late hours are worth: the period is paid again as if they had been known. @returns the staff record, run, currency
-- and both figures; nothing if no locked run paid the period
create function private.value_of_late_hours(p_adjustment public.pay_adjustments)
returns table (staff_id uuid, pay_run_id uuid, currency text, figure_before numeric, figure_after numeric)
language plpgsql stable security definer set search_path = '' as $$
declare
  slip record;
  extra jsonb := jsonb_build_array(p_adjustment.details);
  went timestamptz := (p_adjustment.details ->> 'clock_out_at')::timestamptz;
  following daterange;
begin
  select s.id, s.staff_id as payee, r.id as run_id, r.currency as paid_in, r.pay_group, r.period_start, r.period_end, s.user_id
  into slip
  from public.payslips s join public.pay_runs r on r.id = s.pay_run_id
  where s.user_id = p_adjustment.user_id and r.status in ('locked', 'paid')
    and p_adjustment.period_end between r.period_start and r.period_end
  order by r.period_end limit 1;
  if not found then
    return;
  end if;
  staff_id := slip.payee;
  pay_run_id := slip.run_id;
  currency := slip.paid_in;
  figure_before := private.paid_before_tax(slip.id);
  figure_after := private.pay_with_records(
    slip.payee, slip.user_id, slip.pay_group, slip.paid_in, slip.period_start, slip.period_end, extra);
  if went > private.company_midnight(slip.period_end + 1) then
    -- A night across the end: no record has its hours of the next period either.
    following := private.pay_period(slip.pay_group, slip.period_end + 1);
    figure_after := figure_after
      + private.pay_with_records(slip.payee, slip.user_id, slip.pay_group, slip.paid_in, lower(following),
        upper(following) - 1, extra)
      - private.pay_with_records(slip.payee, slip.user_id, slip.pay_group, slip.paid_in, lower(following),
        upper(following) - 1, null);
  end if;
  return next;
end
$$;

-- Decides an adjustment. Nobody decides one of their own, or one that they entered. Late hours that are approved are
-- valued here, unless an amount is given. A decision can change until a run has paid it.
create function public.decide_adjustment(
  p_id uuid, p_approve boolean, p_note text default null, p_amount numeric default null
) returns public.pay_adjustments
language plpgsql security definer set search_path = '' as $$
declare
  a public.pay_adjustments;
  v record;
begin
  perform private.require_pay_role();
  select * into a from public.pay_adjustments x where x.id = p_id for update;
  if not found then
    raise exception 'This adjustment no longer exists.' using errcode = 'PT404';
  end if;
  if p_approve is null or char_length(p_note) > 1000 or p_amount = 'NaN' or abs(p_amount) > 999999999999.99 then
    raise exception 'Approve or reject, with a note of at most 1000 characters.' using errcode = 'invalid_parameter_value';
  end if;
  if a.payslip_line_id is not null then
    raise exception 'A run has paid this adjustment.' using errcode = 'PT409';
  end if;
  if auth.uid() is not null and (a.user_id = auth.uid() or a.details ->> 'entered_by' = auth.uid()::text) then
    raise exception 'Someone else must decide this adjustment.' using errcode = 'insufficient_privilege';
  end if;
  if p_approve and a.kind = 'late_event' then
    select * into v from private.value_of_late_hours(a);
    if v.staff_id is null then
      raise exception 'No locked pay run paid these days.' using errcode = 'PT409';
    end if;
    a.staff_id := v.staff_id;
    a.pay_run_id := v.pay_run_id;
    a.currency := v.currency;
    a.figure_before := v.figure_before;
    a.figure_after := v.figure_after;
    a.amount := v.figure_after - v.figure_before;
  end if;
  update public.pay_adjustments x set status = case when p_approve then 'approved' else 'rejected' end,
    staff_id = a.staff_id, pay_run_id = a.pay_run_id, currency = a.currency, figure_before = a.figure_before,
    figure_after = a.figure_after, amount = coalesce(round(p_amount, 2), a.amount), note = nullif(btrim(p_note), ''),
    decided_by = auth.uid(), decided_at = now()
  where x.id = a.id returning * into a;
  return a;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.propose_corrections, public.add_adjustment, public.decide_adjustment from public, anon;
grant execute on function public.propose_corrections, public.add_adjustment, public.decide_adjustment
  to authenticated, service_role;
