-- Severance and thirteenth month: dated rules, and what is due by them. Adjustments pay it.

-- ── Tables ────────────────────────────────────────────────────────────

-- What a kind of pay is from a day on. Without a rule, or with 0 months, nothing is due.
create table public.pay_item_rules (
  id uuid default gen_random_uuid() primary key,
  kind text not null check (kind in ('severance', 'thirteenth_month')),
  effective_from date not null check (effective_from between '2000-01-01' and '2199-12-31'),
  months numeric(6,3) not null check (months between 0 and 24), -- Of basic pay, for a year of service or a year worked.
  paid_in smallint check (paid_in between 1 and 12), -- The calendar month of a thirteenth month.
  least_service_months smallint not null default 0 check (least_service_months between 0 and 600),
  taxable boolean not null default true,
  source text not null check (char_length(source) between 1 and 500),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  constraint pay_item_rules_one_a_day unique (kind, effective_from),
  constraint pay_item_rules_paid_in check ((kind = 'thirteenth_month') = (paid_in is not null))
);
create index pay_item_rules_created_by_idx on public.pay_item_rules (created_by);
alter publication supabase_realtime add table public.pay_item_rules;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.pay_item_rules', 'source');
create trigger b_author before insert on public.pay_item_rules
  for each row execute function private.stamp_author();
create trigger c_in_use before delete on public.pay_item_rules
  for each row execute function private.refuse_while_used(
    'pay_adjustments', 'item_rule_id',
      'Adjustments were entered by this rule, so it is kept. Add one that begins later.');
select private.keep_history_of('public.pay_item_rules');
alter table public.pay_item_rules enable row level security;
grant select, insert, delete on public.pay_item_rules to authenticated;
create policy "Admins and finance read the rules of pay items" on public.pay_item_rules
  for select to authenticated using ((select private.may_pay()));
create policy "Admins and finance add rules of pay items" on public.pay_item_rules
  for insert to authenticated with check ((select private.may_pay()));
create policy "Admins and finance delete rules of pay items" on public.pay_item_rules
  for delete to authenticated using ((select private.may_pay()));

-- ── Functions ─────────────────────────────────────────────────────────

-- The rule in force on a day, or null.
create function private.pay_item_rule(p_kind text, p_on date) returns public.pay_item_rules
language sql stable security definer set search_path = '' as $$
  select r from public.pay_item_rules r
  where r.kind = p_kind and r.effective_from <= p_on order by r.effective_from desc limit 1;
$$;

-- A month of basic pay: hours of the regular week, shifts of six days a week, 52 weeks a year.
create function private.month_of_pay(p_basis public.pay_bases, p_on date) returns numeric
language sql stable security definer set search_path = '' as $$
  select round(p_basis.amount * case p_basis.basis
    when 'salary' then private.periods_a_year(p_basis.payment_frequency)
    when 'shift' then 6 * 52
    else (select (r.rule).week_minutes from private.time_rule_days() r where p_on >= r.first and p_on < r.until)
      / 60.0 * 52 end / 12, 2);
$$;

-- Whole months from the first to the last day of an employment, both inclusive.
create function private.months_of_service(p_first date, p_last date) returns integer
language sql immutable set search_path = '' as $$
  select (extract(year from a) * 12 + extract(month from a))::integer
  from age((p_last + 1)::timestamp, p_first::timestamp) a;
$$;

