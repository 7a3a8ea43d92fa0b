-- Late hours are paid by an adjustment while the timesheet of their days is locked, and by the run of those days otherwise.

-- What a person earns in the period of a run by the late records that its locked timesheets do not contain.
create function private.worth_of_late_hours(p_run public.pay_runs, p_staff_id uuid, p_user_id uuid) returns numeric
language plpgsql stable security definer set search_path = ''
as $$
declare
  without jsonb := (
    select jsonb_agg(distinct jsonb_build_object('attendance_id', h.attendance_id))
    from private.late_hours h join public.timesheets t on t.id = h.timesheet_id
    where t.user_id = p_user_id and t.period_start <= p_run.period_end and t.period_end >= p_run.period_start
  );
begin
  if without is null then
    return 0;
  end if;
  return private.pay_with_records(p_staff_id, p_user_id, p_run.pay_group, p_run.currency, p_run.period_start,
      p_run.period_end, null)
    - private.pay_with_records(p_staff_id, p_user_id, p_run.pay_group, p_run.currency, p_run.period_start,
      p_run.period_end, without);
end
$$;

create or replace function private.value_of_late_hours(p_adjustment pay_adjustments)
 returns TABLE(staff_id uuid, pay_run_id uuid, currency text, figure_before numeric, figure_after numeric)
 language plpgsql
 stable security definer
 set search_path = ''
as $$
declare
  slip record;
  extra jsonb := jsonb_build_array(p_adjustment.details);
begin
  select s.id, s.staff_id as payee, r.id as run_id, r.currency as paid_in, r.pay_group, r.period_start, r.period_end, s.user_id
  into slip
  from public.payslips s join public.pay_runs r on r.id = s.pay_run_id
  where s.user_id = p_adjustment.user_id and r.status in ('locked', 'paid')
    and p_adjustment.period_end between r.period_start and r.period_end
  -- Of several currencies, that of the day.
  order by r.period_end, (private.basis_on(s.staff_id, lower(private.days_of(tstzrange(
    (p_adjustment.details ->> 'clock_in_at')::timestamptz, null))))).currency = r.currency desc
  limit 1;
  if not found then
    return;
  end if;
  staff_id := slip.payee;
  pay_run_id := slip.run_id;
  currency := slip.paid_in;
  figure_before := private.paid_before_tax(slip.id);
  -- These hours alone: a raise since then is a correction of its own. What they change in another period is pay of that.
  figure_after := figure_before
    + private.pay_with_records(
      slip.payee, slip.user_id, slip.pay_group, slip.paid_in, slip.period_start, slip.period_end, extra)
    - private.pay_with_records(
      slip.payee, slip.user_id, slip.pay_group, slip.paid_in, slip.period_start, slip.period_end, null);
  return next;
end
$$;

create or replace function public.value_adjustment(p_id uuid)
 returns TABLE(figure_before numeric, figure_after numeric, amount numeric, currency text)
 language plpgsql
 stable security definer
 set search_path = ''
as $$
declare
  a public.pay_adjustments;
begin
  perform private.require_pay_role();
  select * into a from public.pay_adjustments x where x.id = p_id;
  if not found then
    return;
  end if;
  if a.kind <> 'late_event' or a.status in ('approved', 'superseded') then
    return query select a.figure_before, a.figure_after, a.amount, a.currency;
    return;
  end if;
  return query select v.figure_before, v.figure_after, v.figure_after - v.figure_before, v.currency
    from (select 1) one left join lateral private.value_of_late_hours(a) v on true;
end
$$;

create or replace function private.paid_segments(p_users uuid[], p_from date, p_to date, p_segments private.time_piece[] DEFAULT NULL::private.time_piece[])
 returns TABLE(user_id uuid, day date, shift_key uuid, starts_at timestamp with time zone, minutes integer, class text, rate numeric, covered integer, shift_day date)
 language sql
 stable security definer
 set search_path = ''
