-- The sums under the payroll are those of the months above it: a cancelled record pays nobody.

-- What it returns changes, so it is made anew.
drop function public.payroll_sums(text, text, date, date);

-- Payroll records and their amounts (USD), without the cancelled ones, of which it says how many were left out.
-- Where cancelled ones are what is asked for, the sums are theirs.
create function public.payroll_sums(
  p_search text default null, p_status text default null, p_start date default null, p_end date default null
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
    where (p_status is null or p.payment_status = p_status)
      and (p_start is null or p.period_start = p_start)
      and (p_end is null or p.period_end = p_end)
      and (coalesce(p_search, '') = '' or p.staff_id in (
        select s.id from public.staff s where private.holds_words(p_search, s.full_name)
      ))
  ) found;
$$;

revoke all on function public.payroll_sums(text, text, date, date) from public, anon;
grant execute on function public.payroll_sums(text, text, date, date) to authenticated;
