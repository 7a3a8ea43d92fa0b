-- Everything that a person earned in a period: salary, hours, unpaid time and allowances, as lines.
create function private.earning_lines(
  p_pay_group text, p_currency text, p_from date, p_to date, p_staff uuid[] default null,
  p_segments private.time_piece[] default null, p_days public.timesheet_days[] default null
) returns setof private.pay_line
language sql stable security definer set search_path = '' as $$
  with pieces as materialized (
    select p.*, p_to - p_from + 1 as period_days, p.last - p.first + 1 as days
    from private.run_pieces(p_pay_group, p_currency, p_from, p_to, p_staff) p
  ), salaries as materialized (
    select p.*, case when p.days = p.period_days then p.amount else round(p.amount * p.days / p.period_days, 2) end as salary
    from pieces p where p.basis = 'salary' and p.days > 0
  ), unpaid as (
    select s.*, u.leave_unpaid, u.missing,
      least(s.salary, round(u.leave_unpaid * s.hour_value / 60, 2)) as for_leave,
      least(s.salary, round(u.missing * s.hour_value / 60, 2)) as for_missing
    from salaries s
    join private.unpaid_time(p_pay_group, p_currency, p_from, p_to, p_staff, p_segments, p_days) u
      on u.staff_id = s.staff_id and u.piece = s.piece
  ), days_worked as materialized (
    select s.user_id, s.day, s.shift_key, s.shift_day
    from private.paid_segments(
      array(select distinct p.user_id from pieces p where p.user_id is not null
        and exists (select from public.pay_items i where i.staff_id = p.staff_id and i.per <> 'period')),
      p_from, p_to, p_segments) s
    where s.day >= p_from and s.class not in ('unpaid', 'leave_paid', 'leave_unpaid')
  )
  select s.staff_id, s.piece * 100, 'salary',
    case when s.days = s.period_days then 'Salary' else format('Salary, %s to %s', to_char(s.first, 'Mon FMDD'),
      to_char(s.last, 'Mon FMDD')) end,
    case when s.days = s.period_days then 1 else s.days end, case when s.days = s.period_days then '' else 'days' end,
    case when s.days = s.period_days then s.amount else round(s.amount / s.period_days, 6) end, s.salary, true,
    jsonb_build_object('table', 'pay_bases', 'id', s.basis_id),
    case when s.days = s.period_days then format('%s for the period.', private.money_text(s.amount, p_currency))
      else format('%s of %s days of %s.', s.days, s.period_days, private.money_text(s.amount, p_currency)) end
  from salaries s
  union all
  select h.* from private.hour_lines(p_currency, p_from, p_to, p_staff, p_pay_group, p_segments, p_days) h
  union all
  select u.staff_id, u.piece * 100 + 70, 'leave_unpaid', 'Unpaid leave', round(u.leave_unpaid::numeric / 60, 4), 'h',
    u.hour_value, -u.for_leave, true,
    jsonb_build_object('table', 'pay_bases', 'id', u.basis_id, 'minutes', u.leave_unpaid),
    format('%s of unpaid leave in weeks of less than %s paid, x %s.', private.pay_hours_text(u.leave_unpaid),
      private.pay_hours_text((u.rule).week_minutes), private.money_text(u.hour_value, p_currency))
  from unpaid u where u.for_leave > 0
  union all
  select u.staff_id, u.piece * 100 + 80, 'absence', 'Missing hours', round(u.missing::numeric / 60, 4), 'h', u.hour_value,
    -least(u.for_missing, u.salary - u.for_leave), true,
    jsonb_build_object('table', 'pay_bases', 'id', u.basis_id, 'minutes', u.missing),
    format('%s planned but not worked, in weeks of less than %s paid, x %s.', private.pay_hours_text(u.missing),
      private.pay_hours_text((u.rule).week_minutes), private.money_text(u.hour_value, p_currency))
  from unpaid u where least(u.for_missing, u.salary - u.for_leave) > 0
  union all
  select i.staff_id, 900 + row_number() over (partition by i.staff_id order by i.effective_from, i.name, i.id)::integer,
    'allowance', i.name, q.quantity, q.unit, q.rate, q.amount, i.taxable,
    jsonb_build_object('table', 'pay_items', 'id', i.id), q.explanation
  from public.pay_items i
  cross join lateral (
    -- The days of the run's pieces on which the item is in force.
    select coalesce(sum(least(p.last, i.effective_to) - greatest(p.first, i.effective_from) + 1), 0)::integer as days,
      max(p.period_days) as period_days, min(p.user_id::text)::uuid as user_id
    from pieces p
    where p.staff_id = i.staff_id and p.first <= coalesce(i.effective_to, p.last) and p.last >= i.effective_from
  ) d
  cross join lateral (
    select count(distinct w.day) filter (where w.day between i.effective_from and coalesce(i.effective_to, p_to)
        and w.day between p.first and p.last) as days,
      count(distinct w.shift_key) filter (where w.shift_day between i.effective_from and coalesce(i.effective_to, p_to)
        and w.shift_day between p.first and p.last) as shifts
    from days_worked w join pieces p on p.staff_id = i.staff_id where w.user_id = d.user_id
  ) w
  cross join lateral (
    select case i.per when 'day' then w.days when 'shift' then w.shifts
        else case when d.days = d.period_days then 1 else d.days end end as quantity,
      case i.per when 'day' then 'days' when 'shift' then 'shifts'
        else case when d.days = d.period_days then '' else 'days' end end as unit,
      case when i.per = 'period' and d.days < d.period_days then round(i.amount / d.period_days, 6) else i.amount end as rate,
      case i.per when 'day' then w.days * i.amount when 'shift' then w.shifts * i.amount
        else case when d.days = d.period_days then i.amount else round(i.amount * d.days / d.period_days, 2) end end as amount,
      case i.per when 'day' then format('%s for each of %s days worked.', private.money_text(i.amount, p_currency), w.days)
        when 'shift' then format('%s for each of %s shifts.', private.money_text(i.amount, p_currency), w.shifts)
        else case when d.days = d.period_days then format('%s for the period.', private.money_text(i.amount, p_currency))
          else format('%s of %s days of %s.', d.days, d.period_days, private.money_text(i.amount, p_currency)) end
      end as explanation
  ) q
  where i.kind = 'allowance' and i.currency = p_currency and d.days > 0 and q.amount > 0;