as $$
  with found as (
    -- Who clocks out and in again within a shift has two records of one shift.
    select s.user_id, s.day, coalesce(s.shift_id, s.attendance_id) as shift_key, s.starts_at, s.minutes, s.class, s.rate,
      s.time_rule_id
    from public.time_segments s join public.timesheets t on t.id = s.timesheet_id
    where p_segments is null and s.user_id = any (p_users) and s.day between p_from - 7 and p_to
      and (s.day < p_from or t.status in ('approved', 'locked'))
      -- Adjustments pay these.
      and not exists (
        select from private.late_hours h where h.timesheet_id = s.timesheet_id and h.attendance_id = s.attendance_id)
    union all
    select s.user_id, s.day, coalesce(s.shift_id, s.attendance_id), s.starts_at,
      (extract(epoch from s.ends_at - s.starts_at) / 60)::integer, s.class, s.rate, s.time_rule_id
    from unnest(p_segments) s
    where s.user_id = any (p_users) and s.day between p_from - 7 and p_to
  ), in_day as (
    select f.*, r.week_minutes, r.day_minutes, f.class in ('regular', 'night', 'holiday') as is_counted,
      coalesce(sum(f.minutes) filter (where f.class in ('regular', 'night', 'holiday')) over (
        partition by f.user_id, f.day order by f.starts_at rows between unbounded preceding and 1 preceding), 0) as before
    from found f join public.time_rules r on r.id = f.time_rule_id
  ), counted as (
    -- Minutes beyond the day's limit don't count again towards the week's.
    select d.*, case when d.is_counted then
      least(d.before + d.minutes, d.day_minutes) - least(d.before, d.day_minutes) else 0 end as counts
    from in_day d
  )
  select f.user_id, f.day, f.shift_key, f.starts_at, f.minutes, f.class, f.rate,
    -- Of work on a holiday, the minutes within the limits of its day and week: a salary contains them once.
    case when f.class = 'holiday' then greatest(0, least(f.counts,
      f.week_minutes - coalesce(sum(f.counts) over (
        partition by f.user_id, date_trunc('week', f.day::timestamp) order by f.starts_at
        rows between unbounded preceding and 1 preceding), 0)
    ))::integer else 0 end,
    -- A shift counts on the day on which its paid work began.
    min(f.day) filter (where f.class not in ('unpaid', 'leave_paid', 'leave_unpaid')) over (
      partition by f.user_id, f.shift_key)
  from counted f;
$$;

