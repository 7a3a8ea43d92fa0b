-- Rates that payroll is suggested from: dated, with their source, editable by admins. Nothing here is legal advice.
create table public.pay_rates (
  id uuid primary key default gen_random_uuid(),
  -- income_tax: a band of yearly income in LRD, from_amount is where it begins and rate the share of what lies above.
  -- nasscorp_employee, nasscorp_employer: the share of gross pay. lrd_per_usd: the exchange rate for the tax bands.
  -- minimum_wage: USD a day.
  kind text not null
    check (kind in ('income_tax', 'nasscorp_employee', 'nasscorp_employer', 'lrd_per_usd', 'minimum_wage')),
  effective_from date not null,
  from_amount numeric(14, 2) not null default 0 check (from_amount between 0 and 999999999999.99),
  rate numeric(14, 6) not null check (rate between 0 and 99999999),
  source text not null check (char_length(source) between 1 and 500),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pay_rates_share check (kind in ('lrd_per_usd', 'minimum_wage') or rate <= 1),
  constraint pay_rates_band check (kind = 'income_tax' or from_amount = 0)
);

create unique index pay_rates_kind_date_key on public.pay_rates (kind, effective_from, from_amount);
create index pay_rates_created_by_idx on public.pay_rates (created_by);

select private.tidy_texts_of('public.pay_rates', 'source');
create trigger b_author before insert or update on public.pay_rates
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.pay_rates
  for each row execute function private.touch();
select private.keep_history_of('public.pay_rates');

alter table public.pay_rates enable row level security;
revoke all on public.pay_rates from anon, authenticated;
grant select, insert, update, delete on public.pay_rates to authenticated;

create policy "Admins read pay rates" on public.pay_rates
  for select to authenticated using ((select private.has_role('admin')));
create policy "Admins add pay rates" on public.pay_rates
  for insert to authenticated with check ((select private.has_role('admin')));
create policy "Admins change pay rates" on public.pay_rates
  for update to authenticated
  using ((select private.has_role('admin'))) with check ((select private.has_role('admin')));
create policy "Admins delete pay rates" on public.pay_rates
  for delete to authenticated using ((select private.has_role('admin')));

insert into public.pay_rates (kind, effective_from, from_amount, rate, source) values
  ('income_tax', '2025-01-01', 0, 0, 'PwC tax summaries, Liberia (reviewed September 2025)'),
  ('income_tax', '2025-01-01', 70000, 0.05, 'PwC tax summaries, Liberia (reviewed September 2025)'),
  ('income_tax', '2025-01-01', 200000, 0.15, 'PwC tax summaries, Liberia (reviewed September 2025)'),
  ('income_tax', '2025-01-01', 800000, 0.25, 'PwC tax summaries, Liberia (reviewed September 2025)'),
  ('nasscorp_employee', '2025-01-01', 0, 0.04, 'PwC tax summaries; nasscorp.org.lr'),
  ('nasscorp_employer', '2025-01-01', 0, 0.06, 'PwC tax summaries; nasscorp.org.lr (4% pension, 2% injury)'),
  ('lrd_per_usd', '2025-01-01', 0, 184, 'About the middle of 2025-26 (L$181 to 197); set the rate of the day'),
  ('minimum_wage', '2025-01-01', 0, 5.5, 'Formal sector, US$5.50 a day (press and business hub, 2026)');

-- How a deduction came about: [{"name": …, "amount": …, "how": …}]. Their sum is what was suggested.
alter table public.payroll add column calculation jsonb
  check (calculation is null or (jsonb_typeof(calculation) = 'array' and pg_column_size(calculation) < 20000));

-- How many such periods a year has.
create function private.periods_a_year(p_frequency text) returns integer
language sql immutable set search_path = '' as $$
  select case p_frequency when 'weekly' then 52 when 'bi-weekly' then 26 when 'monthly' then 12 end;
$$;

-- The rate of a kind that holds on a day; the earliest one before any.
create function private.pay_rate(p_kind text, p_on date) returns numeric
language sql stable set search_path = '' as $$
  select r.rate from public.pay_rates r
  where r.kind = p_kind
  order by r.effective_from <= p_on desc,
    case when r.effective_from <= p_on then p_on - r.effective_from else r.effective_from - p_on end
  limit 1;
$$;

-- Deductions suggested for gross pay in USD of one pay interval. Progressive tax is on the year's income in LRD.
create function public.suggest_deductions(p_gross numeric, p_frequency text, p_on date)
returns table (name text, amount numeric, how text)
language plpgsql stable set search_path = '' as $$
declare
  periods integer := private.periods_a_year(p_frequency);
  exchange numeric := private.pay_rate('lrd_per_usd', p_on);
  share numeric := private.pay_rate('nasscorp_employee', p_on);
  bands date;
  income numeric;
  tax numeric;
