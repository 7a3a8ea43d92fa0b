-- Statements of banks and mobile-money providers: their lines, what these are in the books, and whether both agree.

-- ── Tables ────────────────────────────────────────────────────────────

-- A bank account whose statements are imported: which account of the books it is part of, and how files are read.
create table public.bank_feeds (
  id uuid default gen_random_uuid() primary key,
  bank_account_id uuid not null unique references public.bank_accounts on delete cascade,
  ledger text not null check (ledger in ('bank', 'mobile_money')),
  currency text not null check (currency in ('USD', 'LRD')), -- Of the bank account.
  -- Headings of its files. Amounts have one column, with a sign, or one for money in and one for money out.
  day_heading text not null check (char_length(day_heading) between 1 and 100),
  description_heading text not null check (char_length(description_heading) between 1 and 100),
  reference_heading text check (char_length(reference_heading) between 1 and 100),
  amount_heading text check (char_length(amount_heading) between 1 and 100),
  in_heading text check (char_length(in_heading) between 1 and 100),
  out_heading text check (char_length(out_heading) between 1 and 100),
  balance_heading text check (char_length(balance_heading) between 1 and 100),
  day_order text not null default 'day_month_year' check (day_order in ('day_month_year', 'month_day_year',
    'year_month_day')),
  follows_balance boolean not null default false, -- Whether the bank account shows the balance of its statements.
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint bank_feeds_amounts check ((amount_heading is null) = (in_heading is not null)
    and (in_heading is null) = (out_heading is null))
);
alter publication supabase_realtime add table public.bank_feeds;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.bank_feeds', 'day_heading', 'description_heading', 'reference_heading',
  'amount_heading', 'in_heading', 'out_heading', 'balance_heading');
create trigger d_touch before update on public.bank_feeds for each row execute function private.touch();
select private.keep_history_of('public.bank_feeds');
alter table public.bank_feeds enable row level security;
revoke insert, update, delete, truncate on public.bank_feeds from service_role;
grant select on public.bank_feeds to authenticated;
create policy "Admins and finance read how statements are imported" on public.bank_feeds
  for select to authenticated using ((select private.may_bill()));

-- A file that was imported. Undoing it deletes it with its lines.
create table public.bank_imports (
  id uuid default gen_random_uuid() primary key,
  bank_account_id uuid not null references public.bank_accounts,
  file_name text not null check (char_length(file_name) between 1 and 200),
  line_count integer not null check (line_count between 1 and 5000),
  known_count integer not null check (known_count between 0 and 5000), -- Lines of the file that were here already.
  first_day date not null, -- Of the file, with the known lines.
  last_day date not null,
  opening_balance numeric(14,2) not null, -- Before its first line.
  closing_balance numeric(14,2) not null, -- After its last line.
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  constraint bank_imports_days check (last_day >= first_day)
);
create index bank_imports_bank_account_id_idx on public.bank_imports (bank_account_id, last_day desc);
create index bank_imports_created_by_idx on public.bank_imports (created_by);
alter publication supabase_realtime add table public.bank_imports;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.bank_imports', 'file_name');
select private.keep_history_of('public.bank_imports');
alter table public.bank_imports enable row level security;
revoke insert, update, delete, truncate on public.bank_imports from service_role;
grant select on public.bank_imports to authenticated;
create policy "Admins and finance read imports of statements" on public.bank_imports
  for select to authenticated using ((select private.may_bill()));

create table public.bank_lines (
  id uuid default gen_random_uuid() primary key,
  import_id uuid not null references public.bank_imports on delete cascade,
  bank_account_id uuid not null references public.bank_accounts,
  position integer not null, -- In its import, from the oldest line on.
  day date not null check (day between '1900-01-01' and '2199-12-31'),
  description text check (char_length(description) <= 500),
  reference text check (char_length(reference) <= 200),
  -- Money in; money out is below zero.
  amount numeric(14,2) not null check (amount <> 0 and amount between -999999999999.99 and 999999999999.99),
  balance numeric(14,2), -- After the line, if the file has it.
  matched_at timestamptz, -- Since when documents account for the whole line.
  constraint bank_lines_position unique (import_id, position)
);
comment on column public.bank_lines.matched_at is 'Derived from the matches';
create index bank_lines_bank_account_id_idx on public.bank_lines (bank_account_id, day desc);
create index bank_lines_open_idx on public.bank_lines (day) where matched_at is null;
alter publication supabase_realtime add table public.bank_lines;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.bank_lines', 'description', 'reference');
select private.keep_history_of('public.bank_lines');
alter table public.bank_lines enable row level security;
revoke insert, update, delete, truncate on public.bank_lines from service_role;
grant select on public.bank_lines to authenticated;
create policy "Admins and finance read lines of statements" on public.bank_lines
  for select to authenticated using ((select private.may_bill()));

-- Which documents account for a line, and with how much of them. Together they are the whole line.
create table public.bank_matches (
  id uuid default gen_random_uuid() primary key,
  line_id uuid not null references public.bank_lines on delete cascade,
  kind text not null check (kind in ('receipt', 'refund', 'refund_return', 'payment_file', 'payment_return', 'expense',
    'vat_return', 'pay_return', 'staff', 'payroll', 'entry')),
  document_id uuid not null, -- A row of the table of its kind. Of an entry by hand: its line.
  currency text not null check (currency in ('USD', 'LRD')), -- A return is paid in both.
  amount numeric(14,2) not null check (amount <> 0 and amount between -999999999999.99 and 999999999999.99),
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  constraint bank_matches_once unique (line_id, kind, document_id)
);
create index bank_matches_document_idx on public.bank_matches (document_id, kind);
create index bank_matches_created_by_idx on public.bank_matches (created_by);
alter publication supabase_realtime add table public.bank_matches;
-- Triggers, in the order in which they fire:
select private.keep_history_of('public.bank_matches');
alter table public.bank_matches enable row level security;
revoke insert, update, delete, truncate on public.bank_matches from service_role;
grant select on public.bank_matches to authenticated;
create policy "Admins and finance read what lines of statements are" on public.bank_matches
  for select to authenticated using ((select private.may_bill()));