-- What the rules of their days give each person: severance when the last day is known, up to the end of this month; a
-- thirteenth month from the first day of its month on, for a year.
create function private.pay_items_owed(p_on date)
returns table (
  staff_id uuid, kind text, rule_id uuid, first date, last date, year integer, amount numeric, currency text,
  taxable boolean, explanation text
)
language sql stable security definer set search_path = '' as $$
  select s.id, r.kind, r.id, s.hire_date, s.end_date, 0, round(p.pay * r.months * m.months / 12, 2), b.currency,
    r.taxable, format('%s of pay for each year of service: %s x %s x %s months / 12.',
      case when r.months = 1 then '1 month' else trim_scale(r.months) || ' months' end,
      private.money_text(p.pay, b.currency), trim_scale(r.months), m.months)
  from public.staff s
  cross join lateral private.pay_item_rule('severance', s.end_date) r
  cross join lateral private.basis_on(s.id, s.end_date) b
  cross join lateral private.month_of_pay(b, s.end_date) p (pay)
  cross join lateral private.months_of_service(s.hire_date, s.end_date) m (months)
  where s.end_date between s.hire_date and (date_trunc('month', p_on::timestamp) + interval '1 month - 1 day')::date
    and r.months > 0 and m.months > 0 and m.months >= r.least_service_months and p.pay > 0
  union all
  select s.id, 'thirteenth_month', (y.r).id, d.first, d.last, y.year,
    round(p.pay * (y.r).months * d.days / y.days, 2), b.currency, (y.r).taxable,
    format('%s for a year: %s x %s of %s days.',
      case when (y.r).months = 1 then 'A month of pay' else trim_scale((y.r).months) || ' months of pay' end,
      private.money_text(p.pay * (y.r).months, b.currency), d.days, y.days)
  from (
    -- One rule a year, the newest, should the month of payment have changed.
    select distinct on (extract(year from m.day)) r, extract(year from m.day)::integer as year,
      date_trunc('year', m.day)::date as first, (date_trunc('year', m.day) + interval '1 year - 1 day')::date as last,
      (date_trunc('year', m.day) + interval '1 year')::date - date_trunc('year', m.day)::date as days
    from generate_series(0, 11) k
    cross join lateral (select date_trunc('month', p_on::timestamp) - make_interval(months => k) as day) m
    cross join lateral private.pay_item_rule('thirteenth_month', (m.day + interval '1 month - 1 day')::date) r
    where r.months > 0 and r.paid_in = extract(month from m.day)
    order by extract(year from m.day), m.day desc
  ) y
  join public.staff s on s.hire_date <= y.last and coalesce(s.end_date, y.last) >= y.first
    and (s.status = 'active' or s.end_date is not null)
  cross join lateral (
    select greatest(s.hire_date, y.first) as first, least(s.end_date, y.last) as last,
      least(s.end_date, y.last) - greatest(s.hire_date, y.first) + 1 as days
  ) d
  cross join lateral private.basis_on(s.id, d.last) b
  cross join lateral private.month_of_pay(b, d.last) p (pay)
  where d.days > 0 and p.pay > 0
    and private.months_of_service(s.hire_date, d.last) >= (y.r).least_service_months;
$$;

-- What is owed and no adjustment has yet, and what adjustments have and is no longer owed: negative. Of an earlier
-- employment nothing changes. Earlier proposals count, also rejected ones, until the figure is another.
create function private.pay_items_to_propose(p_on date)
returns table (
  staff_id uuid, kind text, rule_id uuid, first date, last date, before numeric, after numeric, amount numeric,
  more numeric, currency text, taxable boolean, explanation text
)
language sql stable security definer set search_path = '' as $$
  with owed as materialized (
    select * from private.pay_items_owed(p_on)
  ), noted as (
    select a.staff_id, a.kind, y.year, a.currency, coalesce(sum(a.amount) filter (where a.status <> 'rejected'), 0)
      as amount, coalesce(sum((a.details ->> 'more')::numeric) filter (where not a.details ? 'rest_of'), 0) as figure,
      min(a.period_start) as first, max(a.period_end) as last, bool_and(a.taxable) as taxable,
      (array_agg(a.item_rule_id order by a.created_at desc))[1] as rule_id
    from public.pay_adjustments a
    join public.staff s on s.id = a.staff_id
    cross join lateral (
      select case a.kind when 'severance' then 0 else extract(year from a.period_end)::integer end as year
    ) y
    where a.kind in ('severance', 'thirteenth_month') and a.status <> 'superseded' and a.period_end >= s.hire_date
      and (a.kind = 'severance' or y.year in (select o.year from owed o where o.kind = 'thirteenth_month'))
    group by a.staff_id, a.kind, y.year, a.currency
  )
  select coalesce(o.staff_id, n.staff_id), coalesce(o.kind, n.kind), coalesce(o.rule_id, n.rule_id),
    coalesce(o.first, n.first), coalesce(o.last, n.last), n.amount, coalesce(o.amount, 0),
    coalesce(o.amount, 0) - coalesce(n.amount, 0), coalesce(o.amount, 0) - coalesce(n.figure, 0),
    coalesce(o.currency, n.currency), coalesce(o.taxable, n.taxable),
    coalesce(o.explanation, 'No longer due: the employment or its pay has changed.')
  from owed o
  full join noted n on n.staff_id = o.staff_id and n.kind = o.kind and n.year = o.year and n.currency = o.currency
  where coalesce(o.amount, 0) <> coalesce(n.figure, 0) and coalesce(o.amount, 0) <> coalesce(n.amount, 0);
