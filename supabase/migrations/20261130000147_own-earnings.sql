create or replace FUNCTION public.my_payslips()
 RETURNS TABLE(id uuid, full_name text, role text, period_start date, period_end date, base_amount numeric, deductions numeric, bonuses numeric, net_amount numeric, payment_date date, payment_status text, notes text, calculation jsonb, currency text, payslips jsonb, returned_on date, return_reason text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select p.id, s.full_name, s.role, p.period_start, p.period_end, p.base_amount, p.deductions, p.bonuses,
    p.net_amount, p.payment_date, p.payment_status, p.notes, p.calculation, p.currency,
    (select jsonb_build_object('gross', t.gross, 'deductions', t.deductions, 'net', t.net, 'currency', t.currency,
        'payslip_lines', (
          select coalesce(jsonb_agg(jsonb_build_object('position', l.position, 'kind', l.kind, 'label', l.label,
            'quantity', l.quantity, 'unit', l.unit, 'rate', l.rate, 'amount', l.amount, 'explanation', l.explanation)
              order by l.position), '[]')
          from public.payslip_lines l where l.payslip_id = t.id))
      from public.payslips t where t.payroll_id = p.id and t.published_at is not null),
    p.returned_on, p.return_reason
  from public.staff s
  join public.payroll p on p.staff_id = s.id
  -- Null if the caller is not a member or has no staff record.
  where s.id = (select private.own_staff_id()) order by p.period_start desc, p.created_at desc;
$function$;

CREATE OR REPLACE FUNCTION public.my_earnings()
 RETURNS TABLE(period_start date, period_end date, currency text, basis text, minutes integer, amount numeric)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  mine public.staff;
  today date := private.company_date_of(now());
  pay_group text;
  period daterange;
  week date;
  segments private.time_piece[];
  days public.timesheet_days[];
begin
  select * into mine from public.staff s where s.id = private.own_staff_id();
  pay_group := (private.basis_on(mine.id, today)).payment_frequency;
  if mine.user_id is null or pay_group is null then
    return;
  end if;
  period := private.pay_period(pay_group, today);
  -- As pay_with_records: weeks before matter to overtime.
  week := date_trunc('week', lower(period)::timestamp)::date - 7;
  segments := array(
    select c from private.computed_segments(array[mine.user_id], week, today) c where c.day <= today);
  days := array(
    select row(null, null, d.user_id, d.day, d.planned, d.worked, d.paid, d.missing, d.credited, d.issues,
      d.explanations)::public.timesheet_days
    from private.computed_days(array[mine.user_id], week, today, segments) d where d.day <= today);
  return query
  select lower(period), upper(period) - 1, b.currency, (array_agg(b.basis order by b.first desc))[1],
    coalesce((
      select sum(extract(epoch from s.ends_at - s.starts_at) / 60) from unnest(segments) s
      where s.day between min(b.first) and max(b.last) and s.class not in ('unpaid', 'leave_paid', 'leave_unpaid')
    ), 0)::integer,
    coalesce((
      select sum(e.amount) from private.earning_lines(pay_group, b.currency, lower(period), upper(period) - 1,
        array[mine.id], segments, days) e
    ), 0)
  from private.basis_days(lower(period), upper(period) - 1, array[mine.id]) b
  where b.payment_frequency = pay_group
  group by b.currency order by max(b.first) desc, b.currency;
end
$function$;

grant execute on function public.my_earnings() to authenticated;