-- ── Documents that move money ─────────────────────────────────────────

-- The side of private.journal_entries that is on a statement: every document that moves an account of money, on each
-- day on which it does. A voided one moves it back. `marks` are numbers that a bank may repeat, `name` is the other
-- party.
create function private.bank_movements(p_ledger text, p_currency text)
returns table (
  kind text, id uuid, day date, amount numeric, document text, text text, marks text[], name text, bank_account_id uuid
)
language sql stable security definer rows 5000 set search_path = '' set work_mem = '64MB' as $$
  select 'receipt', r.id, b.day, b.sign * r.amount, format('RCT %s', upper(left(r.id::text, 8))),
    concat_ws(', ', c.name, r.reference), array_append(a.numbers, r.reference), c.name, r.bank_account_id
  from public.receipts r
  join public.clients c on c.id = r.client_id
  cross join lateral (
    values (r.received_on, 1), (private.company_date_of(r.voided_at), -1)
  ) b (day, sign)
  cross join lateral (
    select array_agg(i.number) as numbers
    from public.receipt_allocations x join public.invoices i on i.id = x.invoice_id where x.receipt_id = r.id
  ) a
  where r.amount > 0 and r.currency = p_currency and b.day is not null
    and r.method in ('bank', 'cheque', 'mobile_money')
    and p_ledger = case r.method when 'mobile_money' then 'mobile_money' else 'bank' end
  union all
  select b.kind, f.id, b.day, b.sign * f.amount, format('RFD %s', upper(left(f.id::text, 8))),
    concat_ws(', ', 'Refund of ' || c.name, f.reference), array[f.reference], c.name, f.bank_account_id
  from public.refunds f
  join public.clients c on c.id = f.client_id
  cross join lateral (values ('refund', f.paid_on, -1), ('refund_return', f.returned_on, 1)) b (kind, day, sign)
  where f.currency = p_currency and b.day is not null
    and p_ledger = case f.method when 'mobile_money' then 'mobile_money' when 'cash' then 'cash' else 'bank' end
  union all
  -- A file of payments is one sum, or as many as there are days on which the bank paid it.
  select 'payment_file', p.payment_file_id, p.paid_on, -sum(p.amount),
    format('PAID %s %s %s', r.period_end, r.pay_group, r.currency),
    format('%s pay, %s, file %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end), f.number),
    '{}', 'wages', null
  from public.payments p
  join public.payment_files f on f.id = p.payment_file_id
  join public.pay_runs r on r.id = p.pay_run_id
  where p.status in ('paid', 'returned') and p.currency = p_currency
    and p_ledger = case when p.channel in ('mtn_momo', 'orange_money') then 'mobile_money' else p.channel end
  group by p.payment_file_id, p.paid_on, r.id, f.number
  union all
  select 'payment_return', p.id, p.returned_on, p.amount,
    format('RETURNED %s %s %s', r.period_end, r.pay_group, r.currency), concat_ws(', ', p.account_name, p.failure),
    array[p.code, p.reference], p.account_name, null
  from public.payments p join public.pay_runs r on r.id = p.pay_run_id
  where p.status = 'returned' and p.currency = p_currency
    and p_ledger = case when p.channel in ('mtn_momo', 'orange_money') then 'mobile_money' else p.channel end
  union all
  select 'expense', e.id, e.expense_date, -e.amount, format('EXP %s', upper(left(e.id::text, 8))),
    concat_ws(', ', e.title, e.supplier), '{}', e.supplier, null
  from public.expense_reports e where e.currency = p_currency and e.paid_from = p_ledger
  union all
  select 'vat_return', r.id, r.paid_on, -a.paid, format('VAT %s', to_char(r.month, 'YYYY-MM')),
    'VAT of ' || to_char(r.month, 'FMMonth YYYY'), array[r.paid_reference, r.filed_reference], null, null
  from public.vat_returns r
  cross join lateral (select case p_currency when 'USD' then r.paid_usd else r.paid_lrd end as paid) a
  where r.paid_from = p_ledger and a.paid > 0
  union all
  select 'pay_return', r.id, r.paid_on, -a.paid, format('%s %s', upper(r.kind), to_char(r.month, 'YYYY-MM')),
    format('%s of %s', upper(r.kind), to_char(r.month, 'FMMonth YYYY')), array[r.paid_reference, r.filed_reference],
    null, null
  from public.pay_returns r
  cross join lateral (select case p_currency when 'USD' then r.paid_usd else r.paid_lrd end as paid) a
  where r.paid_from = p_ledger and a.paid > 0
  union all
  select 'staff', l.id, l.day, case l.entry when 'issue' then -l.amount else l.amount end,
    format('ADV %s', upper(left(l.id::text, 8))), format('%s of %s', initcap(l.kind), s.full_name), '{}', s.full_name,
    null
  from public.staff_ledger l join public.staff s on s.id = l.staff_id
  where l.payslip_line_id is null and l.entry <> 'write_off' and not (l.entry = 'issue' and l.kind = 'uniform')
    and l.currency = p_currency and l.paid_from = p_ledger
  union all
  select 'payroll', p.id, p.payment_date, -p.net_amount, format('PAYROLL PAID %s %s', p.payment_date, p.currency),
    'Payroll by hand of ' || s.full_name, '{}', s.full_name, null
  from public.payroll p join public.staff s on s.id = p.staff_id
  where p_ledger = 'bank' and p.payment_status = 'paid' and p.payment_date is not null and p.currency = p_currency
    and p.net_amount <> 0 and not exists (select from public.payslips x where x.payroll_id = p.id)
  union all
  select 'entry', l.id, b.day, b.sign * l.amount, format('ENT %s', upper(left(e.id::text, 8))), e.description, '{}',
    null, null
  from public.book_entry_lines l
  join public.book_entries e on e.id = l.entry_id
  cross join lateral (values (e.day, 1), (private.company_date_of(e.voided_at), -1)) b (day, sign)
  where l.account = p_ledger and l.currency = p_currency and b.day is not null;
$$;

-- Documents of which something is on no statement yet. `amount` is what is left.
create function private.open_bank_documents(p_ledger text, p_currency text)
returns table (
  kind text, id uuid, day date, amount numeric, document text, text text, marks text[], name text, bank_account_id uuid
)
language sql stable security definer rows 1000 set search_path = '' as $$
  with documents as (
    select m.kind, m.id, min(m.day) as day, sum(m.amount) as amount, min(m.document) as document, min(m.text) as text,
      min(m.marks) as marks, min(m.name) as name, (array_agg(m.bank_account_id))[1] as bank_account_id
    from private.bank_movements(p_ledger, p_currency) m group by m.kind, m.id having sum(m.amount) <> 0
  ), matched as (
    select m.kind, m.document_id, sum(m.amount) as amount from public.bank_matches m where m.currency = p_currency
    group by m.kind, m.document_id
  )
  select d.kind, d.id, d.day, d.amount - coalesce(m.amount, 0), d.document, d.text, d.marks, d.name, d.bank_account_id
  from documents d left join matched m on m.kind = d.kind and m.document_id = d.id
  where d.amount <> coalesce(m.amount, 0);
$$;

-- Frees the lines of documents that were voided, deleted, or changed so that they no longer are what was matched.
-- Its argument is the kind of the documents.
create function private.follow_bank_documents() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  freed uuid[];
begin
  with changed as materialized (
    select (to_jsonb(o) ->> 'id')::uuid as id, (to_jsonb(o) ->> 'payment_file_id')::uuid as file_id from old_rows o
  ), documents as (
    select tg_argv[0] as kind, c.id from changed c where tg_argv[0] not in ('payment', 'entry')
    union select 'payment_return', c.id from changed c where tg_argv[0] = 'payment'
    union select 'payment_file', c.file_id from changed c where tg_argv[0] = 'payment' and c.file_id is not null
    union
    select 'entry', l.id from changed c join public.book_entry_lines l on l.entry_id = c.id where tg_argv[0] = 'entry'
  ), matched as materialized (
    select m.kind, m.document_id, m.currency, f.ledger, sum(m.amount) as amount, array_agg(m.line_id) as lines
    from documents d
    join public.bank_matches m on m.document_id = d.id and m.kind = d.kind
    join public.bank_lines l on l.id = m.line_id
    join public.bank_feeds f on f.bank_account_id = l.bank_account_id
    group by m.kind, m.document_id, m.currency, f.ledger
  ), booked as (
    select m.kind, m.id, g.ledger, g.currency, sum(m.amount) as amount
    from (select distinct x.ledger, x.currency from matched x) g
    cross join lateral private.bank_movements(g.ledger, g.currency) m
    join matched x on x.kind = m.kind and x.document_id = m.id and x.ledger = g.ledger and x.currency = g.currency
    group by m.kind, m.id, g.ledger, g.currency
  )
  select array_agg(distinct l.id) into freed
  from matched m
  left join booked b on b.kind = m.kind and b.id = m.document_id and b.ledger = m.ledger and b.currency = m.currency
  cross join unnest(m.lines) l (id)
  where coalesce(sign(b.amount) <> sign(m.amount) or abs(b.amount) < abs(m.amount), true);
  if freed is not null then
    delete from public.bank_matches m where m.line_id = any (freed);
    update public.bank_lines l set matched_at = null where l.id = any (freed);
  end if;
  return null;
end
$$;

-- ── Accounts and imports ──────────────────────────────────────────────

-- The feed of a bank account, locked with the others of its account of the books: a document is on one of them.
create function private.lock_bank_feed(p_bank_account_id uuid) returns public.bank_feeds
language plpgsql security definer set search_path = '' as $$
declare
  feed public.bank_feeds;
begin
  perform private.require_billing_role();
  select * into feed from public.bank_feeds f where f.bank_account_id = p_bank_account_id;
  if not found then
    raise exception 'Set up the statements of this bank account first.' using errcode = 'PT404';
  end if;
  perform from public.bank_feeds f where f.ledger = feed.ledger and f.currency = feed.currency
  order by f.bank_account_id for update;
  return feed;
end
$$;

-- Its currency is that of the books that its statements are compared with.
create function private.keep_bank_currency() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.bank_feeds f where f.bank_account_id = new.id and f.currency <> new.currency) then
    raise exception 'Statements of this bank account are imported, so its currency can''t change.'
      using errcode = 'PT409';
  end if;
  return null;
