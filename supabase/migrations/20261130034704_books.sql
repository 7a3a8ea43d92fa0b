-- Functions name others that come below.
set local check_function_bodies = off;

alter table public.chart_of_accounts drop constraint chart_of_accounts_key_check;

alter table public.chart_of_accounts add constraint chart_of_accounts_key_check CHECK ((key = ANY (ARRAY['receivables'::text, 'revenue'::text, 'tax_payable'::text, 'vat_input'::text, 'bank'::text, 'cash'::text, 'mobile_money'::text, 'wages'::text, 'employer_contributions'::text, 'income_tax_payable'::text, 'nasscorp_payable'::text, 'wages_payable'::text, 'staff_advances'::text, 'other_deductions'::text, 'expense_operations'::text, 'expense_payroll'::text, 'expense_equipment'::text, 'expense_training'::text, 'expense_transport'::text, 'expense_utilities'::text, 'expense_other'::text, 'tax_withheld'::text, 'written_off'::text, 'equity'::text, 'loans_payable'::text, 'interest'::text, 'exchange'::text, 'exchange_gains'::text])));

alter table public.chart_of_accounts add column kind text generated always as (
CASE
    WHEN (key = ANY (ARRAY['bank'::text, 'cash'::text, 'mobile_money'::text, 'receivables'::text, 'staff_advances'::text, 'vat_input'::text, 'tax_withheld'::text, 'exchange'::text])) THEN 'asset'::text
    WHEN (key = ANY (ARRAY['tax_payable'::text, 'income_tax_payable'::text, 'nasscorp_payable'::text, 'wages_payable'::text, 'other_deductions'::text, 'loans_payable'::text])) THEN 'liability'::text
    WHEN (key = 'equity'::text) THEN 'equity'::text
    WHEN (key = ANY (ARRAY['revenue'::text, 'exchange_gains'::text])) THEN 'income'::text
    ELSE 'expense'::text
END) stored not null;

alter table public.chart_of_accounts add constraint chart_of_accounts_kind_check CHECK ((kind = ANY (ARRAY['asset'::text, 'liability'::text, 'equity'::text, 'income'::text, 'expense'::text])));

insert into public.chart_of_accounts (key, code, name) values
  ('equity', '3000', 'Capital and opening balances'), ('exchange', '1900', 'Money exchanged'),
  ('exchange_gains', '4900', 'Gains and losses of exchange'), ('interest', '5210', 'Interest and bank charges'),
  ('loans_payable', '2300', 'Loans');

alter table public.staff_ledger add column day date default private.company_date() not null;
alter table public.staff_ledger add column paid_from text default 'cash' not null;
-- Entries are kept as they are, so their triggers refuse changes.
alter table public.staff_ledger disable trigger user;
update public.staff_ledger l set day = coalesce(
  (select r.period_end from public.payslip_lines p join public.payslips s on s.id = p.payslip_id
    join public.pay_runs r on r.id = s.pay_run_id where p.id = l.payslip_line_id),
  private.company_date_of(l.created_at));
alter table public.staff_ledger enable trigger user;
alter table public.staff_ledger add constraint staff_ledger_day_check CHECK (((day >= '1900-01-01'::date) AND (day <= '2199-12-31'::date)));
alter table public.staff_ledger add constraint staff_ledger_paid_from_check CHECK ((paid_from = ANY (ARRAY['bank'::text, 'cash'::text, 'mobile_money'::text])));
CREATE INDEX staff_ledger_day_idx ON public.staff_ledger USING btree (day);
CREATE TRIGGER b_day BEFORE INSERT ON public.staff_ledger FOR EACH ROW WHEN ((new.payslip_line_id IS NULL)) EXECUTE FUNCTION private.check_money_day('day', 'The day of an entry', '1');
CREATE TRIGGER y_books_of_new AFTER INSERT ON public.staff_ledger FOR EACH ROW WHEN ((new.payslip_line_id IS NULL)) EXECUTE FUNCTION private.keep_closed_books('day');
grant INSERT (day) on public.staff_ledger to authenticated;
grant INSERT (paid_from) on public.staff_ledger to authenticated;

-- Repayments of the kind other pay back what staff was given, like all others.
delete from private.pay_run_sums x where exists (
  select from public.payslips s join public.payslip_lines l on l.payslip_id = s.id
  where s.pay_run_id = x.pay_run_id and l.kind = 'other');

drop function private.journal_entries(date, date);

