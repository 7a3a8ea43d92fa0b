set local check_function_bodies = off;

create or replace FUNCTION private.refuse_unlockable(p_run public.pay_runs)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  names text[];
begin
  names := array(select distinct b.full_name from private.payroll_beside_run(p_run) b order by 1);
  if cardinality(names) > 0 then
    raise exception '% of this run already % a payroll record of the period: %. Cancel or delete these records under '
      'Payroll, or void this run.',
      case cardinality(names) when 1 then '1 person' else cardinality(names) || ' people' end,
      case cardinality(names) when 1 then 'has' else 'have' end, private.names_text(names) using errcode = 'PT409';
  end if;
  -- Another run of the month was calculated, changed or voided since.
  names := array(
    select p.full_name
    from public.payslips s
    join public.staff p on p.id = s.staff_id
    left join private.taxed_in_other_runs(p_run) o on o.staff_id = s.staff_id
    cross join lateral private.month_tax(s.taxable, p_run.currency, p_run.lrd_per_usd, p_run.period_end, p.tax_resident,
      coalesce(o.taxable, 0), coalesce(o.withheld, 0), p.tin is not null) t
    where s.pay_run_id = p_run.id and t.amount <> private.tax_of_payslip(s.id)
    order by 1);
  if cardinality(names) > 0 then
    raise exception 'The tax of the month has changed since the calculation, by another pay run, a tax number or a '
      'new rate: %. Return the run and calculate it again.',
      private.names_text(names) using errcode = 'PT409';
  end if;
end
$function$;

create or replace FUNCTION private.adjustment_lines(p_run public.pay_runs, p_earned private.pay_line[])
 RETURNS SETOF private.pay_line
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with sums as (
    select e.staff_id, sum(e.amount) as gross from unnest(p_earned) e group by e.staff_id
  ), waiting as (
    select a.*, s.id as payee, c.amount as due, coalesce(g.gross, 0) as gross
    from public.pay_adjustments a
    join public.staff s on s.id = a.staff_id or a.staff_id is null and s.user_id = a.user_id
    cross join lateral (
      select coalesce(a.converted_amount, a.amount) as amount, coalesce(a.converted_currency, a.currency) as currency
    ) c
    left join sums g on g.staff_id = s.id
    where a.status = 'approved' and a.payslip_line_id is null and c.currency = p_run.currency and c.amount <> 0
      and a.kind <> 'income_tax'
      and (g.staff_id is not null or (private.basis_on(s.id, p_run.period_end)).payment_frequency = p_run.pay_group)
  ), taken as (
    select w.*, case when w.due > 0 then w.due else -greatest(0, least(-w.due,
      w.gross + sum(greatest(w.due, 0)) over (partition by w.payee) + coalesce(sum(w.due) filter (where w.due < 0)
        over (
        partition by w.payee order by w.created_at, w.id rows between unbounded preceding and 1 preceding),
          0))) end as takes
    from waiting w
  )
  select t.payee, 950 + row_number() over (partition by t.payee order by t.created_at, t.id)::integer, 'adjustment',
    case t.kind when 'severance' then 'Severance'
      when 'thirteenth_month' then 'Thirteenth month ' || to_char(t.period_end, 'YYYY')
      else format('Correction of %s to %s', to_char(t.period_start, 'Mon FMDD'),
        to_char(t.period_end, 'Mon FMDD, YYYY')) end,
    1, '', t.takes, t.takes, t.taxable, jsonb_build_object('table', 'pay_adjustments', 'id', t.id, 'of', t.due),
    left(concat_ws(' ', case when t.takes <> t.due
      then format('%s of %s: no more pay was left, the rest follows in the next run.',
        private.money_text(-t.takes, p_run.currency), private.money_text(-t.due, p_run.currency)) end,
      case when t.converted_amount is not null
        then format('%s at L$%s per US$ of %s.', private.money_text(t.amount, t.currency),
        trim_scale(t.exchange_rate), to_char(t.exchange_rate_on, 'Mon FMDD, YYYY')) end,
      t.explanation,
      case when t.figure_before is not null and t.figure_after is not null then format('Paid %s, recomputed %s.',
        private.money_text(t.figure_before, t.currency), private.money_text(t.figure_after, t.currency)) end), 500)
  from taken t where t.takes <> 0;
$function$;

