-- One month, one person, one tax base: whatever the runs, currencies and pay groups that pay them. Each run withholds the tax on
-- all of the month's taxable pay, less what the other runs of the month withhold. A run belongs to the month of its last day.

-- Taxable pay and tax in LRD, at the rate of each run, of the other calculated runs of the month.
create function private.taxed_beside(p_run public.pay_runs) returns table (staff_id uuid, taxable numeric, withheld numeric)
language sql stable security definer set search_path = '' as $$
  select s.staff_id, sum(s.taxable * e.rate), sum(coalesce(t.tax, 0) * e.rate)
  from public.pay_runs r
  cross join lateral (select case r.currency when 'USD' then r.lrd_per_usd else 1 end as rate) e
  join public.payslips s on s.pay_run_id = r.id
  cross join lateral (
    select sum(-l.amount) as tax from public.payslip_lines l where l.payslip_id = s.id and l.kind = 'income_tax'
  ) t
  where r.id <> p_run.id and r.status in ('calculated', 'in_review', 'approved', 'locked', 'paid')
    and r.period_end between date_trunc('month', p_run.period_end::timestamp)::date
      and (date_trunc('month', p_run.period_end::timestamp) + interval '1 month - 1 day')::date
  group by s.staff_id;
$$;

-- @param p_beside, p_withheld taxable pay of the month in other runs and its tax, in LRD. A negative amount is given back.
create function private.month_tax(p_taxable numeric, p_currency text, p_lrd_per_usd numeric, p_on date, p_resident boolean,
  p_beside numeric, p_withheld numeric)
returns table (amount numeric, explanation text)
language plpgsql stable security definer set search_path = '' as $$
declare
  exchange numeric := case p_currency when 'USD' then p_lrd_per_usd else 1 end;
  month numeric := p_taxable * exchange + p_beside;
  flat numeric;
  bands date;
  tax numeric;
  rest text := case when p_beside <> 0 or p_withheld <> 0 then format(' Withheld in other runs of the month: L$%s.',
    to_char(p_withheld, 'FM999,999,999,990.00')) else '' end;
  base text := private.money_text(p_taxable, p_currency) || case when p_beside <> 0
    then format(' and L$%s of other runs of the month', to_char(p_beside, 'FM999,999,999,999,990.00')) else '' end;
begin
  if not p_resident then
    flat := coalesce(private.pay_rate('income_tax_non_resident', p_on), 0);
    amount := round((month * flat - p_withheld) / exchange, 2);
    explanation := format('%s%% of %s, for non-residents.%s', trim_scale(flat * 100), base, rest);
    return next;
    return;
  end if;
  select coalesce(max(r.effective_from) filter (where r.effective_from <= p_on), min(r.effective_from))
  into bands from public.pay_rates r where r.kind = 'income_tax';
  select coalesce(sum((least(month * 12, b.upper) - b.from_amount) * b.rate), 0) into tax
  from (
    select r.from_amount, r.rate, coalesce(lead(r.from_amount) over (order by r.from_amount), 'Infinity'::numeric) as upper
    from public.pay_rates r where r.kind = 'income_tax' and r.effective_from = bands
  ) b
  where month * 12 > b.from_amount;
  amount := round((tax / 12 - p_withheld) / exchange, 2);
  explanation := format('%s x 12 = L$%s a year%s; tax L$%s a year.%s', base, to_char(month * 12, 'FM999,999,999,999,990.00'),
    case when p_currency = 'USD' then format(' at L$%s per US$', trim_scale(exchange)) else '' end,
    to_char(tax, 'FM999,999,999,990.00'), rest);
  return next;
end
$$;

create or replace function private.statutory_lines(p_run pay_runs, p_earned private.pay_line[])
 RETURNS SETOF private.pay_line
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with sums as (
    select e.staff_id, sum(e.amount) as gross,
      greatest(0, coalesce(sum(e.amount) filter (where e.taxable), 0)) as taxable
    from unnest(p_earned) e group by e.staff_id
  )
  select s.staff_id, 1000, 'income_tax', 'Income tax', null::numeric, '', null::numeric, -t.amount, false,
    '{"table": "pay_rates"}'::jsonb, t.explanation
  from sums s join public.staff p on p.id = s.staff_id
  left join private.taxed_beside(p_run) o on o.staff_id = s.staff_id
  cross join lateral private.month_tax(s.taxable, p_run.currency, p_run.lrd_per_usd, p_run.period_end, p.tax_resident,
    coalesce(o.taxable, 0), coalesce(o.withheld, 0)) t
  where t.amount <> 0
  union all
  select s.staff_id, 1010, 'nasscorp', 'NASSCORP', null, '', r.rate, -round(s.gross * r.rate, 2), false,
    '{"table": "pay_rates"}', format('%s%% of %s.', trim_scale(r.rate * 100), private.money_text(s.gross, p_run.currency))
  from sums s cross join lateral private.pay_rate('nasscorp_employee', p_run.period_end) r (rate)
  where round(s.gross * r.rate, 2) > 0;
$function$;
drop function private.income_tax(numeric, text, integer, numeric, date, boolean);

-- A run that follows a voided one of the month can give tax back.
alter table public.payslips drop constraint payslips_deductions_check;

-- What stops a run from being locked, apart from hours and corrections that have changed.
create function private.refuse_unlockable(p_run public.pay_runs) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  names text[];
begin
  names := array(
    select distinct b.full_name from private.payroll_beside_run(p_run) b order by 1);
  if cardinality(names) > 0 then
    raise exception '% of this run already % a payroll record of the period: %. Cancel or delete these records under Payroll, or void this run.',
      case cardinality(names) when 1 then '1 person' else cardinality(names) || ' people' end,
      case cardinality(names) when 1 then 'has' else 'have' end, private.names_text(names)
      using errcode = 'PT409';
  end if;
  -- Another run of the month was calculated, changed or voided since.
  names := array(
    select p.full_name
    from public.payslips s
    join public.staff p on p.id = s.staff_id
    left join private.taxed_beside(p_run) o on o.staff_id = s.staff_id
    cross join lateral private.month_tax(s.taxable, p_run.currency, p_run.lrd_per_usd, p_run.period_end, p.tax_resident,
      coalesce(o.taxable, 0), coalesce(o.withheld, 0)) t
    where s.pay_run_id = p_run.id and t.amount <> (
      select coalesce(sum(-l.amount), 0) from public.payslip_lines l where l.payslip_id = s.id and l.kind = 'income_tax')
    order by 1);
  if cardinality(names) > 0 then
    raise exception 'The tax of the month has changed since the calculation, by another pay run or a new rate: %. Return the run and calculate it again.',
      private.names_text(names) using errcode = 'PT409';
  end if;
end
$$;

revoke all on all functions in schema private from public;
