-- The books: entries by hand, what the ledger of staff and payroll by hand book, and the balances of accounts.

-- ── Tables ────────────────────────────────────────────────────────────

-- What no other document books: opening balances, loans of the company, money moved or exchanged, corrections. Never
-- changed: a wrong entry is voided, which books it back on the day of voiding.
create table public.book_entries (
  id uuid default gen_random_uuid() primary key,
  kind text not null check (kind in ('opening', 'loan', 'transfer', 'exchange', 'other')),
  day date not null check (day between '1900-01-01' and '2199-12-31'),
  description text not null check (char_length(description) between 3 and 200),
  voided_at timestamptz,
  voided_by uuid references public.profiles on delete set null,
  void_reason text check (char_length(void_reason) between 1 and 500),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint book_entries_void check ((voided_at is null) = (void_reason is null))
);
create index book_entries_day_idx on public.book_entries (day desc);
create index book_entries_voided_at_idx on public.book_entries (voided_at) where voided_at is not null;
create index book_entries_voided_by_idx on public.book_entries (voided_by) where voided_by is not null;
create index book_entries_created_by_idx on public.book_entries (created_by);
alter publication supabase_realtime add table public.book_entries;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.book_entries', 'description', 'void_reason');
create trigger b_author before insert or update on public.book_entries
  for each row execute function private.stamp_author();
create trigger b_day before insert on public.book_entries
  for each row execute function private.check_money_day('day', 'The day of an entry', '1');
create trigger d_touch before update on public.book_entries for each row execute function private.touch();
create trigger y_books_of_deleted after delete on public.book_entries
  for each row execute function private.keep_closed_books('day', 'voided_at');
create trigger y_books_of_new after insert on public.book_entries
  for each row execute function private.keep_closed_books('day', 'voided_at');
create trigger y_books_of_voided after update on public.book_entries
  for each row when (old.voided_at is distinct from new.voided_at)
  execute function private.keep_closed_books('voided_at');
select private.keep_history_of('public.book_entries');
create trigger z_bank after update on public.book_entries referencing old table as old_rows
  for each statement execute function private.follow_bank_documents('entry');
alter table public.book_entries enable row level security;
revoke insert, update, delete, truncate on public.book_entries from service_role;
grant select on public.book_entries to authenticated;
create policy "Admins and finance read entries of the books" on public.book_entries
  for select to authenticated using ((select private.may_bill()));

create table public.book_entry_lines (
  id uuid default gen_random_uuid() primary key,
  entry_id uuid not null references public.book_entries on delete cascade,
  position integer not null,
  account text not null references public.chart_of_accounts (key),
  currency text not null check (currency in ('USD', 'LRD')),
  -- A debit; a credit is below zero.
  amount numeric(14,2) not null check (amount <> 0 and amount between -999999999999.99 and 999999999999.99),
  constraint book_entry_lines_position unique (entry_id, position)
);
create index book_entry_lines_account_idx on public.book_entry_lines (account);
alter publication supabase_realtime add table public.book_entry_lines;
-- Triggers, in the order in which they fire:
select private.keep_history_of('public.book_entry_lines');
alter table public.book_entry_lines enable row level security;
revoke insert, update, delete, truncate on public.book_entry_lines from service_role;
grant select on public.book_entry_lines to authenticated;
create policy "Admins and finance read the lines of entries" on public.book_entry_lines
  for select to authenticated using ((select private.may_bill()));

-- ── Functions ─────────────────────────────────────────────────────────

