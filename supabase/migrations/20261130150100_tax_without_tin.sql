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
    where s.pay_run_id = p_run.id and t.amount <> (
      select coalesce(sum(-l.amount), 0) from public.payslip_lines l
        where l.payslip_id = s.id and l.kind = 'income_tax')
    order by 1);
  if cardinality(names) > 0 then
    raise exception 'The tax of the month has changed since the calculation, by another pay run, a tax number or a '
      'new rate: %. Return the run and calculate it again.',
      private.names_text(names) using errcode = 'PT409';
  end if;
end
$function$;

create or replace FUNCTION private.statutory_lines(p_run public.pay_runs, p_earned private.pay_line[])
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
  left join private.taxed_in_other_runs(p_run) o on o.staff_id = s.staff_id
  cross join lateral private.month_tax(s.taxable, p_run.currency, p_run.lrd_per_usd, p_run.period_end, p.tax_resident,
    coalesce(o.taxable, 0), coalesce(o.withheld, 0), p.tin is not null) t
  where t.amount <> 0
  union all
  select s.staff_id, 1010, 'nasscorp', 'NASSCORP', null, '', r.rate, -round(s.gross * r.rate, 2), false,
    '{"table": "pay_rates"}', format('%s%% of %s.', trim_scale(r.rate * 100),
      private.money_text(s.gross, p_run.currency))
  from sums s cross join lateral private.pay_rate('nasscorp_employee', p_run.period_end) r (rate)
  where round(s.gross * r.rate, 2) > 0;
$function$;

create or replace FUNCTION private.rate_problem(p_kind text, p_rate numeric, p_day date)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when p_rate < 0 then 'A rate can''t be negative.'
    when p_kind = 'lrd_per_usd' and p_rate not between 50 and 1000
      then 'The exchange rate must be from L$50 to L$1,000 for one US$.'
    when p_kind = 'minimum_wage' and p_rate not between 0.5 and 100
      then 'The minimum wage must be from US$0.50 to US$100 a day.'
    when p_kind in ('nasscorp_employee', 'nasscorp_employer') and (p_rate = 0 or p_rate > 0.3)
      then 'A share of NASSCORP must be above 0 % and at most 30 %.'
    when p_kind in ('income_tax', 'income_tax_non_resident', 'income_tax_no_tin') and p_rate > 0.6
      then 'Income tax can be 60 % at most.'
    when p_kind = 'tax' and p_rate > 0.5 then 'Tax on invoices can be 50 % at most.'
    when p_day not between '2000-01-01' and private.company_date() + 7305
      then 'A rate begins between January 1, 2000 and twenty years from now.'
  end;
$function$;

create or replace FUNCTION private.run_of_rate(p_kind text, p_day date)
 RETURNS public.pay_runs
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select r from public.pay_runs r
  where r.locked_at is not null and r.status <> 'void' and p_day = (
    -- As private.pay_rate chooses.
    select d.day
    from (select p.effective_from as day from public.pay_rates p where p.kind = p_kind union select p_day) d
    order by d.day <= r.period_end desc,
      case when d.day <= r.period_end then r.period_end - d.day else d.day - r.period_end end
    limit 1
  )
    -- This one has no effect before its first day.
    and (p_kind <> 'income_tax_no_tin' or p_day <= r.period_end)
  order by r.period_end desc limit 1;
$function$;

create or replace FUNCTION public.statutory_schedule(p_month date, p_kind text, p_page integer DEFAULT 1, p_size integer DEFAULT NULL::integer)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
 SET work_mem TO '32MB'
AS $function$
declare
  first_day date;
  last_day date;
  rate_kinds text[];
