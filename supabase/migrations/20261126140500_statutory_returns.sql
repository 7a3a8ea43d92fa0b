-- What is owed to the state for a month: income tax (PAYE) and social security (NASSCORP) from locked pay runs, with the
-- rates and their sources. A help for filling in a return, not legal advice.

-- A run belongs to the month in which its period ends. Amounts of different currencies are listed and summed apart.
-- The rows are in one document, so that no limit on rows cuts a return short.
create function public.statutory_schedule(p_month date, p_kind text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
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
    when 'paye' then array['income_tax']
    when 'nasscorp' then array['nasscorp_employee', 'nasscorp_employer']
  end;
  if rate_kinds is null then
    raise exception 'A return is for paye or nasscorp.' using errcode = 'invalid_parameter_value';
  end if;
  first_day := date_trunc('month', p_month)::date;
  last_day := (first_day + interval '1 month - 1 day')::date;
  return (
    with runs as (
      select r.* from public.pay_runs r where r.period_end between first_day and last_day and r.status <> 'void'
    ), slips as (
      select s.staff_id, s.currency, s.gross, s.taxable, s.employer_cost,
        coalesce(sum(-l.amount) filter (where l.kind = 'income_tax'), 0) as tax,
        coalesce(sum(-l.amount) filter (where l.kind = 'nasscorp'), 0) as employee
      from runs r
      join public.payslips s on s.pay_run_id = r.id
      left join public.payslip_lines l on l.payslip_id = s.id
      where r.status in ('locked', 'paid')
      group by s.id
    ), lines as (
      select s.staff_id, p.full_name, s.currency, count(*)::integer as payslips, sum(s.gross) as gross,
        sum(s.taxable) as taxable, sum(s.tax) as tax, sum(s.employee) as employee, sum(s.employer_cost) as employer
      from slips s join public.staff p on p.id = s.staff_id
      group by s.staff_id, p.full_name, s.currency
    )
    select jsonb_build_object(
      'month', first_day,
      'due_on', (first_day + interval '1 month 9 days')::date,
      'rates', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', t.kind, 'from_amount', t.from_amount, 'rate', t.rate,
          'effective_from', t.effective_from, 'source', t.source) order by t.kind, t.from_amount), '[]')
        from public.pay_rates t
        where t.kind = any (rate_kinds) and t.effective_from = (
          select coalesce(max(u.effective_from) filter (where u.effective_from <= last_day), min(u.effective_from))
          from public.pay_rates u where u.kind = t.kind)
      ),
      'exchange_rates', (
        select coalesce(jsonb_agg(distinct r.lrd_per_usd), '[]') from runs r
        where r.status in ('locked', 'paid') and r.lrd_per_usd is not null
      ),
      'runs', (select count(*) from runs r where r.status in ('locked', 'paid')),
      'open_runs', (select count(*) from runs r where r.status not in ('locked', 'paid')),
      'rows', (
        select coalesce(jsonb_agg(jsonb_build_object('staff_id', l.staff_id, 'full_name', l.full_name,
          'currency', l.currency, 'payslips', l.payslips, 'gross', l.gross::text, 'taxable', l.taxable::text,
          'tax', l.tax::text, 'employee', l.employee::text, 'employer', l.employer::text)
          order by l.currency desc, l.full_name, l.staff_id), '[]')
        from lines l
      ),
      'totals', (
        select coalesce(jsonb_agg(to_jsonb(t) order by t.currency desc), '[]')
        from (
          select l.currency, count(*) as people, sum(l.gross)::text as gross, sum(l.taxable)::text as taxable,
            sum(l.tax)::text as tax, sum(l.employee)::text as employee, sum(l.employer)::text as employer
          from lines l group by l.currency
        ) t
      )
    )
  );
end
$$;

revoke all on function public.statutory_schedule from public, anon;
grant execute on function public.statutory_schedule to authenticated;