create or replace FUNCTION private.taxed_in_other_runs(p_run public.pay_runs)
 RETURNS TABLE(staff_id uuid, taxable numeric, withheld numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with span as (
    select date_trunc('month', p_run.period_end::timestamp)::date as first,
      (date_trunc('month', p_run.period_end::timestamp) + interval '1 month - 1 day')::date as last
  )
  select t.staff_id, sum(t.taxable), sum(t.withheld)
  from (
    select s.staff_id, s.taxable * e.rate as taxable, private.tax_of_payslip(s.id) * e.rate as withheld
    from span x
    join public.pay_runs r on r.period_end between x.first and x.last
    cross join lateral (select case r.currency when 'USD' then r.lrd_per_usd else 1 end as rate) e
    join public.payslips s on s.pay_run_id = r.id
    where r.id <> p_run.id and r.status in ('calculated', 'in_review', 'approved', 'locked', 'paid')
    union all
    select a.staff_id, 0, -a.amount * case a.currency when 'USD' then (a.details ->> 'lrd_per_usd')::numeric else 1 end
    from span x join public.pay_adjustments a on a.period_start = x.first
    where a.kind = 'income_tax' and a.status = 'approved' and a.staff_id is not null
  ) t
  group by t.staff_id;
$function$;

create or replace FUNCTION private.run_problems(p_run public.pay_runs, p_lines private.pay_line[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with people as materialized (
    select distinct s.id, s.user_id, s.full_name
    from private.run_pieces(p_run.pay_group, p_run.currency, p_run.period_start, p_run.period_end) p
    join public.staff s on s.id = p.staff_id
  ), found as (
    select 'hours_not_approved' as code, p.id as staff_id, p.full_name as name,
      format('Hours of %s to %s are not approved: no hour of them is paid now.', to_char(t.period_start, 'Mon FMDD'),
        to_char(t.period_end, 'Mon FMDD')) as text
    from people p join public.timesheets t on t.user_id = p.user_id
    where t.status in ('open', 'submitted') and t.period_start <= p_run.period_end
      and t.period_end >= p_run.period_start
    union all
    select 'no_account', p.id, p.full_name, 'The staff record has no user account, so no hours belong to it.'
    from people p where p.user_id is null
    union all
    select 'other_currency', p.id, p.full_name, format('%s is in %s, so this run leaves it out.', i.name, i.currency)
    from people p join public.pay_items i on i.staff_id = p.id
    where i.currency <> p_run.currency and i.effective_from <= p_run.period_end
      and coalesce(i.effective_to, p_run.period_end) >= p_run.period_start
    union all
    select 'adjustment_waits', p.id, p.full_name,
      format('%s of %s is taken, as far as the pay allows. The rest waits for the next run.',
      private.money_text(abs(coalesce(l.amount, 0)), p_run.currency), private.money_text(abs(c.amount), p_run.currency))
    from people p join public.pay_adjustments a on a.staff_id = p.id or a.staff_id is null and a.user_id = p.user_id
    cross join lateral (
      select coalesce(a.converted_amount, a.amount) as amount, coalesce(a.converted_currency, a.currency) as currency
    ) c
    left join unnest(p_lines) l on l.source ->> 'table' = 'pay_adjustments' and l.source ->> 'id' = a.id::text
    where a.status = 'approved' and a.payslip_line_id is null and c.currency = p_run.currency and c.amount <> 0
      and l.amount is distinct from c.amount
    union all
    select 'adjustment_currency', p.id, p.full_name,
      format('%s waits for a run in %s. Convert it, or leave it for that run.',
        private.money_text(a.amount, a.currency), a.currency)
    from people p join public.pay_adjustments a on a.staff_id = p.id or a.staff_id is null and a.user_id = p.user_id
    where a.status = 'approved' and a.payslip_line_id is null and a.amount <> 0
      and coalesce(a.converted_currency, a.currency) <> p_run.currency
    union all
    select 'debt_currency', p.id, p.full_name, format(
      '%s of %s is owed in %s, so this run takes nothing. Enter the repayment by hand, or leave it for a run in %s.',
      private.money_text(b.balance, l.currency), case l.kind when 'advance' then 'an advance' when 'loan' then 'a loan'
        when 'uniform' then 'a uniform' else 'a debt' end, l.currency, l.currency)
    from people p join public.staff_ledger l on l.staff_id = p.id and l.entry = 'issue' and l.currency <> p_run.currency
      and l.repay_from <= p_run.period_end
    cross join lateral private.ledger_balance(l.id) b (balance)
    where b.balance > 0
  )
  select coalesce(jsonb_agg(jsonb_build_object('code', f.code, 'staff_id', f.staff_id, 'name', f.name, 'text', f.text)
    order by f.code, f.name, f.staff_id), '[]')
  from found f;
$function$;

create or replace FUNCTION public.decide_adjustment(p_id uuid, p_approve boolean, p_note text DEFAULT NULL::text, p_amount numeric DEFAULT NULL::numeric)
 RETURNS public.pay_adjustments
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  a public.pay_adjustments;
  v record;
  outcome text := case when p_approve then 'approved' else 'rejected' end;
  previous text;
  weeks daterange;
begin
  perform private.require_pay_role();
  -- First the runs of its days, as voiding does, and the turn of the guard, as clock events do: neither changes
  -- until this ends.
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
    raise exception 'Approve or reject, with a note of at most 1000 characters.'
      using errcode = 'invalid_parameter_value';
  end if;
  if a.payslip_line_id is not null then
    raise exception 'A run has paid this adjustment.' using errcode = 'PT409';
  end if;
  if a.status = 'superseded' and a.kind = 'late_event' then
    raise exception 'These hours are attendance, and the pay run of their period pays them.' using errcode = 'PT409';
  elsif a.status = 'superseded' and a.kind in ('severance', 'thirteenth_month') then
    raise exception 'The employment has changed since. Enter what is due now.' using errcode = 'PT409';
  elsif a.status = 'superseded' or a.kind = 'correction'
    and exists (select from public.pay_runs r where r.id = a.pay_run_id and r.status = 'void')
  then
    raise exception 'The pay run that this corrects was voided, so there is nothing to decide.' using errcode = 'PT409';
  end if;
  if auth.uid() is not null and (a.user_id = auth.uid() or a.details ->> 'entered_by' = auth.uid()::text) then
    raise exception 'Someone else must decide this adjustment.' using errcode = 'insufficient_privilege';
  end if;
  if a.kind = 'income_tax' and p_approve then
    perform private.check_tax_back(a, coalesce(round(p_amount, 2), a.amount));
  elsif a.kind = 'late_event' then
    weeks := private.weeks_of_late_event(a.details);
    if not p_approve then
      outcome := 'rejected';
    elsif weeks is null then
      raise exception 'The clock-in and the clock-out of this shift have not both arrived. Reject this, and enter an '
        'adjustment by hand.'
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
    figure_after = a.figure_after, amount = case when outcome <> 'superseded'
      then coalesce(round(p_amount, 2), a.amount) end, note = nullif(btrim(p_note), ''),
    decided_by = auth.uid(), decided_at = now()
  where x.id = a.id returning * into a;
  if a.kind = 'late_event' and 'approved' in (previous, outcome) and previous <> outcome then
    -- The rest of a night, and the overtime of a week that continues in another locked period.
    perform private.propose_corrections_of(r, array[a.staff_id])
    from public.pay_runs r join public.payslips s on s.pay_run_id = r.id and s.staff_id = a.staff_id
    where r.status in ('locked', 'paid') and r.id <> a.pay_run_id
      and daterange(r.period_start, r.period_end, '[]') && weeks
    order by r.id;
  end if;
  return a;
end
$function$;

create or replace FUNCTION public.calculate_pay_run(id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET statement_timeout TO '60s'
AS $function$
declare
  run public.pay_runs := private.run_to_change(calculate_pay_run.id, 'draft', 'calculated', 'in_review');
  lines private.pay_line[];
  changed uuid[];
begin
  lines := array(select l from private.earning_lines(run.pay_group, run.currency, run.period_start, run.period_end) l);
  lines := lines || array(select l from private.adjustment_lines(run, lines) l);
  lines := lines || array(select l from private.statutory_lines(run, lines) l);
  lines := lines || array(select l from private.tax_back_lines(run, lines) l);
  lines := lines || array(select l from private.standing_lines(run, lines) l);
  lines := lines || array(select l from private.repayment_lines(run, lines) l);

  delete from public.payslips s where s.pay_run_id = run.id
    and s.staff_id not in (select l.staff_id from unnest(lines) l);
  with sums as (
    select l.staff_id, sum(l.amount) as net, sum(l.amount) filter (where l.place < 1000) as gross,
      greatest(0, coalesce(sum(l.amount) filter (where l.place < 1000 and l.taxable), 0)) as taxable
    from unnest(lines) l group by l.staff_id
  ), hours as (
    select h.* from private.hours_fingerprints(
      array(select p.user_id from public.staff p join sums s on s.staff_id = p.id), run.period_start, run.period_end) h
  ), fresh as (
    select s.staff_id, p.user_id, coalesce(s.gross, 0) as gross, s.taxable, s.gross - s.net as deductions, s.net,
      round(s.gross * coalesce(private.pay_rate('nasscorp_employer', run.period_end), 0), 2) as employer_cost,
      coalesce(h.hours_key, 0) as hours_key
    from sums s join public.staff p on p.id = s.staff_id left join hours h on h.user_id = p.user_id
  )
  insert into public.payslips as o
    (pay_run_id, staff_id, user_id, currency, gross, taxable, deductions, net, employer_cost, hours_key)
  select run.id, f.staff_id, f.user_id, run.currency, f.gross, f.taxable, f.deductions, f.net, f.employer_cost,
    f.hours_key
  from fresh f
  where not exists (
    select from public.payslips s where s.pay_run_id = run.id and s.staff_id = f.staff_id
      and (s.user_id, s.gross, s.taxable, s.deductions, s.net, s.employer_cost, s.hours_key)
        is not distinct from (f.user_id, f.gross, f.taxable, f.deductions, f.net, f.employer_cost, f.hours_key)
  )
  on conflict on constraint payslips_one_per_person do update set user_id = excluded.user_id, gross = excluded.gross,
    taxable = excluded.taxable, deductions = excluded.deductions, net = excluded.net,
    employer_cost = excluded.employer_cost, hours_key = excluded.hours_key;

  with fresh as (
    select l.staff_id, md5(string_agg(concat_ws('|', l.kind, l.label, l.quantity::numeric(14, 4), l.unit,
      l.rate::numeric(20, 6), l.amount::numeric(14, 2), l.taxable, l.source, l.explanation), ';'
        order by l.place, l.label, l.rate, l.amount)) as content
    from unnest(lines) l group by l.staff_id
  ), stored as (
    select s.id, s.staff_id,
      (select md5(string_agg(concat_ws('|', l.kind, l.label, l.quantity, l.unit, l.rate, l.amount,
      l.taxable, l.source, l.explanation), ';' order by l.position)) from public.payslip_lines l
        where l.payslip_id = s.id) as content
    from public.payslips s where s.pay_run_id = run.id
  )
  select array_agg(s.id) into changed
  from stored s join fresh f on f.staff_id = s.staff_id where f.content is distinct from s.content;
  delete from public.payslip_lines l where l.payslip_id = any (changed);
  insert into public.payslip_lines
    (payslip_id, position, kind, label, quantity, unit, rate, amount, taxable, source, explanation)
  select s.id, row_number() over (partition by s.id
    order by l.place, l.label, l.rate, l.amount), l.kind, left(l.label, 200), l.quantity,
    l.unit, l.rate, l.amount, l.taxable, l.source, l.explanation
  from unnest(lines) l join public.payslips s on s.pay_run_id = run.id and s.staff_id = l.staff_id
  where s.id = any (changed);

  update public.pay_runs r set status = 'calculated', calculated_by = auth.uid(), calculated_at = now(),
    reviewed_by = null, reviewed_at = null, problems = private.run_problems(run, lines),
    people = t.people, gross = t.gross, deductions = t.deductions, net = t.net, employer_cost = t.employer_cost
  from (
    select count(*) as people, coalesce(sum(s.gross), 0) as gross, coalesce(sum(s.deductions), 0) as deductions,
      coalesce(sum(s.net), 0) as net, coalesce(sum(s.employer_cost), 0) as employer_cost
    from public.payslips s where s.pay_run_id = run.id
  ) t
  where r.id = run.id;
  return (select count(*)::integer from public.payslips s where s.pay_run_id = run.id);
end
$function$;

create or replace FUNCTION public.lock_pay_run(id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET statement_timeout TO '60s'
AS $function$
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
    left join private.hours_fingerprints(people, run.period_start, run.period_end) h on h.user_id = s.user_id
    where s.pay_run_id = run.id and s.hours_key <> coalesce(h.hours_key, 0)
    order by 1 limit 5
  ) c;
  if other is not null then
    raise exception 'Hours have changed since the calculation: %. Return the run and calculate it again.', other
      using errcode = 'PT409';
  end if;

  -- Nor these corrections, which another run may have paid, or somebody decided otherwise.
  perform from public.pay_adjustments a
  where a.id in (select (l.source ->> 'id')::uuid from public.payslip_lines l
    join public.payslips s on s.id = l.payslip_id
    where s.pay_run_id = run.id and l.source ->> 'table' = 'pay_adjustments')
  order by a.id for no key update;
  select string_agg(c.full_name, ', ' order by c.full_name) into other from (
    select distinct p.full_name
    from public.payslip_lines l
    join public.payslips s on s.id = l.payslip_id
    join public.staff p on p.id = s.staff_id
    left join public.pay_adjustments a on a.id = (l.source ->> 'id')::uuid
    where s.pay_run_id = run.id and l.source ->> 'table' = 'pay_adjustments'
      and ((a.status, coalesce(a.converted_amount, a.amount), coalesce(a.converted_currency, a.currency))
          is distinct from ('approved', coalesce((l.source ->> 'of')::numeric, l.amount), s.currency)
        or a.payslip_line_id is not null)
    order by 1 limit 5
  ) c;
  if other is not null then
    raise exception 'Corrections have changed since the calculation: %. Return the run and calculate it again.', other
      using errcode = 'PT409';
  end if;

  perform private.refuse_unlockable(run);
  perform private.write_payroll(run);
  insert into public.staff_ledger (staff_id, entry, kind, loan_id, currency, amount, payslip_line_id, day)
  select s.staff_id, 'repayment', l.kind, (l.source ->> 'id')::uuid, run.currency, -l.amount, l.id, run.period_end
  from public.payslip_lines l join public.payslips s on s.id = l.payslip_id
  where s.pay_run_id = run.id and l.kind in ('advance', 'loan', 'uniform', 'other') order by l.source ->> 'id';
  perform private.split_adjustments(run);
  update public.pay_adjustments a set payslip_line_id = l.id
  from public.payslip_lines l join public.payslips s on s.id = l.payslip_id
  where s.pay_run_id = run.id and l.source ->> 'table' = 'pay_adjustments' and a.id = (l.source ->> 'id')::uuid
    and a.payslip_line_id is null;
  update public.timesheets t set status = 'locked', locked_at = now(), pay_run_id = run.id
  where t.user_id = any (people) and t.status = 'approved'
    and t.period_start <= run.period_end and t.period_end >= run.period_start;
  insert into public.notices (user_id, kind, title, body, link, dedupe_key)
  select s.user_id, 'payslip', 'Your payslip for ' || private.period_text(run.period_start, run.period_end),
    format('Net pay: %s.', private.money_text(s.net, s.currency)), '/staff/payslips?open=' || s.payroll_id,
      'payslip:' || s.id
  from public.payslips s where s.pay_run_id = run.id and s.user_id is not null on conflict (dedupe_key) do nothing;
  update public.pay_runs r set status = 'locked', locked_by = auth.uid(), locked_at = now() where r.id = run.id;
end
$function$;

create or replace FUNCTION public.closing_work(p_month date)
 RETURNS TABLE(item text, amount integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  first constant date := date_trunc('month', p_month::timestamp)::date;
  last constant date := (date_trunc('month', p_month::timestamp) + interval '1 month - 1 day')::date;
begin
  perform private.require_billing_role();
  perform private.require_day(p_month, 'month');
  return query
  select 'timesheets', count(*)::integer from public.timesheets t
  where t.period_end between first and last and t.status in ('open', 'submitted');
  return query
  select 'unbilled', coalesce(sum(u.guards), 0)::integer from public.unbilled_totals(first, last) u
  where u.reason not in ('waived', 'above_headcount', 'on_demand', 'not_due');
  return query
  select 'invoices_draft', count(*)::integer from public.invoices i
  where i.status = 'draft' and i.period_end between first and last;
  return query
  select i.item, count(*) filter (where r.status = any (i.statuses))::integer
  from (values ('pay_runs', '{draft,calculated,in_review,approved}'::text[]), ('pay_runs_unpaid', '{locked}'::text[]))
    i (item, statuses)
  left join public.pay_runs r on r.period_end between first and last group by i.item;
  return query
  select 'payroll', count(*)::integer from public.payroll p
  where p.payment_status = 'pending' and p.period_end between first and last and not private.is_of_pay_run(p.id);
  return query
  select 'adjustments', count(*)::integer from public.pay_adjustments a
  where a.status = 'to_decide' and a.period_end between first and last;
  return query
  select 'tax_too_much', count(*)::integer from private.tax_too_much(first) t;
  return query
  select 'pay_returns', count(*)::integer from public.pay_returns_to_file() r where r.month = first;
  return query
  select 'vat_return', count(*)::integer from public.vat_months() v
  where v.month = first and v.status not in ('filed', 'paid');
  return query
  select 'bank_lines', count(*)::integer from public.bank_lines l
  where l.matched_at is null and l.day between first and last;
  return query
  select 'refunds', count(*)::integer from public.refunds f
  where f.status = 'asked' and f.created_at < private.company_midnight(last + 1);
end
$function$;

alter table public.pay_adjustments drop constraint pay_adjustments_kind_check;

alter table public.pay_adjustments add constraint pay_adjustments_kind_check CHECK ((kind = ANY (ARRAY['correction'::text, 'late_event'::text, 'manual'::text, 'severance'::text, 'thirteenth_month'::text, 'income_tax'::text])));

CREATE OR REPLACE FUNCTION private.tax_of_payslip(p_payslip_id uuid)
 RETURNS numeric
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(sum(-l.amount), 0) from public.payslip_lines l
  where l.payslip_id = p_payslip_id and l.kind = 'income_tax'
    and l.source ->> 'table' is distinct from 'pay_adjustments';
$function$;

CREATE OR REPLACE FUNCTION private.tax_too_much(p_month date DEFAULT NULL::date)
 RETURNS TABLE(staff_id uuid, month date, pay_run_id uuid, currency text, lrd_per_usd numeric, withheld_lrd numeric, amount numeric)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with voided as materialized (
    select r.id, date_trunc('month', r.period_end::timestamp)::date as month, r.calculated_at, r.voided_at
    from public.pay_runs r
    where r.status = 'void' and r.locked_at is not null and (p_month is null
      or r.period_end between p_month and (p_month + interval '1 month - 1 day')::date)
  ), latest as materialized (
    select distinct on (s.staff_id, v.month) s.staff_id, v.month, r.id as run, o.id as slip, o.taxable,
      v.calculated_at <= r.calculated_at and r.calculated_at <= v.voided_at as is_between
    from voided v
    join public.payslips s on s.pay_run_id = v.id
    join public.pay_runs r on r.status in ('locked', 'paid')
      and r.period_end between v.month and (v.month + interval '1 month - 1 day')::date
    join public.payslips o on o.pay_run_id = r.id and o.staff_id = s.staff_id
    order by s.staff_id, v.month, r.calculated_at desc, r.id,
      v.calculated_at <= r.calculated_at and r.calculated_at <= v.voided_at desc
  ), beside as materialized (
    select r.id, o.*
    from (select distinct l.run from latest l where l.is_between) d
    join public.pay_runs r on r.id = d.run
    cross join lateral private.taxed_in_other_runs(r) o
  )
  select l.staff_id, l.month, r.id, r.currency, e.rate, round(x.tax * e.rate + coalesce(o.withheld, 0), 2),
    x.tax - t.amount
  from latest l
  join public.pay_runs r on r.id = l.run
  join public.staff p on p.id = l.staff_id
  left join beside o on o.id = l.run and o.staff_id = l.staff_id
  cross join lateral (select case r.currency when 'USD' then r.lrd_per_usd else 1 end as rate) e
  cross join lateral (select private.tax_of_payslip(l.slip) as tax) x
  cross join lateral private.month_tax(l.taxable, r.currency, r.lrd_per_usd, r.period_end, p.tax_resident,
    coalesce(o.taxable, 0), coalesce(o.withheld, 0), p.tin is not null) t
  where l.is_between and x.tax > t.amount;
$function$;

CREATE OR REPLACE FUNCTION private.tax_back_lines(p_run public.pay_runs, p_lines private.pay_line[])
 RETURNS SETOF private.pay_line
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select a.staff_id, 1000 + row_number() over (partition by a.staff_id order by a.period_start, a.id)::integer,
    'income_tax', format('Income tax of %s given back', to_char(a.period_start, 'FMMonth YYYY')), null::numeric, '',
    null::numeric, c.amount, false, jsonb_build_object('table', 'pay_adjustments', 'id', a.id, 'of', c.amount),
    left(concat_ws(' ', case when a.converted_amount is not null
      then format('%s at L$%s per US$ of %s.', private.money_text(a.amount, a.currency), trim_scale(a.exchange_rate),
        to_char(a.exchange_rate_on, 'Mon FMDD, YYYY')) end, a.explanation), 500)
  from public.pay_adjustments a
  cross join lateral (
    select coalesce(a.converted_amount, a.amount) as amount, coalesce(a.converted_currency, a.currency) as currency
  ) c
  where a.kind = 'income_tax' and a.status = 'approved' and a.payslip_line_id is null and c.currency = p_run.currency
    and c.amount > 0 and a.staff_id is not null
    and (a.staff_id in (select l.staff_id from unnest(p_lines) l)
      or (private.basis_on(a.staff_id, p_run.period_end)).payment_frequency = p_run.pay_group);
$function$;

CREATE OR REPLACE FUNCTION private.check_tax_back(p_adjustment public.pay_adjustments, p_amount numeric)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  most constant numeric := coalesce((
    select t.amount from private.tax_too_much(p_adjustment.period_start) t
    where t.staff_id = p_adjustment.staff_id and t.currency = p_adjustment.currency), 0)
    + case p_adjustment.status when 'approved' then p_adjustment.amount else 0 end;
begin
  if p_amount <= 0 or p_amount > most then
    raise exception 'The income tax of % is not too high by this amount now. Reject this, and look at Statutory '
      'Returns again.', to_char(p_adjustment.period_start, 'FMMonth YYYY') using errcode = 'PT409';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION public.tax_too_much()
 RETURNS TABLE(staff_id uuid, full_name text, month date, pay_run_id uuid, run_status text, period_start date, period_end date, currency text, withheld_lrd numeric, due_lrd numeric, amount numeric, adjustment_id uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_pay_role();
  return query
  select t.staff_id, p.full_name, t.month, t.pay_run_id, r.status, r.period_start, r.period_end, t.currency,
    t.withheld_lrd, t.withheld_lrd - round(t.amount * t.lrd_per_usd, 2), t.amount, (
      select a.id from public.pay_adjustments a
      where a.staff_id = t.staff_id and a.kind = 'income_tax' and a.period_start = t.month and a.status = 'to_decide'
      order by a.created_at limit 1)
  from private.tax_too_much() t
  join public.pay_runs r on r.id = t.pay_run_id
  join public.staff p on p.id = t.staff_id
  order by t.month desc, p.full_name, t.staff_id;
end
$function$;

CREATE OR REPLACE FUNCTION public.give_tax_back(p_staff_id uuid, p_month date)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  adjustment_id uuid;
begin
  perform private.require_pay_role();
  perform private.require_day(p_month, 'month');
  if extract(day from p_month) <> 1 then
    raise exception 'A month is named by its first day.' using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('give_tax_back', 0));
  select a.id into adjustment_id from public.pay_adjustments a
  where a.staff_id = p_staff_id and a.kind = 'income_tax' and a.period_start = p_month and a.status = 'to_decide'
  order by a.created_at limit 1;
  if found then
    return adjustment_id;
  end if;
  insert into public.pay_adjustments (staff_id, user_id, kind, period_start, period_end, amount, currency, details,
    explanation, taxable)
  select p.id, p.user_id, 'income_tax', t.month, (t.month + interval '1 month - 1 day')::date, t.amount, t.currency,
    jsonb_build_object('entered_by', auth.uid(), 'lrd_per_usd', t.lrd_per_usd),
    format('%s of income tax were withheld for %s, and %s are due since a pay run of the month was voided.',
      private.money_text(t.withheld_lrd, 'LRD'), to_char(t.month, 'FMMonth YYYY'),
      private.money_text(t.withheld_lrd - round(t.amount * t.lrd_per_usd, 2), 'LRD')), false
  from private.tax_too_much(p_month) t join public.staff p on p.id = t.staff_id
  where t.staff_id = p_staff_id returning id into adjustment_id;
  if adjustment_id is null then
    raise exception 'The income tax of this month is not too high.' using errcode = 'PT409';
  end if;
  return adjustment_id;
end
$function$;

grant execute on function public.tax_too_much() to authenticated;

grant execute on function public.tax_too_much() to service_role;

grant execute on function public.give_tax_back(uuid,date) to authenticated;

grant execute on function public.give_tax_back(uuid,date) to service_role;

comment on function public.tax_too_much() is 'Nullable: adjustment_id';
