-- Income tax that locked runs withheld too much, because an earlier run of their month was voided since, and how it is
-- given back.

-- ── Functions ─────────────────────────────────────────────────────────

-- People whose runs of a month were calculated beside one that was voided later: what the latest withheld more than it
-- would now, in its currency. A run that was calculated since has made up for it. Without a month: of all months.
create function private.tax_too_much(p_month date default null)
returns table (
  staff_id uuid, month date, pay_run_id uuid, currency text, lrd_per_usd numeric, withheld_lrd numeric, amount numeric
)
language sql stable security definer set search_path = '' as $$
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
$$;

-- The same with names, for finance. What is asked to be given back stays until it is decided.
create function public.tax_too_much()
returns table (
  staff_id uuid, full_name text, month date, pay_run_id uuid, run_status text, period_start date, period_end date,
  currency text, withheld_lrd numeric, due_lrd numeric, amount numeric, adjustment_id uuid
)
language plpgsql stable security definer set search_path = '' as $$
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
$$;
comment on function public.tax_too_much is 'Nullable: adjustment_id';
grant execute on function public.tax_too_much to authenticated, service_role;

-- Asks to give a person the tax of a month back that is too much; somebody else decides it, and the next run pays it as
-- less income tax. @returns the adjustment; the one that waits already, if there is one
create function public.give_tax_back(p_staff_id uuid, p_month date) returns uuid
language plpgsql security definer set search_path = '' as $$
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
$$;
grant execute on function public.give_tax_back to authenticated, service_role;

-- Before tax is given back: the month may have been run again since it was asked.
create function private.check_tax_back(p_adjustment public.pay_adjustments, p_amount numeric) returns void
language plpgsql stable security definer set search_path = '' as $$
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
$$;

-- Tax of earlier months that a run gives back: less income tax, and no pay.
create function private.tax_back_lines(p_run public.pay_runs, p_lines private.pay_line[])
returns setof private.pay_line
language sql stable security definer set search_path = '' as $$
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
$$;