begin
  perform private.require_pay_role();
  if p_month is null or p_month not between '2000-01-01' and '2100-12-31' then
    raise exception 'Choose a month.' using errcode = 'invalid_parameter_value';
  end if;
  rate_kinds := case p_kind
    when 'paye' then array['income_tax', 'income_tax_no_tin']
    when 'nasscorp' then array['nasscorp_employee', 'nasscorp_employer']
  end;
  if rate_kinds is null then
    raise exception 'A return is for paye or nasscorp.' using errcode = 'invalid_parameter_value';
  end if;
  if p_page is null or p_page not between 1 and 100000 or p_size not between 1 and 1000 then
    raise exception 'Choose a page, and a size of at most 1000.' using errcode = 'invalid_parameter_value';
  end if;
  first_day := date_trunc('month', p_month)::date;
  last_day := (first_day + interval '1 month - 1 day')::date;
  return (
    with known as materialized (
      select q.id from public.pay_returns q where q.kind = p_kind and q.month = first_day
    ), runs as materialized (
      select r.* from public.pay_runs r where r.period_end between first_day and last_day and r.status <> 'void'
    ), locked as materialized (
      select r.id, r.currency from runs r where r.status in ('locked', 'paid') and not exists (select from known)
    ), people as materialized (
      -- From an index alone: a payslip has the currency of its run.
      select s.staff_id, r.currency
      from locked r join public.payslips s on s.pay_run_id = r.id
      group by s.staff_id, r.currency
      union all
      select l.staff_id, l.currency from known k join public.pay_return_lines l on l.return_id = k.id
      group by l.staff_id, l.currency
    ), page as materialized (
      select p.staff_id, p.currency, f.full_name, f.tin, f.nasscorp_number, f.tax_resident
      from people p join public.staff f on f.id = p.staff_id
      order by p.currency desc, f.full_name, p.staff_id
      limit p_size offset (p_page - 1) * coalesce(p_size, 0)
    ), slips as (
      select p.staff_id, p.currency, p.full_name, p.tin, p.nasscorp_number, p.tax_resident, s.gross, s.taxable, t.tax,
        t.employee, s.employer_cost as employer
      from page p
      join locked r on r.currency = p.currency
      join public.payslips s on s.pay_run_id = r.id and s.staff_id = p.staff_id
      cross join lateral (
        select coalesce(sum(-l.amount) filter (where l.kind = 'income_tax'), 0) as tax,
          coalesce(sum(-l.amount) filter (where l.kind = 'nasscorp'), 0) as employee
        from public.payslip_lines l where l.payslip_id = s.id
      ) t
      union all
      select p.staff_id, p.currency, p.full_name, l.tin, l.nasscorp_number, l.tax_resident, l.gross, l.taxable, l.tax,
        l.employee, l.employer
      from known k join public.pay_return_lines l on l.return_id = k.id
      join page p on p.staff_id = l.staff_id and p.currency = l.currency
    ), lines as (
      select s.staff_id, s.full_name, s.currency, max(s.tin) as tin, max(s.nasscorp_number) as nasscorp_number,
        bool_and(s.tax_resident) as tax_resident, count(*)::integer as payslips, sum(s.gross) as gross,
        sum(s.taxable) as taxable, sum(s.tax) as tax, sum(s.employee) as employee, sum(s.employer) as employer
      from slips s group by s.staff_id, s.full_name, s.currency
    ), parts as materialized (
      select * from private.parts_of_return((select k.id from known k), array(select r.id from locked r))
    )
    select jsonb_build_object(
      'month', first_day,
      'due_on', private.pay_return_due_on(first_day),
      'rates', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', t.kind, 'from_amount', t.from_amount, 'rate', t.rate,
          'effective_from', t.effective_from, 'source', t.source) order by t.kind, t.from_amount), '[]')
        from public.pay_rates t
        where t.kind = any (rate_kinds) and t.effective_from = (
          select coalesce(max(u.effective_from) filter (where u.effective_from <= last_day), min(u.effective_from))
          from public.pay_rates u where u.kind = t.kind)
          and (t.kind <> 'income_tax_no_tin' or t.effective_from <= last_day)
      ),
      'exchange_rates', (
        select coalesce(jsonb_agg(distinct r.lrd_per_usd), '[]') from runs r
        where r.status in ('locked', 'paid') and r.lrd_per_usd is not null
      ),
      'runs', (select count(*) from runs r where r.status in ('locked', 'paid')),
      'open_runs', (select count(*) from runs r where r.status not in ('locked', 'paid')),
      'count', (select count(*) from people),
      'missing', (
        select count(distinct p.staff_id) from people p join public.staff f on f.id = p.staff_id
        where case p_kind when 'paye' then f.tin else f.nasscorp_number end is null
      ),
      'parts', (
        select coalesce(jsonb_agg(to_jsonb(p) order by p.is_reversal, p.period_end desc, p.pay_group,
          p.currency desc), '[]') from parts p
      ),
      'rows', (
        select coalesce(jsonb_agg(jsonb_build_object('staff_id', l.staff_id, 'full_name', l.full_name, 'tin', l.tin,
          'nasscorp_number', l.nasscorp_number, 'tax_resident', l.tax_resident, 'currency', l.currency,
          'payslips', l.payslips, 'gross', l.gross::text, 'taxable', l.taxable::text, 'tax', l.tax::text,
          'employee', l.employee::text, 'employer', l.employer::text)
          order by l.currency desc, l.full_name, l.staff_id), '[]')
        from lines l
      ),
      'totals', (
        select coalesce(jsonb_agg(to_jsonb(t) order by t.currency desc), '[]')
        from (
          select s.currency, (select count(*) from people p where p.currency = s.currency) as people,
            sum(s.gross::numeric)::text as gross, sum(s.taxable::numeric)::text as taxable,
            sum(s.tax::numeric)::text as tax, sum(s.employee::numeric)::text as employee,
            sum(s.employer::numeric)::text as employer
          from parts s group by s.currency
        ) t
      )
    )
  );