-- The lines of an entry, checked and balanced. What opening balances leave over is capital; what an exchange of money
-- leaves over in each currency waits on the account of money exchanged.
-- @param p_lines [{account, currency, amount}]; a credit is below zero
create function private.add_book_lines(p_entry public.book_entries, p_lines jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  off record;
  rest constant text := case p_entry.kind when 'opening' then 'equity' when 'exchange' then 'exchange' end;
begin
  if p_lines is null or jsonb_typeof(p_lines) <> 'array' or jsonb_array_length(p_lines) not between 1 and 200 then
    raise exception 'An entry has 1 to 200 lines.' using errcode = 'invalid_parameter_value';
  end if;
  if exists (
    select from jsonb_to_recordset(p_lines) l (account text, currency text, amount numeric)
    where l.amount is null or l.amount = 0 or l.amount <> round(l.amount, 2) or abs(l.amount) > 999999999999.99
  ) then
    raise exception 'Enter an amount in whole cents on each line.' using errcode = 'invalid_parameter_value';
  end if;
  insert into public.book_entry_lines (entry_id, position, account, currency, amount)
  select p_entry.id, e.place, e.line ->> 'account', e.line ->> 'currency', (e.line ->> 'amount')::numeric
  from jsonb_array_elements(p_lines) with ordinality e (line, place);
  if rest is not null then
    insert into public.book_entry_lines (entry_id, position, account, currency, amount)
    select p_entry.id, 1000 + row_number() over (order by l.currency desc), rest, l.currency, -sum(l.amount)
    from public.book_entry_lines l where l.entry_id = p_entry.id
    group by l.currency having sum(l.amount) <> 0;
  end if;
  select l.currency, sum(l.amount) as amount into off
  from public.book_entry_lines l where l.entry_id = p_entry.id group by l.currency having sum(l.amount) <> 0 limit 1;
  if found then
    raise exception 'Debits and credits differ by %.', private.money_text(abs(off.amount), off.currency)
      using errcode = 'check_violation', hint = 'Each currency must balance.';
  end if;
end
$$;

-- The same p_id again returns the entry as it was added.
create function public.add_book_entry(
  p_kind text, p_day date, p_description text, p_lines jsonb, p_id uuid default null
) returns public.book_entries
language plpgsql security definer set search_path = '' as $$
declare
  entry public.book_entries;
begin
  perform private.require_billing_role();
  perform private.require_day(p_day, 'day');
  insert into public.book_entries (id, kind, day, description)
  values (coalesce(p_id, gen_random_uuid()), p_kind, p_day, p_description)
  on conflict (id) do nothing returning * into entry;
  if found then
    perform private.add_book_lines(entry, p_lines);
    return entry;
  end if;
  select * into entry from public.book_entries e where e.id = p_id;
  if (entry.kind, entry.day) is distinct from (p_kind, p_day) then
    raise exception 'Another entry has this id.' using errcode = 'PT409';
  end if;
  return entry;
end
$$;
grant execute on function public.add_book_entry to authenticated;

create function public.void_book_entry(p_id uuid, p_reason text) returns public.book_entries
language plpgsql security definer set search_path = '' as $$
declare
  why text := private.require_reason(p_reason);
  entry public.book_entries;
begin
  perform private.require_billing_role();
  select * into entry from public.book_entries e where e.id = p_id for update;
  if not found then
    raise exception 'This entry no longer exists.' using errcode = 'PT404';
  end if;
  if entry.voided_at is not null then
    raise exception 'Someone has already voided this entry.' using errcode = 'PT409';
  end if;
  update public.book_entries e set voided_at = now(), voided_by = auth.uid(), void_reason = why
  where e.id = entry.id returning * into entry;
  return entry;
end
$$;
grant execute on function public.void_book_entry to authenticated;

-- Of private.journal_entries: entries by hand.
create function private.entries_by_hand(p_from date, p_to date)
returns table (
  day date, kind text, document text, place integer, key text, amount numeric, currency text, text text, opens uuid
)
language sql stable security definer rows 1000 set search_path = '' as $$
  select b.day, b.kind, format('ENT %s', upper(left(e.id::text, 8))), l.position, l.account, b.sign * l.amount,
    l.currency, e.description, e.id
  from public.book_entries e
  cross join lateral (
    values ('entry', e.day, 1), ('entry_void', private.company_date_of(e.voided_at), -1)
  ) b (kind, day, sign)
  join public.book_entry_lines l on l.entry_id = e.id
  where b.day between p_from and p_to;
$$;

-- Of private.journal_entries: what staff was given and repays outside of pay, and payroll by hand.
create function private.staff_entries(p_from date, p_to date)
returns table (
  day date, kind text, document text, place integer, key text, amount numeric, currency text, text text, opens uuid
)
language sql stable security definer rows 1000 set search_path = '' as $$
  with ledger as (
    select l.day, 'staff_' || l.entry as kind, format('ADV %s', upper(left(l.id::text, 8))) as document, l.currency,
      case l.entry when 'issue' then l.amount else -l.amount end as amount,
      -- A uniform is a cost until the person repays it.
      case when l.entry = 'write_off' then 'written_off' when l.entry = 'issue' and l.kind = 'uniform'
        then 'expense_equipment' else l.paid_from end as key,
      format('%s of %s', initcap(l.kind), s.full_name) as text,
      coalesce(s.user_id, s.id) as opens
    from public.staff_ledger l join public.staff s on s.id = l.staff_id
    where l.payslip_line_id is null and l.day between p_from and p_to
  ), payroll as materialized (
    select p.period_end, p.payment_date, p.payment_status, p.currency, p.base_amount + p.bonuses as gross,
      p.deductions, p.net_amount
    from public.payroll p
    where p.payment_status <> 'cancelled'
      and (p.period_end between p_from and p_to or p.payment_date between p_from and p_to)
      -- Those of runs are booked with their run.
      and not exists (select from public.payslips s where s.payroll_id = p.id)
  ), earned as (
    select p.period_end as day, p.currency, sum(p.gross) as gross, sum(p.deductions) as deductions,
      sum(p.net_amount) as net
    from payroll p where p.period_end between p_from and p_to group by 1, 2
  ), paid as (
    select p.payment_date as day, p.currency, sum(p.net_amount) as net
    from payroll p where p.payment_status = 'paid' and p.payment_date between p_from and p_to group by 1, 2
  )
  select l.day, l.kind, l.document, e.place, e.key, e.amount, l.currency, l.text, l.opens
  from ledger l
  cross join lateral (values (1, 'staff_advances', l.amount), (2, l.key, -l.amount)) e (place, key, amount)
  union all
  select p.day, 'payroll', format('PAYROLL %s %s', p.day, p.currency), e.place, e.key, e.amount, p.currency,
    'Payroll by hand', null
  from earned p
  cross join lateral (values
    (1, 'wages', p.gross), (2, 'other_deductions', -p.deductions), (3, 'wages_payable', -p.net)) e (place, key, amount)
  union all
  select p.day, 'payroll_paid', format('PAYROLL PAID %s %s', p.day, p.currency), e.place, e.key, e.amount, p.currency,
    'Payroll by hand, paid', null
  from paid p
  cross join lateral (values (1, 'wages_payable', p.net), (2, 'bank', -p.net)) e (place, key, amount);
$$;

-- First and last day of a statement, however far apart.
create function private.require_book_days(p_from date, p_to date) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  perform private.require_day(p_from, 'first day');
  perform private.require_day(p_to, 'last day');
  if p_to < p_from then
    raise exception 'The last day is before the first.' using errcode = 'invalid_parameter_value';
  end if;
end
$$;

-- What each account took and gave from day to day, by month. Balances, statements and charts are sums of it.
create function private.account_movements(p_from date, p_to date)
returns table (key text, currency text, month date, debit numeric, credit numeric)
language sql stable security definer set search_path = '' set work_mem = '64MB' as $$
  select j.key, j.currency, date_trunc('month', j.day::timestamp)::date, sum(greatest(j.amount, 0)),
    sum(greatest(-j.amount, 0))
  from private.journal_entries(p_from, p_to) j where j.amount <> 0 group by 1, 2, 3;
$$;

-- Every account that has moved, by currency: its balance before the first day, what moved it, its balance after the
-- last day. Debits are positive.
-- @returns kept: the balance after the last day of what was earned or spent before this year began
create function public.account_balances(p_from date, p_to date)
returns table (
  account_id uuid, code text, name text, kind text, currency text, opening numeric, debit numeric, credit numeric,
  closing numeric, kept numeric
)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
begin
  perform private.require_book_days(p_from, p_to);
  return query
  with moved as (
    select m.key, m.currency, m.month, false as shown, m.debit, m.credit
    from private.account_movements('-infinity', p_from - 1) m
    union all
    select m.key, m.currency, m.month, true, m.debit, m.credit from private.account_movements(p_from, p_to) m
  ), sums as (
    select m.key, m.currency, coalesce(sum(m.debit - m.credit) filter (where not m.shown), 0) as opening,
      coalesce(sum(m.debit) filter (where m.shown), 0) as debit,
      coalesce(sum(m.credit) filter (where m.shown), 0) as credit, sum(m.debit - m.credit) as closing,
      coalesce(sum(m.debit - m.credit) filter (where m.month < date_trunc('year', p_to::timestamp)), 0) as before
    from moved m group by m.key, m.currency
  )
  select a.id, a.code, a.name, a.kind, s.currency, s.opening, s.debit, s.credit, s.closing,
    case when a.kind in ('income', 'expense') then s.before else 0 end
  from sums s join public.chart_of_accounts a on a.key = s.key
  order by s.currency desc, a.code, a.key;
end
$$;
grant execute on function public.account_balances to authenticated;

-- Income and expenses by month and currency, also of months without any.
create function public.profit_by_month(p_from date, p_to date)
returns table (month date, currency text, income numeric, expenses numeric)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
begin
  perform private.require_book_days(p_from, p_to);
  return query
  with moved as materialized (
    select m.month, m.currency, a.kind, m.debit - m.credit as amount
    from private.account_movements(p_from, p_to) m
    join public.chart_of_accounts a on a.key = m.key and a.kind in ('income', 'expense')
  )
  select g.month::date, c.currency, coalesce(-sum(m.amount) filter (where m.kind = 'income'), 0),
    coalesce(sum(m.amount) filter (where m.kind = 'expense'), 0)
  from generate_series(date_trunc('month', p_from::timestamp), p_to::timestamp, '1 month') g (month)
  cross join (select distinct m.currency from moved m) c
  left join moved m on m.month = g.month::date and m.currency = c.currency
  group by 1, 2 order by 1, c.currency desc;
end
$$;
grant execute on function public.profit_by_month to authenticated;

-- What a financial statement of these days says, in US dollars: Liberian dollars at the rate of the last day.
create function public.statement_from_books(p_from date, p_to date)
returns table (total_revenue numeric, total_expenses numeric, lrd_per_usd numeric, has_lrd boolean)
language plpgsql stable security definer set search_path = '' as $$
declare
  rate constant numeric := private.pay_rate('lrd_per_usd', p_to);
begin
  perform private.require_book_days(p_from, p_to);
  return query
  select round(coalesce(sum(case p.currency when 'LRD' then p.income / rate else p.income end), 0), 2),
    round(coalesce(sum(case p.currency when 'LRD' then p.expenses / rate else p.expenses end), 0), 2),
    rate, coalesce(bool_or(p.currency = 'LRD' and (p.income <> 0 or p.expenses <> 0)), false)
  from public.profit_by_month(p_from, p_to) p;
end
$$;
grant execute on function public.statement_from_books to authenticated;

-- The entries of an account in a currency, with the balance after each: one page of them, or all where p_page is null.
create function public.account_ledger(
  p_account_id uuid, p_currency text, p_from date, p_to date, p_page integer default null, p_size integer default 50
) returns jsonb
language plpgsql stable security definer set search_path = '' set work_mem = '64MB'
  set plan_cache_mode = force_custom_plan as $$
declare
  account public.chart_of_accounts;
  before numeric;
begin
  perform private.require_book_days(p_from, p_to);
  if p_page is not null and (p_page not between 1 and 100000 or p_size is null or p_size not between 1 and 1000) then
    raise exception 'Choose a page, and a size of at most 1000.' using errcode = 'invalid_parameter_value';
  end if;
  select * into account from public.chart_of_accounts a where a.id = p_account_id;
  if not found then
    raise exception 'This account no longer exists.' using errcode = 'PT404';
  end if;
  select coalesce(sum(m.debit - m.credit), 0) into before
  from private.account_movements('-infinity', p_from - 1) m where m.key = account.key and m.currency = p_currency;
  return (
    with lines as materialized (
      select j.day, j.kind, j.document, j.opens, j.text, j.amount,
        row_number() over w as place, before + sum(j.amount) over w as balance
      from private.journal_entries(p_from, p_to) j
      where j.key = account.key and j.currency = p_currency and j.amount <> 0
      window w as (order by j.day, j.kind, j.document, j.place rows unbounded preceding)
    )
    select jsonb_build_object('code', account.code, 'name', account.name, 'opening', before::text,
      'closing', (before + coalesce(sum(l.amount), 0))::text, 'lines', count(*),
      'debit', coalesce(sum(greatest(l.amount, 0)), 0)::text, 'credit', coalesce(sum(greatest(-l.amount, 0)), 0)::text,
      'rows', coalesce(jsonb_agg(jsonb_build_object('place', l.place, 'day', l.day, 'kind', l.kind,
        'document', l.document, 'opens', l.opens, 'text', l.text, 'debit', greatest(l.amount, 0)::text,
        'credit', greatest(-l.amount, 0)::text, 'balance', l.balance::text) order by l.place)
        filter (where p_page is null or l.place > (p_page - 1) * p_size and l.place <= p_page * p_size), '[]'))
    from lines l
  );
end
$$;
grant execute on function public.account_ledger to authenticated;

-- What is still open of a month: finished before its books are closed. A row for each kind, also when nothing is open.
create function public.closing_work(p_month date) returns table (item text, amount integer)
language plpgsql stable security definer set search_path = '' as $$
declare
  first constant date := date_trunc('month', p_month::timestamp)::date;
  last constant date := (date_trunc('month', p_month::timestamp) + interval '1 month - 1 day')::date;
begin
  perform private.require_billing_role();
  perform private.require_day(p_month, 'month');
  return query
  select 'timesheets', count(*)::integer from public.timesheets t
  where t.period_end between first and last and t.status in ('open', 'submitted');
  return query
  select 'unbilled', coalesce(sum(u.guards), 0)::integer from public.unbilled_totals(first, last) u
  where u.reason not in ('waived', 'above_headcount', 'on_demand', 'not_due');
  return query
  select 'invoices_draft', count(*)::integer from public.invoices i
  where i.status = 'draft' and i.period_end between first and last;
  return query
  select i.item, count(*) filter (where r.status = any (i.statuses))::integer
  from (values ('pay_runs', '{draft,calculated,in_review,approved}'::text[]), ('pay_runs_unpaid', '{locked}'::text[]))
    i (item, statuses)
  left join public.pay_runs r on r.period_end between first and last group by i.item;
  return query
  select 'payroll', count(*)::integer from public.payroll p
  where p.payment_status = 'pending' and p.period_end between first and last and not private.is_of_pay_run(p.id);
  return query
  select 'adjustments', count(*)::integer from public.pay_adjustments a
  where a.status = 'to_decide' and a.period_end between first and last;
  return query
  select 'tax_too_much', count(*)::integer from private.tax_too_much(first) t;
  return query
  select 'pay_returns', count(*)::integer from public.pay_returns_to_file() r where r.month = first;
  return query
  select 'vat_return', count(*)::integer from public.vat_months() v
  where v.month = first and v.status not in ('filed', 'paid');
  return query
  select 'bank_lines', count(*)::integer from public.bank_lines l
  where l.matched_at is null and l.day between first and last;
  return query
  select 'refunds', count(*)::integer from public.refunds f
  where f.status = 'asked' and f.created_at < private.company_midnight(last + 1);
end
$$;
grant execute on function public.closing_work to authenticated;