$$;

-- Income tax of one pay period, progressive on the year's income in LRD; residents by bands, others flat.
create function private.income_tax(
  p_taxable numeric, p_currency text, p_periods integer, p_lrd_per_usd numeric, p_on date, p_resident boolean
) returns table (amount numeric, explanation text)
language plpgsql stable security definer set search_path = '' as $$
declare
  exchange numeric := case p_currency when 'USD' then p_lrd_per_usd else 1 end;
  flat numeric;
  bands date;
  income numeric;
  tax numeric;
begin
  if not p_resident then
    flat := coalesce(private.pay_rate('income_tax_non_resident', p_on), 0);
    amount := round(p_taxable * flat, 2);
    explanation := format('%s%% of %s, for non-residents.', trim_scale(flat * 100), private.money_text(p_taxable, p_currency));
    return next;
    return;
  end if;
  select coalesce(max(r.effective_from) filter (where r.effective_from <= p_on), min(r.effective_from))
  into bands from public.pay_rates r where r.kind = 'income_tax';
  income := p_taxable * p_periods * exchange;
  select coalesce(sum((least(income, b.upper) - b.from_amount) * b.rate), 0) into tax
  from (
    select r.from_amount, r.rate, coalesce(lead(r.from_amount) over (order by r.from_amount), 'Infinity'::numeric) as upper
    from public.pay_rates r where r.kind = 'income_tax' and r.effective_from = bands
  ) b
  where income > b.from_amount;
  amount := round(tax / p_periods / exchange, 2);
  explanation := format('%s x %s = L$%s a year%s; tax L$%s a year.', private.money_text(p_taxable, p_currency), p_periods,
    to_char(income, 'FM999,999,999,999,990.00'),
    case when p_currency = 'USD' then format(' at L$%s per US$', trim_scale(exchange)) else '' end,
    to_char(tax, 'FM999,999,999,990.00'));
  return next;
end
$$;

-- The flat tax of non-residents is a dated rate like the others.
alter table public.pay_rates drop constraint pay_rates_kind_check;
alter table public.pay_rates add constraint pay_rates_kind_check check (kind in (
  'income_tax', 'income_tax_non_resident', 'nasscorp_employee', 'nasscorp_employer', 'lrd_per_usd', 'minimum_wage'));
insert into public.pay_rates (kind, effective_from, from_amount, rate, source) values
  ('income_tax_non_resident', '2025-01-01', 0, 0.2, 'PwC tax summaries, Liberia (reviewed September 2025)');

revoke all on all functions in schema private from public;