end
$function$;

alter table public.pay_rates drop constraint pay_rates_kind_check;

alter table public.pay_rates add constraint pay_rates_kind_check CHECK ((kind = ANY (ARRAY['income_tax'::text, 'income_tax_non_resident'::text, 'income_tax_no_tin'::text, 'nasscorp_employee'::text, 'nasscorp_employer'::text, 'lrd_per_usd'::text, 'minimum_wage'::text])));

alter table public.rate_proposals drop constraint rate_proposals_kind_check;

alter table public.rate_proposals add constraint rate_proposals_kind_check CHECK ((kind = ANY (ARRAY['income_tax'::text, 'income_tax_non_resident'::text, 'income_tax_no_tin'::text, 'nasscorp_employee'::text, 'nasscorp_employer'::text, 'lrd_per_usd'::text, 'minimum_wage'::text, 'tax'::text])));

CREATE OR REPLACE FUNCTION private.month_tax(p_taxable numeric, p_currency text, p_lrd_per_usd numeric, p_on date, p_resident boolean, p_beside numeric, p_withheld numeric, p_has_tin boolean DEFAULT true)
 RETURNS TABLE(amount numeric, explanation text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  exchange numeric := case p_currency when 'USD' then p_lrd_per_usd else 1 end;
  month numeric := p_taxable * exchange + p_beside;
  flat numeric;
  bands date;
  tax numeric;
  -- The least share without a tax number. Unlike other rates it doesn't count before its first day.
  least_share numeric := case when not p_has_tin then (
    select r.rate from public.pay_rates r where r.kind = 'income_tax_no_tin' and r.effective_from <= p_on
    order by r.effective_from desc limit 1) end;
  rest text := case when p_beside <> 0 or p_withheld <> 0 then format(' Withheld in other runs of the month: L$%s.',
    to_char(p_withheld, 'FM999,999,999,990.00')) else '' end;
  base text := private.money_text(p_taxable, p_currency) || case when p_beside <> 0
    then format(' and L$%s of other runs of the month', to_char(p_beside, 'FM999,999,999,999,990.00')) else '' end;
begin
  if not p_resident then
    flat := coalesce(private.pay_rate('income_tax_non_resident', p_on), 0);
  end if;
  if flat >= coalesce(least_share, 0) then
    amount := round((month * flat - p_withheld) / exchange, 2);
    explanation := format('%s%% of %s, for non-residents.%s', trim_scale(flat * 100), base, rest);
    return next;
    return;
  end if;
  select coalesce(max(r.effective_from) filter (where r.effective_from <= p_on), min(r.effective_from))
  into bands from public.pay_rates r where r.kind = 'income_tax';
  select coalesce(sum((least(month * 12, b.upper) - b.from_amount) * b.rate), 0) into tax
  from (
    select r.from_amount, r.rate, coalesce(lead(r.from_amount)
      over (order by r.from_amount), 'Infinity'::numeric) as upper
    from public.pay_rates r where r.kind = 'income_tax' and r.effective_from = bands
  ) b
  where month * 12 > b.from_amount;
  if not p_resident or month * least_share > tax / 12 then
    amount := round((month * least_share - p_withheld) / exchange, 2);
    explanation := format('%s%% of %s, without a tax number (TIN).%s', trim_scale(least_share * 100), base, rest);
    return next;
    return;
  end if;
  amount := round((tax / 12 - p_withheld) / exchange, 2);
  explanation := format('%s x 12 = L$%s a year%s; tax L$%s a year.%s', base,
    to_char(month * 12, 'FM999,999,999,999,990.00'),
    case when p_currency = 'USD' then format(' at L$%s per US$', trim_scale(exchange)) else '' end,
    to_char(tax, 'FM999,999,999,990.00'), rest);
  return next;
end
$function$;

drop function private.month_tax(numeric,text,numeric,date,boolean,numeric,numeric);
