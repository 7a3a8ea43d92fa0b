-- A return of many thousand people comes in pages; its totals are those of the runs.
drop function public.statutory_schedule(date, text);

-- A run belongs to the month in which its period ends. Amounts of different currencies are listed and summed apart.
-- The rows are in one document, so that no limit on rows cuts a return short: all of them, or with p_size page p_page (from 1) of
-- them. `count` is the number of all rows.
create function public.statutory_schedule(
  p_month date, p_kind text, p_page integer default 1, p_size integer default null
) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' set work_mem = '32MB' as $$
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
  if p_page is null or p_page not between 1 and 100000 or p_size not between 1 and 1000 then
    raise exception 'Choose a page, and a size of at most 1000.' using errcode = 'invalid_parameter_value';
  end if;
  first_day := date_trunc('month', p_month)::date;
  last_day := (first_day + interval '1 month - 1 day')::date;
  return (
    with runs as materialized (
      select r.* from public.pay_runs r where r.period_end between first_day and last_day and r.status <> 'void'
    ), people as materialized (
      -- From an index alone: a payslip has the currency of its run.
      select s.staff_id, r.currency
      from runs r join public.payslips s on s.pay_run_id = r.id
      where r.status in ('locked', 'paid')
      group by s.staff_id, r.currency
    ), page as materialized (
      select p.staff_id, p.currency, f.full_name
      from people p join public.staff f on f.id = p.staff_id
      order by p.currency desc, f.full_name, p.staff_id
      limit p_size offset (p_page - 1) * coalesce(p_size, 0)
    ), slips as (
      select p.staff_id, p.currency, p.full_name, s.gross, s.taxable, s.employer_cost, t.tax, t.employee
      from page p
      join runs r on r.currency = p.currency and r.status in ('locked', 'paid')
      join public.payslips s on s.pay_run_id = r.id and s.staff_id = p.staff_id
      cross join lateral (
        select coalesce(sum(-l.amount) filter (where l.kind = 'income_tax'), 0) as tax,
          coalesce(sum(-l.amount) filter (where l.kind = 'nasscorp'), 0) as employee
        from public.payslip_lines l where l.payslip_id = s.id
      ) t
    ), lines as (
      select s.staff_id, s.full_name, s.currency, count(*)::integer as payslips, sum(s.gross) as gross,
        sum(s.taxable) as taxable, sum(s.tax) as tax, sum(s.employee) as employee, sum(s.employer_cost) as employer
      from slips s group by s.staff_id, s.full_name, s.currency
    ), sums as (
      select r.currency, sum(s.gross) as gross, sum(s.taxable) as taxable, sum(coalesce(-s.income_tax, 0)) as tax,
        sum(coalesce(-s.nasscorp, 0)) as employee, sum(s.employer_cost) as employer
      from private.run_sums(array(select r.id from runs r where r.status in ('locked', 'paid'))) s
      join runs r on r.id = s.pay_run_id
      group by r.currency
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
      'count', (select count(*) from people),
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
          select s.currency, (select count(*) from people p where p.currency = s.currency) as people, s.gross::text as gross,
            s.taxable::text as taxable, s.tax::text as tax, s.employee::text as employee, s.employer::text as employer
          from sums s
        ) t
      )
    )
  );
end
$$;

revoke all on function public.statutory_schedule from public, anon;
grant execute on function public.statutory_schedule to authenticated;
