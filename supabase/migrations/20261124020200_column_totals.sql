-- What stands under the columns of the lists of staff and payroll: the sums of all that a search and the filters leave,
-- not of one page. Both run as the caller: the policies of the tables decide.

-- Whether each word of a search (at most eight) occurs in one of the texts, in any case: as the lists search.
create function private.holds_words(p_search text, variadic p_texts text[]) returns boolean
language sql immutable set search_path = '' as $$
  select not exists (
    select from (
      select found.word
      from regexp_split_to_table(coalesce(lower(p_search), ''), '\s+') with ordinality found (word, place)
      where found.word <> ''
      order by found.place
      limit 8
    ) wanted
    where not exists (select from unnest(p_texts) held where strpos(lower(held), wanted.word) > 0)
  );
$$;
revoke all on function private.holds_words(text, text[]) from public;
grant execute on function private.holds_words(text, text[]) to authenticated;

-- People and their salaries (USD), by how often they are paid: sums of different frequencies are not added together.
create function public.staff_totals(p_search text default null, p_status text default null)
returns table (payment_frequency text, people integer, salaries numeric)
language sql stable set search_path = '' as $$
  select s.payment_frequency, count(*)::integer, sum(s.salary_amount)
  from public.staff s
  where (p_status is null or s.status = p_status)
    and private.holds_words(p_search, s.full_name, s.email, s.phone)
  group by s.payment_frequency
  order by 2 desc, 1;
$$;

-- Payroll records and their amounts (USD).
create function public.payroll_sums(
  p_search text default null, p_status text default null, p_start date default null, p_end date default null
) returns table (records integer, base numeric, deductions numeric, bonuses numeric, net numeric)
language sql stable set search_path = '' as $$
  select count(*)::integer, coalesce(sum(p.base_amount), 0), coalesce(sum(p.deductions), 0),
    coalesce(sum(p.bonuses), 0), coalesce(sum(p.net_amount), 0)
  from public.payroll p
  where (p_status is null or p.payment_status = p_status)
    and (p_start is null or p.period_start = p_start)
    and (p_end is null or p.period_end = p_end)
    and (coalesce(p_search, '') = '' or p.staff_id in (
      select s.id from public.staff s where private.holds_words(p_search, s.full_name)
    ));
$$;

revoke all on function public.staff_totals(text, text), public.payroll_sums(text, text, date, date) from public, anon;
grant execute on function public.staff_totals(text, text), public.payroll_sums(text, text, date, date) to authenticated;