end
$$;

-- Adds a bank account to those whose statements are imported, or changes how its files are read.
create function public.save_bank_feed(
  p_bank_account_id uuid, p_ledger text, p_day_heading text, p_description_heading text, p_day_order text,
  p_reference_heading text default null, p_amount_heading text default null, p_in_heading text default null,
  p_out_heading text default null, p_balance_heading text default null, p_follows_balance boolean default false
) returns public.bank_feeds
language plpgsql security definer set search_path = '' as $$
declare
  account public.bank_accounts;
  feed public.bank_feeds;
begin
  perform private.require_billing_role();
  select * into account from public.bank_accounts b where b.id = p_bank_account_id for update;
  if not found then
    raise exception 'This bank account no longer exists.' using errcode = 'PT404';
  end if;
  if account.currency not in ('USD', 'LRD') then
    raise exception 'The books have US dollars and Liberian dollars, and this account has %.', account.currency
      using errcode = 'check_violation';
  end if;
  -- Another record of the same account, for example of another period, would have the same lines.
  if exists (
    select from public.bank_feeds f join public.bank_accounts b on b.id = f.bank_account_id
    where b.id <> account.id and b.currency = account.currency and b.account_number = account.account_number
      and lower(b.bank_name) = lower(account.bank_name)
  ) then
    raise exception 'Statements of this account number are imported already, in another record of it.'
      using errcode = 'PT409';
  end if;
  if exists (
    select from public.bank_feeds f join public.bank_imports i on i.bank_account_id = f.bank_account_id
    where f.bank_account_id = account.id and f.ledger <> p_ledger
  ) then
    raise exception 'Undo the imports of this account before it becomes another account of the books.'
      using errcode = 'PT409';
  end if;
  insert into public.bank_feeds as f (bank_account_id, ledger, currency, day_heading, description_heading,
    reference_heading, amount_heading, in_heading, out_heading, balance_heading, day_order, follows_balance)
  values (account.id, p_ledger, account.currency, p_day_heading, p_description_heading, p_reference_heading,
    p_amount_heading, p_in_heading, p_out_heading, p_balance_heading, p_day_order, coalesce(p_follows_balance, false))
  on conflict (bank_account_id) do update set ledger = excluded.ledger, day_heading = excluded.day_heading,
    description_heading = excluded.description_heading, reference_heading = excluded.reference_heading,
    amount_heading = excluded.amount_heading, in_heading = excluded.in_heading, out_heading = excluded.out_heading,
    balance_heading = excluded.balance_heading, day_order = excluded.day_order,
    follows_balance = excluded.follows_balance
  returning * into feed;
  perform private.show_bank_balance(feed.bank_account_id);
  return feed;
