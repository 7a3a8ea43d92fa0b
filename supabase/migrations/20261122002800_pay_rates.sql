-- Rates from which payroll suggests deductions: dated, with their source, edited by admins. Not legal advice.
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

alter publication supabase_realtime add table public.pay_rates;

insert into public.pay_rates (kind, effective_from, from_amount, rate, source) values
  ('income_tax', '2025-01-01', 0, 0, 'PwC tax summaries, Liberia (reviewed September 2025)'),
  ('income_tax', '2025-01-01', 70000, 0.05, 'PwC tax summaries, Liberia (reviewed September 2025)'),
  ('income_tax', '2025-01-01', 200000, 0.15, 'PwC tax summaries, Liberia (reviewed September 2025)'),
  ('income_tax', '2025-01-01', 800000, 0.25, 'PwC tax summaries, Liberia (reviewed September 2025)'),
  ('nasscorp_employee', '2025-01-01', 0, 0.04, 'PwC tax summaries; nasscorp.org.lr'),
  ('nasscorp_employer', '2025-01-01', 0, 0.06, 'PwC tax summaries; nasscorp.org.lr (4% pension, 2% injury)'),
  ('lrd_per_usd', '2025-01-01', 0, 184, 'About the middle of 2025-26 (L$181 to 197); set the rate of the day'),
  ('minimum_wage', '2025-01-01', 0, 5.5, 'Formal sector, US$5.50 a day (press and business hub, 2026)');

create function private.periods_a_year(p_frequency text) returns integer
language sql immutable set search_path = '' as $$
  select case p_frequency when 'weekly' then 52 when 'bi-weekly' then 26 when 'monthly' then 12 end;
$$;

-- The rate of a kind on a day; before the first known rate, that one.
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
  -- The bands of the day; before the first known bands, those.
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

revoke all on all functions in schema private from public;
grant execute on function private.periods_a_year, private.pay_rate to authenticated;
revoke all on function public.suggest_deductions from public, anon;
grant execute on function public.suggest_deductions to authenticated;
