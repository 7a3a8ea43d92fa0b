-- Payroll records in the currency of their pay run. Sums and totals never mix currencies.
alter table public.payroll
  add column currency text not null default 'USD' check (currency in ('USD', 'LRD'));

-- Creates a pending record for each active member of staff with a salary in USD and without a record that overlaps the
-- period; the others of them are skipped. People with another basis or currency are paid by pay runs. `overlapping` lists those
-- skipped because of another period, with the first such record and how many there are.
create or replace function public.draft_payroll(p_start date, p_end date)
returns table (added integer, skipped integer, overlapping jsonb)
language plpgsql set search_path = '' as $$
begin
  if not (select private.has_role('admin', 'finance')) then
    raise exception 'Only admins and finance draft payroll.' using errcode = 'insufficient_privilege';
  end if;
  if p_start is null or p_end is null or p_end < p_start or p_end - p_start > 366 then
    raise exception 'A pay period ends on or after its first day, and lasts a year at most.'
      using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('draft_payroll', 0));
  -- Locked, so that no record is added between this check and the inserts.
  perform from public.staff s where s.status = 'active' order by s.id for no key update;
  select coalesce(jsonb_agg(to_jsonb(o) order by o.full_name, o.period_start), '[]') into overlapping
  from (
    select distinct on (s.id) s.full_name, p.period_start, p.period_end, p.payment_status,
      count(*) over (partition by s.id) as records
    from public.staff s join public.payroll p on p.staff_id = s.id
    where s.status = 'active' and s.pay_basis = 'salary' and s.currency = 'USD' and p.payment_status <> 'cancelled'
      and p.period_start <= p_end and p.period_end >= p_start
      and (p.period_start, p.period_end) <> (p_start, p_end)
    order by s.id, p.period_start
  ) o;
  with due as (
    select s.id, s.payment_frequency,
      private.base_amount(s.salary_amount, s.payment_frequency, p_start, p_end) as base
    from public.staff s
    where s.status = 'active' and s.pay_basis = 'salary' and s.currency = 'USD' and not exists (
      select from public.payroll p
      where p.staff_id = s.id and p.payment_status <> 'cancelled'
        and p.period_start <= p_end and p.period_end >= p_start)
  ), lines as materialized (
    -- One calculation per wage. Inlined, it would run for each person and each use.
    select d.base, d.payment_frequency,
      (select jsonb_agg(to_jsonb(line))
        from public.suggest_deductions(d.base, d.payment_frequency, p_end) line) as calculation
    from (select distinct base, payment_frequency from due) d
  ), drafted as (
    insert into public.payroll (staff_id, period_start, period_end, base_amount, deductions, net_amount, calculation)
    select d.id, p_start, p_end, d.base,
      least(d.base, coalesce((
        select sum((line ->> 'amount')::numeric) from jsonb_array_elements(l.calculation) line
      ), 0)),
      0, l.calculation
    from due d join lines l using (base, payment_frequency)
    returning 1
  )
  select count(*)::integer, (
      select count(*)::integer from public.staff s
      where s.status = 'active' and s.pay_basis = 'salary' and s.currency = 'USD'
    ) - count(*)::integer
  into added, skipped from drafted;
  return next;
end
$$;

-- Totals per pay period in one currency, newest first, without cancelled records.
drop function public.payroll_totals();
create function public.payroll_totals(p_currency text default 'USD')
returns table (
  period_start date, period_end date, records bigint, base numeric, deductions numeric, bonuses numeric, net numeric,
  unpaid numeric
)
language sql stable set search_path = '' as $$
  select p.period_start, p.period_end, count(*), sum(p.base_amount), sum(p.deductions), sum(p.bonuses),
    sum(p.net_amount), sum(p.net_amount) filter (where p.payment_status = 'pending')
  from public.payroll p
  where p.currency = p_currency and p.payment_status <> 'cancelled' and (select private.has_role('admin', 'finance'))
  group by p.period_start, p.period_end
  order by p.period_start desc, p.period_end desc;
$$;

-- Count and amounts, in one currency, of the records in the list, without cancelled ones, which it counts separately. If the list
-- shows only cancelled records, the sums are theirs.
drop function public.payroll_sums(text, text, date, date);
create function public.payroll_sums(
  p_search text default null, p_status text default null, p_start date default null, p_end date default null,
  p_currency text default 'USD'
) returns table (
  records integer, base numeric, deductions numeric, bonuses numeric, net numeric, cancelled integer
)
language sql stable set search_path = '' as $$
  select count(*) filter (where found.counts)::integer,
    coalesce(sum(found.base_amount) filter (where found.counts), 0),
    coalesce(sum(found.deductions) filter (where found.counts), 0),
    coalesce(sum(found.bonuses) filter (where found.counts), 0),
    coalesce(sum(found.net_amount) filter (where found.counts), 0),
    count(*) filter (where not found.counts)::integer
  from (
    select p.base_amount, p.deductions, p.bonuses, p.net_amount,
      p_status is not null or p.payment_status <> 'cancelled' as counts
    from public.payroll p
    where p.currency = p_currency and (p_status is null or p.payment_status = p_status)
      and (p_start is null or p.period_start = p_start)
      and (p_end is null or p.period_end = p_end)
      and p.staff_id in (
        select s.id from public.staff s where s.full_name ilike all ((select private.search_patterns(p_search))::text[])
      )
  ) found;
$$;

-- The caller's own payslips, with name and role from the staff record, which they can't read. `payslips` has the lines, if a
-- pay run wrote the record: {gross, deductions, net, currency, payslip_lines}.
drop function public.my_payslips();
create function public.my_payslips() returns table (
  id uuid,
  full_name text,
  role text,
  period_start date,
  period_end date,
  base_amount numeric,
  deductions numeric,
  bonuses numeric,
  net_amount numeric,
  payment_date date,
  payment_status text,
  notes text,
  calculation jsonb,
  currency text,
  payslips jsonb
)
language sql stable security definer set search_path = '' as $$
  select p.id, s.full_name, s.role, p.period_start, p.period_end, p.base_amount, p.deductions, p.bonuses,
    p.net_amount, p.payment_date, p.payment_status, p.notes, p.calculation, p.currency,
    (select jsonb_build_object('gross', t.gross, 'deductions', t.deductions, 'net', t.net, 'currency', t.currency,
        'payslip_lines', (
          select coalesce(jsonb_agg(jsonb_build_object('position', l.position, 'label', l.label, 'quantity', l.quantity,
            'unit', l.unit, 'rate', l.rate, 'amount', l.amount, 'explanation', l.explanation) order by l.position), '[]')
          from public.payslip_lines l where l.payslip_id = t.id))
      from public.payslips t where t.payroll_id = p.id and t.published_at is not null)
  from public.staff s
  join public.payroll p on p.staff_id = s.id
  -- Null if the caller is not a member or has no staff record.
  where s.id = (select private.own_staff_id())
  order by p.period_start desc, p.created_at desc;
$$;
comment on function public.my_payslips is 'Nullable: payment_date, notes, calculation, payslips';

revoke all on function public.payroll_totals, public.payroll_sums, public.my_payslips from public, anon;
grant execute on function public.payroll_totals, public.payroll_sums, public.my_payslips to authenticated;
