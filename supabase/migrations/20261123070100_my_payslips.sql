-- A person's own payslips with the name and role that stand on them: the staff record itself is closed to them.
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
  calculation jsonb
)
language sql stable security definer set search_path = '' as $$
  select p.id, s.full_name, s.role, p.period_start, p.period_end, p.base_amount, p.deductions, p.bonuses,
    p.net_amount, p.payment_date, p.payment_status, p.notes, p.calculation
  from public.staff s
  join public.payroll p on p.staff_id = s.id
  -- Null for whoever is no member, or is linked to no staff record.
  where s.id = (select private.own_staff_id())
  order by p.period_start desc, p.created_at desc;
$$;
revoke all on function public.my_payslips() from public, anon;
grant execute on function public.my_payslips() to authenticated;
comment on function public.my_payslips() is 'Nullable: payment_date, notes, calculation';