end
$$;
grant execute on function public.save_bank_feed to authenticated;

-- What the statements of an account say on a day: the balance before its first line, and every line since. Null before
-- the first import.
create function private.bank_balance(p_bank_account_id uuid, p_day date) returns numeric
language sql stable security definer set search_path = '' as $$
  select i.opening_balance + coalesce((
      select sum(l.amount) from public.bank_lines l where l.bank_account_id = p_bank_account_id and l.day <= p_day), 0)
  from public.bank_imports i where i.bank_account_id = p_bank_account_id
  order by i.first_day, i.created_at, i.id limit 1;
$$;

-- The balance on the form of the bank account, if it follows its statements: money of ours is a credit at the bank.
create function private.show_bank_balance(p_bank_account_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  balance numeric;
begin
  if exists (
    select from public.bank_feeds f where f.bank_account_id = p_bank_account_id and f.follows_balance
  ) then
    balance := private.bank_balance(p_bank_account_id, 'infinity');
    update public.bank_accounts b
    set current_balance = abs(balance), balance_type = case when balance < 0 then 'Dr' else 'Cr' end
    where b.id = p_bank_account_id and balance is not null;
  end if;
end
$$;

-- Imports the lines of a file, from the oldest on; those that are here already are left out. The same p_id again
-- returns the import as it was.
-- @param p_rows [{number, day, description, reference, amount, balance}]: the number of the row in the file; money out
-- is below zero
-- @param p_closing the balance after the last line, for files without balances
create function public.import_bank_lines(
  p_bank_account_id uuid, p_file_name text, p_rows jsonb, p_closing numeric default null, p_id uuid default null
) returns public.bank_imports
language plpgsql security definer set search_path = '' as $$
declare
  feed public.bank_feeds := private.lock_bank_feed(p_bank_account_id);
  found_import public.bank_imports;
  lines jsonb;
  total numeric;
  closing numeric;
  wrong integer;
begin
  select * into found_import from public.bank_imports i where i.id = p_id;
  if found then
    if found_import.bank_account_id <> p_bank_account_id then
      raise exception 'Another import has this id.' using errcode = 'PT409';
    end if;
    return found_import;
  end if;
  if p_rows is null or jsonb_typeof(p_rows) <> 'array' or jsonb_array_length(p_rows) not between 1 and 5000 then
    raise exception 'A statement has 1 to 5000 lines.' using errcode = 'invalid_parameter_value';
  end if;
  select coalesce(r.number, r.place) into wrong
  from rows from (jsonb_to_recordset(p_rows) as (number integer, day date, amount numeric, balance numeric))
    with ordinality r (number, day, amount, balance, place)
  where r.day is null or not r.day between '1900-01-01' and private.company_date() or r.amount is null or r.amount = 0
    or r.amount <> round(r.amount, 2) or abs(r.amount) > 999999999999.99 or r.balance <> round(r.balance, 2)
    or abs(r.balance) > 999999999999.99
  order by r.place limit 1;
  if found then
    raise exception 'Row % needs a day that is not in the future, and an amount in whole cents.', wrong
      using errcode = 'invalid_parameter_value';
  end if;
  -- A balance that does not follow from the one before means a wrong column or a wrong sign.
  with lines as (
    select r.place, coalesce(r.number, r.place) as number, r.balance, sum(r.amount) over (order by r.place) as moved
    from rows from (jsonb_to_recordset(p_rows) as (number integer, amount numeric, balance numeric)) with ordinality
      r (number, amount, balance, place)
  ), balances as (
    select l.place, l.number, l.balance - l.moved as start, lag(l.balance - l.moved) over (order by l.place) as before
    from lines l where l.balance is not null
  )
  select b.number into wrong from balances b where b.start <> b.before order by b.place limit 1;
  if found then
    raise exception 'The balance of row % does not follow from the row before.', wrong using errcode = 'PT409',
      hint = 'Check the columns of money in and money out, and whether lines are missing.';
  end if;
  select sum(r.amount) into total from jsonb_to_recordset(p_rows) r (amount numeric);
  select r.balance + total - r.moved into closing
  from (
    select r.balance, sum(r.amount) over (order by r.place) as moved
    from rows from (jsonb_to_recordset(p_rows) as (amount numeric, balance numeric)) with ordinality
      r (amount, balance, place)
  ) r where r.balance is not null limit 1;
  closing := coalesce(closing, p_closing);
  if closing is null or closing <> round(closing, 2) or abs(closing) > 999999999999.99 then
    raise exception 'The file has no balances. Enter the balance after its last line.'
      using errcode = 'invalid_parameter_value';
  end if;
  with given as (
    select r.place, r.day, nullif(left(btrim(r.description), 500), '') as description,
      nullif(left(btrim(r.reference), 200), '') as reference, r.amount, r.balance,
      md5(lower(concat_ws('|', r.day, r.amount::numeric(14,2), nullif(left(btrim(r.description), 500), ''),
        nullif(left(btrim(r.reference), 200), '')))) as print
    from rows from (jsonb_to_recordset(p_rows) as (day date, description text, reference text, amount numeric,
      balance numeric)) with ordinality r (day, description, reference, amount, balance, place)
  ), known as (
    select md5(lower(concat_ws('|', l.day, l.amount, l.description, l.reference))) as print, l.balance
    from public.bank_lines l
    where l.bank_account_id = p_bank_account_id
      and l.day between (select min(g.day) from given g) and (select max(g.day) from given g)
  ), counted as (
    -- Equal lines of a day are told apart by their balance, or else counted: the second is new if one is known.
    select g.*, row_number() over (partition by g.print, g.balance order by g.place) as copy from given g
  )
  select coalesce(jsonb_agg(to_jsonb(c) order by c.place) filter (where c.copy > (
      select count(*) from known k
      where k.print = c.print and (k.balance is null or c.balance is null or k.balance = c.balance))), '[]')
  into lines from counted c;
  if lines = '[]' then
    raise exception 'All lines of this file have been imported before.' using errcode = 'PT409';
  end if;
  insert into public.bank_imports (id, bank_account_id, file_name, line_count, known_count, first_day, last_day,
    opening_balance, closing_balance)
  select coalesce(p_id, gen_random_uuid()), p_bank_account_id,
    coalesce(nullif(left(btrim(p_file_name), 200), ''), 'File'), jsonb_array_length(lines),
    jsonb_array_length(p_rows) - jsonb_array_length(lines), min(r.day), max(r.day), closing - total, closing
  from jsonb_to_recordset(p_rows) r (day date)
  returning * into found_import;
  insert into public.bank_lines (import_id, bank_account_id, position, day, description, reference, amount, balance)
  select found_import.id, p_bank_account_id, l.place, l.day, l.description, l.reference, l.amount, l.balance
  from jsonb_to_recordset(lines) l (place integer, day date, description text, reference text, amount numeric,
    balance numeric);
  perform private.show_bank_balance(p_bank_account_id);
  return found_import;
end
$$;
grant execute on function public.import_bank_lines to authenticated;

-- Takes a wrong import back, while none of its lines is matched.
create function public.undo_bank_import(p_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  account uuid;
begin
  perform private.require_billing_role();
  select i.bank_account_id into account from public.bank_imports i where i.id = p_id;
  if not found then
    raise exception 'This import no longer exists.' using errcode = 'PT404';
  end if;
  perform private.lock_bank_feed(account);
  if exists (select from public.bank_lines l where l.import_id = p_id and l.matched_at is not null) then
    raise exception 'Lines of this import are matched. Undo their matches first.' using errcode = 'PT409';
  end if;
  delete from public.bank_imports i where i.id = p_id;
  perform private.show_bank_balance(account);
end
$$;
grant execute on function public.undo_bank_import to authenticated;

-- ── Matching ──────────────────────────────────────────────────────────

-- Letters and digits alone, as a bank may leave out dashes and spaces.
create function private.bank_words(p_text text) returns text
language sql immutable set search_path = '' return regexp_replace(lower(p_text), '[^a-z0-9]', '', 'g');

-- How far a line is from its document, in words.
create function private.days_apart_text(p_days integer) returns text
language sql immutable set search_path = '' return
  case p_days when 0 then 'same day' when 1 then '1 day apart' else format('%s days apart', p_days) end;

-- For each open line of an account what it may be: one document of its amount, or several documents of a kind and day,
-- or documents named in its text, that are its amount together.
-- @returns sure: whether a mark or a name is in the text, or they are near, and nothing else fits as well
create function private.bank_proposals(p_bank_account_id uuid)
returns table (line_id uuid, documents jsonb, reason text, strength integer, is_sure boolean)
language plpgsql stable security definer rows 500 set search_path = '' set work_mem = '64MB' as $$
declare
  feed public.bank_feeds;
begin
  select * into feed from public.bank_feeds f where f.bank_account_id = p_bank_account_id;
  return query
  with lines as materialized (
    select l.id, l.day, l.amount, private.bank_words(concat(l.description, ' ', l.reference)) as words
    from public.bank_lines l where l.bank_account_id = p_bank_account_id and l.matched_at is null
    order by l.day desc, l.id limit 1000
  ), documents as materialized (
    select d.kind, d.id, d.day, d.amount, private.bank_words(d.name) as name, d.name as name_text,
      array(select m from unnest(d.marks) m where char_length(private.bank_words(m)) >= 4) as marks,
      jsonb_build_object('kind', d.kind, 'id', d.id, 'day', d.day, 'amount', d.amount::text, 'document', d.document,
        'text', d.text) as facts
    from private.open_bank_documents(feed.ledger, feed.currency) d
    where (d.bank_account_id is null or d.bank_account_id = p_bank_account_id)
      and d.day between (select min(l.day) - 62 from lines l) and (select max(l.day) + 31 from lines l)
  ), units as materialized (
    -- What may be one line: a document, or all of a kind and day.
    select array[d.id] as ids, d.kind, d.day, d.amount, d.name, d.name_text, d.marks,
      jsonb_build_array(d.facts) as facts
    from documents d
    union all
    select array_agg(d.id order by d.id), d.kind, d.day, sum(d.amount), null, null, '{}',
      jsonb_agg(d.facts order by d.id)
    from documents d group by d.kind, d.day having count(*) between 2 and 500
  ), pairs as (
    select l.id, u.ids, u.facts, abs(l.day - u.day) as apart, u.name_text, k.mark,
      case when k.mark is not null then 3 when char_length(u.name) >= 4 and position(u.name in l.words) > 0 then 2
        when l.day between u.day - 2 and u.day + 5 then 1 else 0 end as strength
    from lines l
    join units u on u.amount = l.amount and l.day between u.day - 31 and u.day + 62
    left join lateral (
      select min(m) as mark from unnest(u.marks) m where position(private.bank_words(m) in l.words) > 0
    ) k on true
  ), named as (
    -- Several documents that the text names.
    select l.id, array_agg(d.id order by d.id) as ids, jsonb_agg(d.facts order by d.day, d.id) as facts,
      string_agg(k.mark, ', ' order by d.day, d.id) as marks
    from lines l
    join documents d on cardinality(d.marks) > 0 and sign(d.amount) = sign(l.amount)
    cross join lateral (
      select min(m) as mark from unnest(d.marks) m where position(private.bank_words(m) in l.words) > 0
    ) k
    where k.mark is not null
    group by l.id, l.amount having count(*) between 2 and 50 and sum(d.amount) = l.amount
  ), all_pairs as materialized (
    select row_number() over () as pair, x.* from (
      select p.id, p.ids, p.facts, p.apart, p.strength, concat_ws(', ', 'same amount', private.days_apart_text(p.apart),
        case when jsonb_array_length(p.facts) > 1 then format('%s documents', jsonb_array_length(p.facts)) end,
        case p.strength when 3 then p.mark || ' in the text' when 2 then p.name_text || ' in the text' end) as reason
      from pairs p where p.strength > 0 or p.apart <= 31
      union all
      select n.id, n.ids, n.facts, 0, 3, format('%s in the text, same amount together', n.marks) from named n
    ) x
  ), claims as (
    -- What another line has as good a claim to isn't sure.
    select c.pair, max(c.claims) as claims
    from (
      select p.pair, count(*) over (partition by d.id order by p.strength desc) as claims
      from all_pairs p cross join unnest(p.ids) d (id)
    ) c group by c.pair
  ), ranked as (
    select p.*, count(*) over (partition by p.id order by p.strength desc) as fits,
      row_number() over (partition by p.id order by p.strength desc, p.apart, cardinality(p.ids), p.ids) as place
    from all_pairs p
  )
  select r.id, r.facts, r.reason, r.strength, r.strength > 0 and r.fits = 1 and c.claims = 1
  from ranked r join claims c on c.pair = r.pair where r.place = 1;
end
$$;

-- What each open line of an account may be: [{line_id, documents, reason, sure}].
create function public.bank_proposals(p_bank_account_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('line_id', p.line_id, 'documents', p.documents, 'reason', p.reason,
      'sure', p.is_sure)), '[]')
    from private.bank_proposals(p_bank_account_id) p
  );
