-- The hours behind a row of margin(): of each guard at a site, or without one, in the months from p_from to p_to.
-- Worked: as computed. Paid: of these, in the period of a locked run with a payslip of the guard. Billed: by issued lines.
create function public.margin_hours(p_from date, p_to date, p_site_id uuid default null)
returns table (
  user_id uuid, full_name text, worked_minutes bigint, paid_minutes bigint, billed_minutes bigint
)
language plpgsql stable security definer set search_path = '' as $$
declare
  first_day date;
  last_day date;
begin
  perform private.require_billing_role();
  perform private.require_billed_days(p_from, p_to);
  first_day := date_trunc('month', p_from)::date;
  last_day := (date_trunc('month', p_to) + interval '1 month - 1 day')::date;
  return query
  with worked as (
    select t.user_id, sum(t.minutes)::bigint as minutes, coalesce(sum(t.minutes) filter (where p.is_paid), 0)::bigint as paid
    from public.time_segments t
    cross join lateral (
      select exists (
        select from public.payslips s join public.pay_runs r on r.id = s.pay_run_id
        where s.user_id = t.user_id and r.status in ('locked', 'paid') and t.day between r.period_start and r.period_end
      ) as is_paid
    ) p
    where t.site_id is not distinct from p_site_id and t.day between first_day and last_day
      and t.class not in ('unpaid', 'leave_paid', 'leave_unpaid')
    group by t.user_id
  ), billed as (
    select b.user_id, sum(b.minutes)::bigint as minutes
    from public.billed_time b
    join public.invoice_lines l on l.id = b.invoice_line_id and l.credited_at is null
    join public.invoices i on i.id = l.invoice_id and i.status <> 'draft'
    where b.freed_at is null and b.site_id = p_site_id
      and lower(b.span) >= private.company_midnight(first_day) and lower(b.span) < private.company_midnight(last_day + 1)
    group by b.user_id
  )
  select coalesce(w.user_id, b.user_id), coalesce(nullif(p.full_name, ''), p.email, 'Former user'),
    coalesce(w.minutes, 0), coalesce(w.paid, 0), coalesce(b.minutes, 0)
  from worked w full join billed b on b.user_id = w.user_id
  left join public.profiles p on p.id = coalesce(w.user_id, b.user_id)
  order by 2, 1;
end
$$;

revoke all on function public.margin_hours from public, anon;
grant execute on function public.margin_hours to authenticated, service_role;