-- Proposes what a locked run paid too little or too much; of some people, or of all.
create function private.propose_corrections_of(run public.pay_runs, p_staff uuid[] default null) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  proposed integer;
begin
  with fresh as (
    select e.staff_id, sum(e.amount) as amount
    from private.earning_lines(run.pay_group, run.currency, run.period_start, run.period_end, p_staff) e group by e.staff_id
  ), known as (
    select s.staff_id, private.paid_before_tax(s.id) as amount from public.payslips s where s.pay_run_id = run.id and (p_staff is null or s.staff_id = any (p_staff))
  ), late as materialized (
    select p.id as staff_id, private.worth_of_late_hours(run, p.id, p.user_id) as amount
    from public.staff p
    where (p_staff is null or p.id = any (p_staff)) and p.user_id in (
      select t.user_id from private.late_hours h join public.timesheets t on t.id = h.timesheet_id
      where t.period_start <= run.period_end and t.period_end >= run.period_start)
  ), figures as (
    select coalesce(f.staff_id, k.staff_id) as staff_id, coalesce(k.amount, 0) + coalesce((
        select sum(a.amount) from public.pay_adjustments a
        where a.pay_run_id = run.id and a.kind = 'correction' and a.staff_id = coalesce(f.staff_id, k.staff_id)
      ), 0) + coalesce((
        select sum(a.amount) from public.pay_adjustments a
        where a.staff_id = coalesce(f.staff_id, k.staff_id) and a.kind = 'late_event' and a.status = 'approved'
          and a.currency = run.currency and a.period_end between run.period_start and run.period_end
      ), 0) as before,
      coalesce(f.amount, 0) + coalesce((select l.amount from late l where l.staff_id = coalesce(f.staff_id, k.staff_id)), 0)
        as after
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

create or replace function public.propose_corrections(p_pay_run_id uuid)
 returns integer
 language plpgsql
 security definer
 set search_path = ''
 set statement_timeout = '60s'
as $$
declare
  run public.pay_runs := private.run_to_change(p_pay_run_id, 'locked', 'paid');
begin
  return private.propose_corrections_of(run);
end
$$;

create or replace function public.decide_adjustment(p_id uuid, p_approve boolean, p_note text default NULL::text, p_amount numeric default NULL::numeric)
 returns pay_adjustments
 language plpgsql
 security definer
 set search_path = ''
as $$
declare
  a public.pay_adjustments;
  v record;
  outcome text := case when p_approve then 'approved' else 'rejected' end;
  previous text;
  weeks daterange;
begin
  perform private.require_pay_role();
  -- First the runs of its days, as voiding does, and the turn of the guard, as clock events do: neither changes meanwhile.
  perform from public.pay_runs r
  where r.id in (
    select x.pay_run_id from public.pay_adjustments x where x.id = p_id
    union
    select s.pay_run_id from public.pay_adjustments x
    join public.payslips s on s.user_id = x.user_id
    join public.pay_runs o on o.id = s.pay_run_id and o.status in ('locked', 'paid')
      and o.period_start <= x.period_end + 7 and o.period_end >= x.period_start
    where x.id = p_id and x.kind = 'late_event'
  )
  order by r.id for share;
  perform pg_advisory_xact_lock(hashtextextended(x.user_id::text, 0)) from public.pay_adjustments x
  where x.id = p_id and x.kind = 'late_event';
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
  if a.status = 'superseded' and a.kind = 'late_event' then
    raise exception 'These hours are attendance, and the pay run of their period pays them.' using errcode = 'PT409';
  elsif a.status = 'superseded' or a.kind = 'correction'
    and exists (select from public.pay_runs r where r.id = a.pay_run_id and r.status = 'void')
  then
    raise exception 'The pay run that this corrects was voided, so there is nothing to decide.' using errcode = 'PT409';
  end if;
  if auth.uid() is not null and (a.user_id = auth.uid() or a.details ->> 'entered_by' = auth.uid()::text) then
    raise exception 'Someone else must decide this adjustment.' using errcode = 'insufficient_privilege';
  end if;
  if a.kind = 'late_event' then
    weeks := private.weeks_of_late_event(a.details);
    if not p_approve then
      outcome := 'rejected';
    elsif weeks is null then
      raise exception 'The clock-in and the clock-out of this shift have not both arrived. Reject this, and enter an adjustment by hand.'
        using errcode = 'PT409';
    elsif not exists (
      select from public.timesheets t
      where t.user_id = a.user_id and t.status = 'locked' and a.period_end between t.period_start and t.period_end
    ) then
      -- Nothing is locked any more: the hours are in the timesheet, which the run of the period pays.
      outcome := 'superseded';
    elsif a.status <> 'approved' then
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
  end if;
  previous := a.status;
  update public.pay_adjustments x set status = outcome,
    staff_id = a.staff_id, pay_run_id = a.pay_run_id, currency = a.currency, figure_before = a.figure_before,
    figure_after = a.figure_after, amount = case when outcome <> 'superseded' then coalesce(round(p_amount, 2), a.amount) end, note = nullif(btrim(p_note), ''),
    decided_by = auth.uid(), decided_at = now()
  where x.id = a.id returning * into a;
  if a.kind = 'late_event' and 'approved' in (previous, outcome) and previous <> outcome then
    -- The rest of a night, and the overtime of a week that continues in another locked period.
    perform private.propose_corrections_of(r, array[a.staff_id])
    from public.pay_runs r join public.payslips s on s.pay_run_id = r.id and s.staff_id = a.staff_id
    where r.status in ('locked', 'paid') and r.id <> a.pay_run_id and daterange(r.period_start, r.period_end, '[]') && weeks
    order by r.id;
  end if;
  return a;
end
$$;

create or replace function public.void_pay_run(p_id uuid, p_reason text)
 returns void
 language plpgsql
 security definer
 set search_path = ''
as $$
declare
  run public.pay_runs := private.run_to_change(p_id, 'draft', 'calculated', 'in_review', 'approved', 'locked');
  why text := nullif(btrim(p_reason), '');
  later public.pay_runs;
  -- Timesheets that no other run keeps locked, and the guards whose late events they don't contain.
  sheets uuid[];
  guards uuid[];
  ended uuid[];
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
  -- In one order, so that a run that pays them, and a caller who decides them, take turns with this.
  sheets := array(
    select t.id from public.timesheets t
    where t.pay_run_id = run.id and not exists (
      select from public.payslips s join public.pay_runs o on o.id = s.pay_run_id and o.status in ('locked', 'paid')
      where o.id <> run.id and s.user_id = t.user_id and t.period_start <= o.period_end and t.period_end >= o.period_start)
  );
  ended := array(
    select a.id from public.pay_adjustments a
    where a.kind = 'correction' and a.pay_run_id = run.id and a.status in ('to_decide', 'approved')
      or a.kind = 'late_event' and a.status = 'approved' and exists (
        select from public.timesheets t
        where t.id = any (sheets) and t.user_id = a.user_id and a.period_end between t.period_start and t.period_end)
    order by a.id for no key update
  );
  select r.* into later
  from public.pay_adjustments a
  join public.payslip_lines l on l.id = a.payslip_line_id
  join public.payslips s on s.id = l.payslip_id
  join public.pay_runs r on r.id = s.pay_run_id
  where a.id = any (ended) and r.id <> run.id
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
  update public.pay_adjustments a set status = 'superseded', note = left(concat_ws(' ', a.note,
    'The pay run of these days was voided. The run that replaces it contains this.'), 1000)
  where a.id = any (ended) and a.status in ('to_decide', 'approved');
  -- Who is paid in two currencies has one timesheet: it stays locked by the other run.
  update public.timesheets t set pay_run_id = o.id
  from public.payslips s join public.pay_runs o on o.id = s.pay_run_id and o.status in ('locked', 'paid')
  where t.pay_run_id = run.id and s.user_id = t.user_id and t.period_start <= o.period_end and t.period_end >= o.period_start;
  update public.timesheets t set status = 'approved', locked_at = null, pay_run_id = null where t.pay_run_id = run.id;
  guards := array(select distinct t.user_id from private.late_hours h join public.timesheets t on t.id = h.timesheet_id
    where h.timesheet_id = any (sheets));
  perform private.remove_late_hours(sheets);
  perform private.compute_time(guards, run.period_start, run.period_end);
  delete from public.notices n
  where n.dedupe_key in (select 'payslip:' || s.id from public.payslips s where s.pay_run_id = run.id);
  insert into public.notices (user_id, kind, title, body, link, dedupe_key)
  select s.user_id, 'payslip', 'Payslip withdrawn: ' || private.period_text(run.period_start, run.period_end),
    'You get a corrected payslip.', '/staff/payslips', 'payslip withdrawn:' || s.id
  from public.payslips s where s.pay_run_id = run.id and s.user_id is not null
  on conflict (dedupe_key) do nothing;
end
$$;

revoke all on function
  private.worth_of_late_hours(public.pay_runs, uuid, uuid), private.propose_corrections_of(public.pay_runs, uuid[])
from public;