begin
  if p_gross is null or p_gross < 0 or p_gross > 999999999999.99 then
    raise exception 'Gross pay is an amount of at least 0.' using errcode = 'invalid_parameter_value';
  end if;
  if periods is null then
    raise exception 'Pay is weekly, bi-weekly or monthly.' using errcode = 'invalid_parameter_value';
  end if;
  -- The bands of the day; before the first known ones, those.
  select coalesce(max(r.effective_from) filter (where r.effective_from <= p_on), min(r.effective_from))
  into bands from public.pay_rates r where r.kind = 'income_tax';
  if bands is not null and exchange > 0 then
    income := p_gross * periods * exchange;
    select coalesce(sum((least(income, b.upper) - b.from_amount) * b.rate), 0) into tax
    from (
      select r.from_amount, r.rate,
        coalesce(lead(r.from_amount) over (order by r.from_amount), 'Infinity'::numeric) as upper
      from public.pay_rates r where r.kind = 'income_tax' and r.effective_from = bands
    ) b
    where income > b.from_amount;
    name := 'Income tax';
    amount := round(tax / periods / exchange, 2);
    how := format('US$%s x %s = L$%s a year at L$%s per US$; tax L$%s a year',
      to_char(p_gross, 'FM999,999,999,990.00'), periods, to_char(income, 'FM999,999,999,999,990.00'),
      trim_scale(exchange), to_char(tax, 'FM999,999,999,990.00'));
    return next;
  end if;
  if share is not null then
    name := 'NASSCORP';
    amount := round(p_gross * share, 2);
    how := format('%s%% of US$%s', trim_scale(share * 100), to_char(p_gross, 'FM999,999,999,990.00'));
    return next;
  end if;
end
$$;

-- Pay of a period from a salary: the salary itself where the period is one pay interval, else its share by days.
create function private.base_amount(p_salary numeric, p_frequency text, p_start date, p_end date) returns numeric
language sql immutable set search_path = '' as $$
  select case
    when p_frequency = 'weekly' and p_end - p_start = 6 then p_salary
    when p_frequency = 'bi-weekly' and p_end - p_start = 13 then p_salary
    when p_frequency = 'monthly' and p_end = (p_start + interval '1 month - 1 day')::date then p_salary
    else round(p_salary * private.periods_a_year(p_frequency) * (p_end - p_start + 1) / 365, 2)
  end;
$$;

-- One pending record for each active member of staff who has none of the period yet. Run twice at once, it adds once.
create function public.draft_payroll(p_start date, p_end date)
returns table (added integer, skipped integer)
language plpgsql set search_path = '' as $$
begin
  if not (select private.has_role('admin')) then
    raise exception 'Only admins draft payroll.' using errcode = 'insufficient_privilege';
  end if;
  if p_start is null or p_end is null or p_end < p_start or p_end - p_start > 366 then
    raise exception 'A pay period ends on or after its first day, and lasts a year at most.'
      using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('draft_payroll', 0));
  with due as (
    select s.id, s.payment_frequency,
      private.base_amount(s.salary_amount, s.payment_frequency, p_start, p_end) as base
    from public.staff s
    where s.status = 'active' and not exists (
      select from public.payroll p
      where p.staff_id = s.id and p.period_start = p_start and p.period_end = p_end
        and p.payment_status <> 'cancelled')
  ), lines as (
    -- People of one wage share the work of one calculation.
    select d.base, d.payment_frequency,
      (select jsonb_agg(to_jsonb(line)) from public.suggest_deductions(d.base, d.payment_frequency, p_end) line) as calculation
    from (select distinct base, payment_frequency from due) d
  ), drafted as (
    insert into public.payroll (staff_id, period_start, period_end, base_amount, deductions, net_amount, calculation)
    select d.id, p_start, p_end, d.base,
      least(d.base, coalesce((select sum((line ->> 'amount')::numeric) from jsonb_array_elements(l.calculation) line), 0)),
      0, l.calculation
    from due d join lines l using (base, payment_frequency)
    returning 1
  )
  select count(*)::integer, (select count(*)::integer from public.staff s where s.status = 'active') - count(*)::integer
  into added, skipped from drafted;
  return next;
end
$$;

-- Totals of each pay period, newest first. Cancelled records pay nobody.
create function public.payroll_totals()
returns table (period_start date, period_end date, records bigint, base numeric, deductions numeric, bonuses numeric, net numeric, unpaid numeric)
language sql stable set search_path = '' as $$
  select p.period_start, p.period_end, count(*), sum(p.base_amount), sum(p.deductions), sum(p.bonuses),
    sum(p.net_amount), sum(p.net_amount) filter (where p.payment_status = 'pending')
  from public.payroll p
  where p.payment_status <> 'cancelled' and (select private.has_role('admin'))
  group by p.period_start, p.period_end
  order by p.period_start desc, p.period_end desc;
$$;

revoke all on function private.periods_a_year(text), private.pay_rate(text, date),
  private.base_amount(numeric, text, date, date) from public;
grant execute on function private.periods_a_year(text), private.pay_rate(text, date),
  private.base_amount(numeric, text, date, date) to authenticated;
revoke all on function public.suggest_deductions(numeric, text, date), public.draft_payroll(date, date),
  public.payroll_totals() from public, anon;
grant execute on function public.suggest_deductions(numeric, text, date), public.draft_payroll(date, date),
  public.payroll_totals() to authenticated;

alter publication supabase_realtime add table public.pay_rates;
