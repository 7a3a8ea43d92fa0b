-- Voiding a locked run also ends the corrections of its period, and takes back the notices of its payslips.
alter table public.pay_adjustments drop constraint pay_adjustments_status_check;
alter table public.pay_adjustments add constraint pay_adjustments_status_check
  check (status in ('to_decide', 'approved', 'rejected', 'superseded'));

create or replace function public.void_pay_run(p_id uuid, p_reason text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  run public.pay_runs := private.run_to_change(p_id, 'draft', 'calculated', 'in_review', 'approved', 'locked');
  why text := nullif(btrim(p_reason), '');
  later public.pay_runs;
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
  -- In one order, so that a run that pays them, and whoever decides them, takes turns with this.
  perform from public.pay_adjustments a where a.pay_run_id = run.id and a.kind = 'correction' order by a.id for no key update;
  select r.* into later
  from public.pay_adjustments a
  join public.payslip_lines l on l.id = a.payslip_line_id
  join public.payslips s on s.id = l.payslip_id
  join public.pay_runs r on r.id = s.pay_run_id
  where a.pay_run_id = run.id and a.kind = 'correction'
  order by r.status = 'paid' desc, r.period_end desc limit 1;
  if found then
    raise exception 'The pay run of % has paid corrections of this one. %', private.period_text(later.period_start, later.period_end),
      case later.status when 'paid' then 'Correct it in the next run.' else 'Void that run first.' end using errcode = 'PT409';
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
  -- The run that replaces this one is computed from the records, so it contains what these corrected.
  update public.pay_adjustments a set status = 'superseded',
    note = left(concat_ws(' ', a.note, 'The corrected pay run was voided. The run that replaces it contains this.'), 1000)
  where a.pay_run_id = run.id and a.kind = 'correction' and a.status in ('to_decide', 'approved');
  -- Who is paid in two currencies has one timesheet: it stays locked by the other run.
  update public.timesheets t set pay_run_id = o.id
  from public.payslips s join public.pay_runs o on o.id = s.pay_run_id and o.status in ('locked', 'paid')
  where t.pay_run_id = run.id and s.user_id = t.user_id and t.period_start <= o.period_end and t.period_end >= o.period_start;
  update public.timesheets t set status = 'approved', locked_at = null, pay_run_id = null where t.pay_run_id = run.id;
  delete from public.notices n
  where n.dedupe_key in (select 'payslip:' || s.id from public.payslips s where s.pay_run_id = run.id);
  insert into public.notices (user_id, kind, title, body, link, dedupe_key)
  select s.user_id, 'payslip', 'Payslip withdrawn: ' || private.period_text(run.period_start, run.period_end),
    'You get a corrected payslip.', '/staff/payslips', 'payslip withdrawn:' || s.id
  from public.payslips s where s.pay_run_id = run.id and s.user_id is not null
  on conflict (dedupe_key) do nothing;
end
$function$;

create or replace function public.decide_adjustment(p_id uuid, p_approve boolean, p_note text DEFAULT NULL::text, p_amount numeric DEFAULT NULL::numeric)
 RETURNS pay_adjustments
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  if a.status = 'superseded' or a.kind = 'correction'
    and exists (select from public.pay_runs r where r.id = a.pay_run_id and r.status = 'void')
  then
    raise exception 'The pay run that this corrects was voided, so there is nothing to decide.' using errcode = 'PT409';
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
$function$;