-- With the day of each issue.
drop function public.ledger_balances(uuid);
create function public.ledger_balances(p_staff_id uuid default null)
returns table (
  id uuid, staff_id uuid, kind text, currency text, amount numeric, repaid numeric, balance numeric,
  repay_per_period numeric, repay_from date, note text, created_at timestamptz, day date
)
language sql stable set search_path = '' as $$
  select l.id, l.staff_id, l.kind, l.currency, l.amount, coalesce(r.amount, 0), l.amount - coalesce(r.amount, 0),
    l.repay_per_period, l.repay_from, l.note, l.created_at, l.day
  from public.staff_ledger l
  left join lateral (select sum(x.amount) as amount from public.staff_ledger x where x.loan_id = l.id) r on true
  where l.entry = 'issue' and (p_staff_id is null or l.staff_id = p_staff_id)
  order by l.repay_from, l.created_at, l.id;
$$;
comment on function public.ledger_balances is 'Nullable: note';
grant execute on function public.ledger_balances to authenticated;

create or replace FUNCTION private.computed_run_sums(p_runs uuid[])
 RETURNS SETOF private.pay_run_sums
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with slips as materialized (
    select s.id, s.pay_run_id, s.gross, s.taxable, s.employer_cost, s.net from public.payslips s
      where s.pay_run_id = any (p_runs)
  ), lines as (
    select s.pay_run_id, sum(l.amount) filter (where l.kind = 'income_tax') as income_tax,
      sum(l.amount) filter (where l.kind = 'nasscorp') as nasscorp,
      sum(l.amount) filter (where l.kind in ('advance', 'loan', 'uniform', 'other')) as staff_advances,
      sum(l.amount) filter (where l.kind = 'deduction') as other_deductions
    from slips s join public.payslip_lines l on l.payslip_id = s.id
    where l.kind in ('income_tax', 'nasscorp', 'deduction', 'advance', 'loan', 'uniform', 'other')
    group by s.pay_run_id
  )
  select s.pay_run_id, sum(s.gross), sum(s.taxable), sum(s.employer_cost), sum(s.net), l.income_tax, l.nasscorp,
    l.staff_advances,
    l.other_deductions
  from slips s left join lines l on l.pay_run_id = s.pay_run_id
  group by s.pay_run_id, l.income_tax, l.nasscorp, l.staff_advances, l.other_deductions;
$function$;