$$;

-- Severance and thirteenth months that nobody has entered yet: of one kind or both, a page of them, with how many there
-- are in all.
create function public.pay_items_due(p_kind text default null, p_page integer default 1, p_size integer default 20)
returns table (
  staff_id uuid, full_name text, kind text, period_start date, period_end date, figure_before numeric,
  figure_after numeric, amount numeric, currency text, taxable boolean, explanation text, total bigint
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_pay_role();
  if p_page is null or p_page not between 1 and 1000000 or p_size is null or p_size not between 1 and 500 then
    raise exception 'Ask for a page of 1 to 500 rows.' using errcode = 'invalid_parameter_value';
  end if;
  return query
  select d.staff_id, s.full_name, d.kind, d.first, d.last, d.before, d.after, d.amount, d.currency, d.taxable,
    d.explanation, count(*) over ()
  from private.pay_items_to_propose(private.company_date()) d join public.staff s on s.id = d.staff_id
  where p_kind is null or d.kind = p_kind
  order by d.kind, s.full_name, d.staff_id, d.currency
  limit p_size offset (p_page - 1) * p_size;
end
$$;
comment on function public.pay_items_due is 'Nullable: figure_before';
grant execute on function public.pay_items_due to authenticated, service_role;

-- Enters what is due as adjustments, which somebody else decides: of one kind, and of one person or of all.
-- Entering again finds nothing. @returns how many it entered
create function public.enter_pay_items(p_kind text, p_staff_id uuid default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  entered integer;
begin
  perform private.require_pay_role();
  if p_kind is null or p_kind not in ('severance', 'thirteenth_month') then
    raise exception 'Choose severance or thirteenth month.' using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('enter_pay_items', 0));
  insert into public.pay_adjustments (staff_id, user_id, kind, period_start, period_end, figure_before, figure_after,
    amount, currency, details, explanation, taxable, item_rule_id)
  select d.staff_id, s.user_id, d.kind, d.first, d.last, nullif(d.before, 0), d.after, d.amount, d.currency,
    jsonb_build_object('entered_by', auth.uid(), 'more', d.more), d.explanation, d.taxable, d.rule_id
  from private.pay_items_to_propose(private.company_date()) d join public.staff s on s.id = d.staff_id
  where d.kind = p_kind and (p_staff_id is null or d.staff_id = p_staff_id)
  order by s.full_name, d.staff_id;
  get diagnostics entered = row_count;
  return entered;
end
$$;
grant execute on function public.enter_pay_items to authenticated, service_role;

-- Another first or last day is another amount: what no run has paid yet is entered again.
create function private.supersede_pay_items() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.pay_adjustments a set status = 'superseded',
    note = left(concat_ws(' ', a.note, 'The employment has changed since.'), 1000)
  where a.staff_id = new.id and a.kind in ('severance', 'thirteenth_month') and a.payslip_line_id is null
    and a.status in ('to_decide', 'approved')
    -- Who is hired again is still owed what the earlier employment earned.
    and a.period_end >= new.hire_date;
  return null;
end
$$;