end
$$;
grant execute on function public.bank_proposals to authenticated;

-- Documents that are on no statement yet, for a line that is matched by hand: the 500 nearest to its day, or to today.
create function public.open_bank_documents(p_bank_account_id uuid, p_day date default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  feed public.bank_feeds;
begin
  perform private.require_billing_role();
  if p_day is not null then
    perform private.require_day(p_day);
  end if;
  select * into feed from public.bank_feeds f where f.bank_account_id = p_bank_account_id;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('kind', d.kind, 'id', d.id, 'day', d.day, 'amount', d.amount::text,
      'document', d.document, 'text', d.text) order by d.day desc, d.document, d.id), '[]')
    from (
      select d.* from private.open_bank_documents(feed.ledger, feed.currency) d
      where d.bank_account_id is null or d.bank_account_id = p_bank_account_id
      order by abs(d.day - coalesce(p_day, private.company_date())), d.document, d.id limit 500
    ) d
  );
end
$$;
grant execute on function public.open_bank_documents to authenticated;

-- Matches a line with documents that are its amount together. One larger document may be paid by several lines.
-- @param p_documents [{kind, id}]
create function private.match_line(p_line public.bank_lines, p_feed public.bank_feeds, p_documents jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  matched numeric;
begin
  if p_documents is null or jsonb_typeof(p_documents) <> 'array'
    or jsonb_array_length(p_documents) not between 1 and 500
  then
    raise exception 'Choose 1 to 500 documents.' using errcode = 'invalid_parameter_value';
  end if;
  if p_line.matched_at is not null then
    raise exception 'Someone has already matched this line.' using errcode = 'PT409';
  end if;
  with chosen as (
    select distinct c.kind, c.id from jsonb_to_recordset(p_documents) c (kind text, id uuid)
  ), open as (
    select d.kind, d.id, case when jsonb_array_length(p_documents) = 1 and sign(d.amount) = sign(p_line.amount)
      then sign(p_line.amount) * least(abs(d.amount), abs(p_line.amount)) else d.amount end as amount
    from chosen c join private.open_bank_documents(p_feed.ledger, p_feed.currency) d on d.kind = c.kind and d.id = c.id
  ), stored as (
    insert into public.bank_matches (line_id, kind, document_id, currency, amount)
    select p_line.id, o.kind, o.id, p_feed.currency, o.amount from open o returning amount
  )
  select sum(s.amount) into matched from stored s having count(*) = jsonb_array_length(p_documents);
  if matched is null then
    raise exception 'A document has changed or is on a statement already.' using errcode = 'PT409',
      hint = 'Refresh, and choose again.';
  end if;
  if matched <> p_line.amount then
    raise exception 'The documents differ from the line by %.',
      private.money_text(abs(p_line.amount - matched), p_feed.currency) using errcode = 'check_violation';
  end if;
  update public.bank_lines l set matched_at = now() where l.id = p_line.id;
end
$$;

-- A line that is matched or freed, with the feed of its account, locked.
create function private.bank_line_to_change(p_id uuid, out line public.bank_lines, out feed public.bank_feeds)
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  select * into line from public.bank_lines l where l.id = p_id;
  if not found then
    raise exception 'This line no longer exists.' using errcode = 'PT404';
  end if;
  feed := private.lock_bank_feed(line.bank_account_id);
  select * into line from public.bank_lines l where l.id = p_id for update;
  if not found then
    raise exception 'This line no longer exists.' using errcode = 'PT404';
  end if;
end
$$;

create function public.match_bank_line(p_line_id uuid, p_documents jsonb) returns void
language plpgsql security definer set search_path = '' as $$
declare
  found_line record;
begin
  select * into found_line from private.bank_line_to_change(p_line_id);
  perform private.match_line(found_line.line, found_line.feed, p_documents);
end
$$;
grant execute on function public.match_bank_line to authenticated;

-- Accepts every proposal of an account that is sure. @returns how many lines
create function public.match_sure_lines(p_bank_account_id uuid) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  feed public.bank_feeds := private.lock_bank_feed(p_bank_account_id);
  matched uuid[];
begin
  -- Nothing else changes them meanwhile, and a sure proposal shares its documents with no other.
  with sure as materialized (
    select p.line_id, d.kind, d.id, d.amount
    from private.bank_proposals(p_bank_account_id) p
    cross join lateral jsonb_to_recordset(p.documents) d (kind text, id uuid, amount numeric)
    where p.is_sure
  ), stored as (
    insert into public.bank_matches (line_id, kind, document_id, currency, amount)
    select s.line_id, s.kind, s.id, feed.currency, s.amount from sure s returning line_id
  )
  select array_agg(distinct s.line_id) into matched from stored s;
  update public.bank_lines l set matched_at = now() where l.id = any (matched);
  return coalesce(cardinality(matched), 0);
end
$$;
grant execute on function public.match_sure_lines to authenticated;

-- What lines are matched with: [{line_id, kind, id, amount, document, text}].
create function public.bank_matches_of(p_line_ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_billing_role();
  if p_line_ids is null or cardinality(p_line_ids) > 200 then
    raise exception 'Choose at most 200 lines.' using errcode = 'invalid_parameter_value';
  end if;
  return (
    with matches as materialized (
      select m.*, f.ledger
      from public.bank_matches m
      join public.bank_lines l on l.id = m.line_id
      join public.bank_feeds f on f.bank_account_id = l.bank_account_id
      where m.line_id = any (p_line_ids)
    ), documents as (
      select g.ledger, g.currency, d.kind, d.id, min(d.document) as document, min(d.text) as text
      from (select distinct m.ledger, m.currency from matches m) g
      cross join lateral private.bank_movements(g.ledger, g.currency) d
      group by g.ledger, g.currency, d.kind, d.id
    )
    select coalesce(jsonb_agg(jsonb_build_object('line_id', m.line_id, 'kind', m.kind, 'id', m.document_id,
      'amount', m.amount::text, 'document', d.document, 'text', d.text) order by m.line_id, d.document, m.id), '[]')
    from matches m
    left join documents d on d.kind = m.kind and d.id = m.document_id and d.ledger = m.ledger
      and d.currency = m.currency
  );
end
$$;
grant execute on function public.bank_matches_of to authenticated;

create function public.unmatch_bank_line(p_line_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  found_line record;
begin
  select * into found_line from private.bank_line_to_change(p_line_id);
  delete from public.bank_matches m where m.line_id = p_line_id;
  update public.bank_lines l set matched_at = null where l.id = p_line_id;
end
$$;
grant execute on function public.unmatch_bank_line to authenticated;

-- Books a line that no document has, such as charges of the bank, as an entry by hand, and matches it.
create function public.book_bank_line(
  p_line_id uuid, p_account text, p_description text, p_day date default null, p_id uuid default null
) returns public.book_entries
language plpgsql security definer set search_path = '' as $$
declare
  found_line record;
  line public.bank_lines;
  feed public.bank_feeds;
  entry public.book_entries;
begin
  select * into found_line from private.bank_line_to_change(p_line_id);
  line := found_line.line;
  feed := found_line.feed;
  select * into entry from public.book_entries e where e.id = p_id;
  if found and line.matched_at is not null then
    return entry;
  end if;
  if line.matched_at is not null then
    raise exception 'Someone has already matched this line.' using errcode = 'PT409';
  end if;
  entry := public.add_book_entry(
    case when p_account in ('bank', 'cash', 'mobile_money') then 'transfer' else 'other' end,
    coalesce(p_day, line.day), p_description, jsonb_build_array(
      jsonb_build_object('account', feed.ledger, 'currency', feed.currency, 'amount', line.amount),
      jsonb_build_object('account', p_account, 'currency', feed.currency, 'amount', -line.amount)), p_id);
  perform private.match_line(line, feed, (
    select jsonb_build_array(jsonb_build_object('kind', 'entry', 'id', l.id))
    from public.book_entry_lines l where l.entry_id = entry.id and l.position = 1));
  return entry;
end
$$;
grant execute on function public.book_bank_line to authenticated;

-- ── Whether the balances agree ────────────────────────────────────────

-- The balance of the statements and the balance of the books on a day, and every part of their difference: what both
-- had before the first statement, lines that the books don't have, and documents that no statement has.
-- @returns missing: what the last file says beyond its lines; not zero if a file between is missing
create function public.bank_reconciliation(p_bank_account_id uuid, p_day date) returns jsonb
language plpgsql stable security definer set search_path = '' set work_mem = '64MB'
  set plan_cache_mode = force_custom_plan as $$
declare
  feed public.bank_feeds;
  first date;
  books numeric;
  statement numeric;
begin
  perform private.require_billing_role();
  perform private.require_day(p_day, 'day');
  select * into feed from public.bank_feeds f where f.bank_account_id = p_bank_account_id;
  -- Bank accounts that are one account of the books are compared together.
  select min(i.first_day), sum(private.bank_balance(a.id, p_day)) into first, statement
  from (
    select f.bank_account_id as id from public.bank_feeds f
    where f.ledger = feed.ledger and f.currency = feed.currency
  ) a
  cross join lateral (
    select min(i.first_day) as first_day from public.bank_imports i where i.bank_account_id = a.id
  ) i
  where i.first_day <= p_day;
  if first is null then
    return null;
  end if;
  select coalesce(sum(m.debit - m.credit), 0) into books
  from private.account_movements('-infinity', p_day) m where m.key = feed.ledger and m.currency = feed.currency;
  return (
    with lines as materialized (
      select l.*, coalesce((select sum(m.amount) from public.bank_matches m where m.line_id = l.id), 0) as matched
      from public.bank_lines l join public.bank_feeds f on f.bank_account_id = l.bank_account_id
      where f.ledger = feed.ledger and f.currency = feed.currency and l.day <= p_day
    ), booked as (
      select m.kind, m.id, min(m.day) as day, coalesce(sum(m.amount) filter (where m.day between first and p_day), 0)
        as amount, min(m.document) as document, min(m.text) as text
      from private.bank_movements(feed.ledger, feed.currency) m group by m.kind, m.id
    ), matched as (
      select m.kind, m.document_id, sum(m.amount) as amount
      from public.bank_matches m join lines l on l.id = m.line_id group by m.kind, m.document_id
    ), documents as materialized (
      select b.kind, b.id, b.day, b.document, b.text, b.amount - coalesce(m.amount, 0) as amount
      from booked b left join matched m on m.kind = b.kind and m.document_id = b.id
      where b.amount <> coalesce(m.amount, 0)
    ), sums as (
      select (select coalesce(sum(l.amount - l.matched), 0) from lines l) as of_lines,
        -- What was booked before the first statement belongs to the balance that it began with.
        (select coalesce(sum(d.amount) filter (where d.day >= first), 0) from documents d) as of_documents
    )
    select jsonb_build_object('ledger', feed.ledger, 'currency', feed.currency, 'first_day', first,
      'statement', statement::text, 'books', books::text, 'difference', (statement - books)::text,
      'before', (statement - books - s.of_lines + s.of_documents)::text,
      'line_total', s.of_lines::text, 'document_total', s.of_documents::text,
      'line_count', (select count(*) from lines l where l.amount <> l.matched),
      'document_count', (select count(*) from documents d where d.day >= first),
      'lines', (
        select coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'day', x.day, 'text', concat_ws(', ', x.description,
          x.reference), 'amount', x.amount::text) order by x.day, x.id), '[]')
        from (select * from lines l where l.amount <> l.matched order by l.day, l.id limit 200) x),
      'documents', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', x.kind, 'id', x.id, 'day', x.day, 'document', x.document,
          'text', x.text, 'amount', x.amount::text) order by x.day, x.id), '[]')
        from (select * from documents d where d.day >= first order by d.day, d.id limit 200) x),
      'accounts', (
        select jsonb_agg(jsonb_build_object('id', b.id, 'name', b.bank_name || ', ' || b.account_title,
          'balance', private.bank_balance(b.id, p_day)::text, 'last_day', i.last_day,
          'missing', (i.closing_balance - private.bank_balance(b.id, i.last_day))::text) order by b.bank_name, b.id)
        from public.bank_feeds f
        join public.bank_accounts b on b.id = f.bank_account_id
        join lateral (
          select i.last_day, i.closing_balance from public.bank_imports i
          where i.bank_account_id = b.id and i.last_day <= p_day
          order by i.last_day desc, i.created_at desc, i.id limit 1
        ) i on true
        where f.ledger = feed.ledger and f.currency = feed.currency))
    from sums s
  );
end
$$;
grant execute on function public.bank_reconciliation to authenticated;