create or replace FUNCTION public.lock_pay_run(id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET statement_timeout TO '60s'
AS $function$
declare
  run public.pay_runs := private.run_to_change(lock_pay_run.id, 'approved', 'locked', 'paid');
  people uuid[];
  other text;
begin
  if run.status <> 'approved' then
    return;
  end if;
  people := array(select s.user_id from public.payslips s where s.pay_run_id = run.id and s.user_id is not null);
  -- Nobody changes these hours between here and the end.
  perform from public.timesheets t
  where t.user_id = any (people) and t.period_start <= run.period_end and t.period_end >= run.period_start
  order by t.id for no key update;
  select string_agg(c.full_name, ', ' order by c.full_name) into other from (
    select p.full_name from public.payslips s
    join public.staff p on p.id = s.staff_id
    left join private.hours_fingerprints(people, run.period_start, run.period_end) h on h.user_id = s.user_id
    where s.pay_run_id = run.id and s.hours_key <> coalesce(h.hours_key, 0)
    order by 1 limit 5
  ) c;
  if other is not null then
    raise exception 'Hours have changed since the calculation: %. Return the run and calculate it again.', other
      using errcode = 'PT409';
  end if;

  -- Nor these corrections, which another run may have paid, or somebody decided otherwise.
  perform from public.pay_adjustments a
  where a.id in (select (l.source ->> 'id')::uuid from public.payslip_lines l
    join public.payslips s on s.id = l.payslip_id
    where s.pay_run_id = run.id and l.kind = 'adjustment')
  order by a.id for no key update;
  select string_agg(c.full_name, ', ' order by c.full_name) into other from (
    select distinct p.full_name
    from public.payslip_lines l
    join public.payslips s on s.id = l.payslip_id
    join public.staff p on p.id = s.staff_id
    left join public.pay_adjustments a on a.id = (l.source ->> 'id')::uuid
    where s.pay_run_id = run.id and l.kind = 'adjustment'
      and ((a.status, coalesce(a.converted_amount, a.amount), coalesce(a.converted_currency, a.currency))
          is distinct from ('approved', coalesce((l.source ->> 'of')::numeric, l.amount), s.currency)
        or a.payslip_line_id is not null)
    order by 1 limit 5
  ) c;
  if other is not null then
    raise exception 'Corrections have changed since the calculation: %. Return the run and calculate it again.', other
      using errcode = 'PT409';
  end if;

  perform private.refuse_unlockable(run);
  perform private.write_payroll(run);
  insert into public.staff_ledger (staff_id, entry, kind, loan_id, currency, amount, payslip_line_id, day)
  select s.staff_id, 'repayment', l.kind, (l.source ->> 'id')::uuid, run.currency, -l.amount, l.id, run.period_end
  from public.payslip_lines l join public.payslips s on s.id = l.payslip_id
  where s.pay_run_id = run.id and l.kind in ('advance', 'loan', 'uniform', 'other') order by l.source ->> 'id';
  perform private.split_adjustments(run);
  update public.pay_adjustments a set payslip_line_id = l.id
  from public.payslip_lines l join public.payslips s on s.id = l.payslip_id
  where s.pay_run_id = run.id and l.kind = 'adjustment' and a.id = (l.source ->> 'id')::uuid
    and a.payslip_line_id is null;
  update public.timesheets t set status = 'locked', locked_at = now(), pay_run_id = run.id
  where t.user_id = any (people) and t.status = 'approved'
    and t.period_start <= run.period_end and t.period_end >= run.period_start;
  insert into public.notices (user_id, kind, title, body, link, dedupe_key)
  select s.user_id, 'payslip', 'Your payslip for ' || private.period_text(run.period_start, run.period_end),
    format('Net pay: %s.', private.money_text(s.net, s.currency)), '/staff/payslips?open=' || s.payroll_id,
      'payslip:' || s.id
  from public.payslips s where s.pay_run_id = run.id and s.user_id is not null on conflict (dedupe_key) do nothing;
  update public.pay_runs r set status = 'locked', locked_by = auth.uid(), locked_at = now() where r.id = run.id;
end
$function$;

create or replace FUNCTION public.journal_lines(p_from date, p_to date)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_journal_days(p_from, p_to);
  return (
    select coalesce(jsonb_agg(jsonb_build_object('day', j.day, 'kind', j.kind, 'document', j.document,
      'account_code', a.code, 'account_name', a.name, 'debit', greatest(j.amount, 0)::text,
      'credit', greatest(-j.amount, 0)::text, 'currency', j.currency, 'text', j.text)
      order by j.day, j.kind, j.document, j.currency desc, j.place), '[]')
    from private.journal_entries(p_from, p_to) j join public.chart_of_accounts a on a.key = j.key
    where j.amount <> 0
  );
end
$function$;

create or replace FUNCTION private.journal_entries(p_from date, p_to date)
 RETURNS TABLE(day date, kind text, document text, place integer, key text, amount numeric, currency text, text text, opens uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 10000
 SET search_path TO ''
AS $function$
  with runs as materialized (
    -- A locked run that was voided is booked, and booked back on the day of voiding.
    select r.id, r.currency, b.day, b.sign, b.kind,
      format('PAY %s %s %s', r.period_end, r.pay_group, r.currency) as document,
      format('%s pay, %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end)) as text
    from public.pay_runs r
    cross join lateral (values
      ('pay_run', r.period_end, 1), ('pay_run_void', private.company_date_of(r.voided_at), -1)
    ) b (kind, day, sign)
    where r.locked_at is not null and b.day between p_from and p_to
  ), sums as materialized (
    select s.* from private.run_sums(array(select distinct r.id from runs r)) s
  ), invoices as (
    select i.issued_on as day, 'invoice' as kind, i.number as document, i.currency, 1 as sign, i.total, i.tax,
      c.name as text, i.id as opens
    from public.invoices i join public.clients c on c.id = i.client_id
    where i.status <> 'draft' and i.issued_on between p_from and p_to
    union all
    select n.issued_on, 'credit_note', n.number, n.currency, -1, n.amount, n.tax,
      format('%s, %s: %s', c.name, i.number, n.reason), i.id
    from public.credit_notes n join public.invoices i on i.id = n.invoice_id join public.clients c on c.id = n.client_id
    where n.issued_on between p_from and p_to
  ), booked as (
    select r.*, 'receipt' as kind, r.received_on as day, 1 as sign
    from public.receipts r where r.received_on between p_from and p_to
    union all
    select r.*, 'receipt_void', private.company_date_of(r.voided_at), -1
    from public.receipts r
    where r.voided_at is not null and private.company_date_of(r.voided_at) between p_from and p_to
  ), methods as materialized (
    select m.method, private.receipt_method_text(m.method) as text from (select distinct b.method from booked b) m
  ), receipts as (
    select b.day, b.kind, format('RCT %s', upper(left(b.id::text, 8))) as document, b.currency,
      b.sign * b.amount as amount, b.sign * b.withheld as withheld,
      case b.method when 'cash' then 'cash' when 'mobile_money' then 'mobile_money' when 'write_off' then 'written_off'
        else 'bank' end as key,
      concat_ws(', ', c.name, m.text, b.reference) as text, b.client_id as opens
    from booked b join public.clients c on c.id = b.client_id join methods m on m.method = b.method
  ), paid as (
    -- What the bank returned is booked on the day it was paid, and booked back on the day of the return.
    select p.day, p.kind, format('%s %s %s %s', case p.kind when 'payment' then 'PAID' else 'RETURNED' end,
        r.period_end, r.pay_group, r.currency) as document, p.currency, p.key, p.amount, p.pay_run_id as opens,
      format('%s pay, %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end)) as text
    from (
      select b.day, b.kind, p.pay_run_id, p.currency,
        case p.channel when 'cash' then 'cash' when 'bank' then 'bank' else 'mobile_money' end as key,
        sum(b.sign * p.amount) as amount
      from public.payments p
      cross join lateral (values ('payment', p.paid_on, 1), ('payment_return', p.returned_on, -1)) b (kind, day, sign)
      where p.status in ('paid', 'returned') and b.day between p_from and p_to
      group by 1, 2, 3, 4, 5
    ) p
    join public.pay_runs r on r.id = p.pay_run_id
  ), expenses as (
    -- In US dollars, like the list of expenses.
    select e.expense_date as day, format('EXP %s', upper(left(e.id::text, 8))) as document, e.amount, e.vat_amount,
      'expense_' || e.category as cost, e.paid_from, concat_ws(', ', e.title, e.supplier) as text,
      e.id as opens
    from public.expense_reports e where e.expense_date between p_from and p_to
  ), returns as (
    select b.day, b.kind, format('VAT %s', to_char(r.month, 'YYYY-MM')) as document, a.currency,
      case b.kind when 'vat_return' then a.input else a.paid end as amount,
      case b.kind when 'vat_return' then 'vat_input' else r.paid_from end as key,
      'VAT of ' || to_char(r.month, 'FMMonth YYYY') as text, r.id as opens
    from public.vat_returns r
    cross join lateral (values ('vat_return', r.filed_on), ('vat_payment', r.paid_on)) b (kind, day)
    cross join lateral (
      values ('USD', r.input_usd, r.paid_usd), ('LRD', r.input_lrd, r.paid_lrd)
    ) a (currency, input, paid)
    where b.day between p_from and p_to
  )
  select i.day, i.kind, i.document, e.place, e.key, i.sign * e.amount, i.currency, i.text, i.opens
  from invoices i
  cross join lateral (values
    (1, 'receivables', i.total), (2, 'revenue', i.tax - i.total), (3, 'tax_payable', -i.tax)) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, e.amount, r.currency, r.text, r.opens
  from receipts r cross join lateral (values
    (1, r.key, r.amount), (2, 'tax_withheld', r.withheld), (3, 'receivables', -(r.amount + r.withheld))
  ) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, r.sign * e.amount, r.currency, r.text, r.id
  from runs r join sums s on s.pay_run_id = r.id
  cross join lateral (values
    (1, 'wages', s.gross), (2, 'employer_contributions', s.employer_cost), (3, 'income_tax_payable', s.income_tax),
    (4, 'nasscorp_payable', s.nasscorp), (5, 'staff_advances', s.staff_advances),
    (6, 'other_deductions', s.other_deductions), (7, 'nasscorp_payable', -s.employer_cost),
    (9, 'wages_payable', -s.net)) e (place, key, amount)
  union all
  select p.day, p.kind, p.document, e.place, e.key, e.amount, p.currency, p.text, p.opens
  from paid p cross join lateral (values (1, 'wages_payable', p.amount), (2, p.key, -p.amount)) e (place, key, amount)
  union all
  select x.day, 'expense', x.document, e.place, e.key, e.amount, 'USD', x.text, x.opens
  from expenses x cross join lateral (values
    (1, x.cost, x.amount - x.vat_amount), (2, 'vat_input', x.vat_amount), (3, x.paid_from, -x.amount)
  ) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, e.amount, r.currency, r.text, r.opens
  from returns r
  cross join lateral (values (1, 'tax_payable', r.amount), (2, r.key, -r.amount)) e (place, key, amount)
  union all
  select s.* from private.staff_entries(p_from, p_to) s
  union all
  select h.* from private.entries_by_hand(p_from, p_to) h;
$function$;

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
create or replace FUNCTION public.closing_work(p_month date)
 RETURNS TABLE(item text, amount integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  select 'pay_returns', count(*)::integer from public.pay_returns_to_file() r where r.month = first;
  return query
  select 'vat_return', count(*)::integer from public.vat_months() v
  where v.month = first and v.status not in ('filed', 'paid');
end
$function$;
grant execute on function public.closing_work to authenticated;
