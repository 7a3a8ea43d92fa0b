-- Pay accounts, payment files, their results.

-- ── Tables ────────────────────────────────────────────────────────────

-- Where the pay of a person goes: one account each, that no one else uses, checked by a second person before money is
-- sent to it. Admins and finance only.
create table public.pay_accounts (
  id uuid default gen_random_uuid() primary key,
  staff_id uuid not null unique references public.staff on delete cascade,
  -- cash is paid against a signature.
  channel text not null check (channel in ('bank', 'mtn_momo', 'orange_money', 'cash')),
  -- As the bank or the network knows the holder. A spreadsheet would run a name that starts like a formula.
  account_name text not null check (char_length(account_name) <= 100 and account_name !~ '^[-=+@]'),
  account_number text, -- Of a bank: letters and digits only. Of mobile money: E.164.
  bank_name text check (char_length(bank_name) <= 100 and bank_name !~ '^[-=+@]'),
  changed_by uuid default auth.uid() references public.profiles on delete set null, -- Who last changed the account.
  verified_by uuid references public.profiles on delete set null,
  verified_at timestamptz,
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pay_accounts_bank_has_name check ((channel = 'bank') = (bank_name is not null)),
  constraint pay_accounts_cash_has_no_number check ((channel = 'cash') = (account_number is null)),
  constraint pay_accounts_number check (
case
    when channel = 'bank' then account_number ~ '^[A-Z0-9]{4,34}$'
    when channel in ('mtn_momo', 'orange_money') then account_number ~ '^\+[1-9][0-9]{6,14}$'
    else true
end),
  constraint pay_accounts_second_person check (verified_by <> changed_by),
  constraint pay_accounts_verified_at check (verified_by is null or verified_at is not null)
);
create unique index pay_accounts_number_key on public.pay_accounts (channel, account_number);
create index pay_accounts_changed_by_idx on public.pay_accounts (changed_by);
create index pay_accounts_verified_by_idx on public.pay_accounts (verified_by);
create index pay_accounts_created_by_idx on public.pay_accounts (created_by);
alter publication supabase_realtime add table public.pay_accounts;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.pay_accounts', 'account_name', 'account_number', 'bank_name');
create trigger b_author before insert or update on public.pay_accounts
  for each row execute function private.stamp_author();
create trigger c_rules before insert or update on public.pay_accounts
  for each row execute function private.check_pay_account();
create trigger d_touch before update on public.pay_accounts for each row execute function private.touch();
select private.keep_history_of('public.pay_accounts');
create trigger routes_payments_of_deletes after delete on public.pay_accounts referencing old table as old_rows
  for each statement execute function private.follow_pay_accounts();
create trigger routes_payments_of_inserts after insert on public.pay_accounts referencing new table as new_rows
  for each statement execute function private.follow_pay_accounts();
create trigger routes_payments_of_updates after update on public.pay_accounts referencing new table as new_rows
  for each statement execute function private.follow_pay_accounts();
alter table public.pay_accounts enable row level security;
grant
  select, delete, insert (id, staff_id, channel, account_name, account_number, bank_name, created_by),
  update (channel, account_name, account_number, bank_name) on public.pay_accounts to authenticated;
create policy "Admins and finance read pay accounts" on public.pay_accounts
  for select to authenticated using ((select private.may_pay()));
create policy "Admins and finance add pay accounts" on public.pay_accounts
  for insert to authenticated with check ((select private.may_pay()));
create policy "Admins and finance change pay accounts" on public.pay_accounts
  for update to authenticated using ((select private.may_pay())) with check ((select private.may_pay()));
create policy "Admins and finance delete pay accounts" on public.pay_accounts
  for delete to authenticated using ((select private.may_pay()));

-- Payments of locked pay runs: one line per payslip and attempt, in files that never change. Written by functions
-- alone.
create table public.payment_files (
  id uuid default gen_random_uuid() primary key,
  pay_run_id uuid not null references public.pay_runs,
  number integer not null, -- Counted within the run.
  channel text not null check (channel in ('bank', 'mtn_momo', 'orange_money', 'cash')),
  currency text not null check (currency in ('USD', 'LRD')),
  content text not null, -- CSV, UTF-8, as sent to the bank or the network.
  line_count integer not null check (line_count > 0),
  control_total numeric(16,2) not null check (control_total > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'), -- Of the content, hexadecimal.
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  unique (pay_run_id, number)
);
create index payment_files_created_by_idx on public.payment_files (created_by);
-- Triggers, in the order in which they fire:
create trigger c_rules before update or delete on public.payment_files
  for each row execute function private.refuse_change_of_payment_file();
select private.keep_history_of('public.payment_files');
alter table public.payment_files enable row level security;
grant select on public.payment_files to authenticated;
create policy "Admins and finance read payment files" on public.payment_files
  for select to authenticated using ((select private.may_pay()));

create table public.payment_formats (
  id uuid default gen_random_uuid() primary key,
  channel text not null check (channel in ('bank', 'mtn_momo', 'orange_money', 'cash')),
  currency text not null check (currency in ('USD', 'LRD')),
  columns jsonb not null check (private.are_payment_columns(columns)),
  has_header boolean not null default true,
  delimiter text not null default ',' check (delimiter in (',', ';', '|', '	')),
  date_format text not null default 'YYYY-MM-DD'
    check (date_format in ('YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY', 'DD-MM-YYYY', 'YYYYMMDD')),
  -- Written in each line, for example the company's number at the bank.
  company_text text check (char_length(company_text) <= 60 and company_text !~ '^[-=+@]'),
  result_columns jsonb not null check (private.are_result_columns(result_columns)),
  -- What the status says of a line that was paid, and of one that has failed, in lower case. A line with any other
  -- status is not recorded: its money may still be on the way.
  paid_words text[] not null default '{paid,success,successful,completed}'::text[]
    check (cardinality(paid_words) between 1 and 20 and array_position(paid_words, null::text) is null),
  failed_words text[] not null default '{failed,rejected,returned,reversed}'::text[]
    check (cardinality(failed_words) between 1 and 20 and array_position(failed_words, null::text) is null),
  updated_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (channel, currency),
  constraint payment_formats_words_differ check (not paid_words && failed_words)
);

insert into public.payment_formats (channel, currency, columns, result_columns) values
  ('bank', 'USD',
    '[{"field": "code", "header": "Reference"}, {"field": "account_name", "header": "Name"}, {"field": '
    '"account_number", "header": "Account Number"}, {"field": "bank_name", "header": "Bank"}, {"field": "amount", '
    '"header": "Amount"}, {"field": "currency", "header": "Currency"}, {"field": "period", "header": "Narration"}]',
    '{"code": "Reference", "date": "Date", "amount": "Amount", "reason": "Reason", "status": "Status", "reference": '
    '"Transaction ID"}'),
  ('bank', 'LRD',
    '[{"field": "code", "header": "Reference"}, {"field": "account_name", "header": "Name"}, {"field": '
    '"account_number", "header": "Account Number"}, {"field": "bank_name", "header": "Bank"}, {"field": "amount", '
    '"header": "Amount"}, {"field": "currency", "header": "Currency"}, {"field": "period", "header": "Narration"}]',
    '{"code": "Reference", "date": "Date", "amount": "Amount", "reason": "Reason", "status": "Status", "reference": '
    '"Transaction ID"}'),
  ('cash', 'LRD',
    '[{"field": "code", "header": "Reference"}, {"field": "account_name", "header": "Name"}, {"field": "amount", '
    '"header": "Amount"}, {"field": "currency", "header": "Currency"}, {"field": "period", "header": "Narration"}]',
    '{"code": "Reference", "date": "Date", "amount": "Amount", "reason": "Reason", "status": "Status", "reference": '
    '"Transaction ID"}'),
  ('cash', 'USD',
    '[{"field": "code", "header": "Reference"}, {"field": "account_name", "header": "Name"}, {"field": "amount", '
    '"header": "Amount"}, {"field": "currency", "header": "Currency"}, {"field": "period", "header": "Narration"}]',
    '{"code": "Reference", "date": "Date", "amount": "Amount", "reason": "Reason", "status": "Status", "reference": '
    '"Transaction ID"}'),
  ('mtn_momo', 'USD',
    '[{"field": "code", "header": "Reference"}, {"field": "account_name", "header": "Name"}, {"field": '
    '"account_number", "header": "Phone Number"}, {"field": "amount", "header": "Amount"}, {"field": "currency", '
    '"header": "Currency"}, {"field": "period", "header": "Narration"}]',
    '{"code": "Reference", "date": "Date", "amount": "Amount", "reason": "Reason", "status": "Status", "reference": '
    '"Transaction ID"}'),
  ('mtn_momo', 'LRD',
    '[{"field": "code", "header": "Reference"}, {"field": "account_name", "header": "Name"}, {"field": '
    '"account_number", "header": "Phone Number"}, {"field": "amount", "header": "Amount"}, {"field": "currency", '
    '"header": "Currency"}, {"field": "period", "header": "Narration"}]',
    '{"code": "Reference", "date": "Date", "amount": "Amount", "reason": "Reason", "status": "Status", "reference": '
    '"Transaction ID"}'),
  ('orange_money', 'USD',
    '[{"field": "code", "header": "Reference"}, {"field": "account_name", "header": "Name"}, {"field": '
    '"account_number", "header": "Phone Number"}, {"field": "amount", "header": "Amount"}, {"field": "currency", '
    '"header": "Currency"}, {"field": "period", "header": "Narration"}]',
    '{"code": "Reference", "date": "Date", "amount": "Amount", "reason": "Reason", "status": "Status", "reference": '
    '"Transaction ID"}'),
  ('orange_money', 'LRD',
    '[{"field": "code", "header": "Reference"}, {"field": "account_name", "header": "Name"}, {"field": '
    '"account_number", "header": "Phone Number"}, {"field": "amount", "header": "Amount"}, {"field": "currency", '
    '"header": "Currency"}, {"field": "period", "header": "Narration"}]',
    '{"code": "Reference", "date": "Date", "amount": "Amount", "reason": "Reason", "status": "Status", "reference": '
    '"Transaction ID"}');
alter publication supabase_realtime add table public.payment_formats;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.payment_formats', 'company_text');
create trigger d_touch before update on public.payment_formats for each row execute function private.touch();
select private.keep_history_of('public.payment_formats');
alter table public.payment_formats enable row level security;
grant
  select, update (columns, has_header, delimiter, date_format, company_text, result_columns, paid_words, failed_words)
  on public.payment_formats to authenticated;
create policy "Admins and finance read payment formats" on public.payment_formats
  for select to authenticated using ((select private.may_pay()));
create policy "Admins and finance change payment formats" on public.payment_formats
  for update to authenticated using ((select private.may_pay())) with check ((select private.may_pay()));

create table public.payments (
  id uuid default gen_random_uuid() primary key,
  payslip_id uuid not null references public.payslips,
  pay_run_id uuid not null references public.pay_runs,
  staff_id uuid not null references public.staff,
  currency text not null check (currency in ('USD', 'LRD')),
  amount numeric(14,2) not null check (amount > 0),
  -- Our reference in the file. A second attempt has another one, so that no bank takes it for a repetition.
  code text not null default ('P' || upper("left"(replace((gen_random_uuid())::text, '-', ''), 12))),
  -- The person's account: follows pay_accounts while the payment is still to be made, then stays as it was used.
  channel text check (channel in ('bank', 'mtn_momo', 'orange_money', 'cash')),
  account_name text,
  account_number text,
  bank_name text,
  blocked text, -- Why it can't be paid yet.
  status text not null default 'to_pay' check (status in ('to_pay', 'in_file', 'paid', 'failed', 'returned')),
  payment_file_id uuid references public.payment_files,
  line integer,
  reference text check (char_length(reference) <= 100), -- The provider's.
  failure text check (char_length(failure) <= 500),
  paid_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A payment that the bank returns after it was paid: it stays as it was, with the day and the reason of the return,
  -- and a new one is to be paid. The books show both days: the old one never changes.
  returned_on date,
  constraint payments_file check ((status = 'to_pay') = (payment_file_id is null)
    and (payment_file_id is null) = (line is null)),
  constraint payments_usable check (status = 'to_pay' or channel is not null and blocked is null),
  constraint payments_failed check ((status in ('failed', 'returned')) = (failure is not null)),
  constraint payments_paid check ((status in ('paid', 'returned')) = (paid_on is not null)),
  constraint payments_returned check ((status = 'returned') = (returned_on is not null)),
  constraint payments_returned_after_paid check (returned_on >= paid_on)
);
create unique index payments_code_key on public.payments (code);
create unique index payments_line_key on public.payments (payment_file_id, line) where payment_file_id is not null;
create index payments_payslip_id_idx on public.payments (payslip_id);
create index payments_pay_run_id_idx on public.payments (pay_run_id, status);
create index payments_staff_id_idx on public.payments (staff_id, status);
create unique index payments_one_per_payslip on public.payments (payslip_id) where status not in ('failed', 'returned');
alter publication supabase_realtime add table public.payments;
-- Triggers, in the order in which they fire:
create trigger b_day before insert or update of paid_on on public.payments
  for each row execute function private.check_money_day('paid_on', 'The day of payment', '1');
create trigger c_rules before update or delete on public.payments
  for each row execute function private.refuse_change_of_payment();
create trigger d_touch before update on public.payments for each row execute function private.touch();
create trigger y_books after update on public.payments
  for each row when ( (old.pay_run_id, old.currency, old.amount, old.channel, old.paid_on) is distinct
      from (new.pay_run_id, new.currency, new.amount, new.channel, new.paid_on))
  execute function private.keep_closed_books('paid_on');
create trigger y_books_of_deleted after delete on public.payments
  for each row when (old.paid_on is not null) execute function private.keep_closed_books('paid_on');
create trigger y_books_of_new after insert on public.payments
  for each row when (new.paid_on is not null) execute function private.keep_closed_books('paid_on');
create trigger y_books_of_returned after update on public.payments
  for each row when ((old.returned_on is distinct from new.returned_on))
  execute function private.keep_closed_books('returned_on');
select private.keep_history_of('public.payments');
create trigger z_bank after update on public.payments referencing old table as old_rows
  for each statement execute function private.follow_bank_documents('payment');
create trigger z_bank_of_deleted after delete on public.payments referencing old table as old_rows
  for each statement execute function private.follow_bank_documents('payment');
alter table public.payments enable row level security;
grant select on public.payments to authenticated;
create policy "Admins and finance read payments" on public.payments
  for select to authenticated using ((select private.may_pay()));

-- ── Functions ─────────────────────────────────────────────────────────

-- Writes numbers in one form, names the other user of a number, and asks for a new check of what has changed. Definer,
-- to read the other account. It runs before the policies, so it names no one to callers who may not read accounts.
create function private.check_pay_account() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  written text := new.account_number;
  other text;
begin
  if new.channel in ('mtn_momo', 'orange_money') then
    new.account_number := private.e164(written);
    if new.account_number is null and written is not null then
      raise exception '% is not a phone number.', left(written, 40) using errcode = 'check_violation';
    end if;
  elsif new.channel = 'bank' then
    new.account_number := upper(translate(written, ' -.', ''));
  end if;
  if new.account_number is not null and (auth.uid() is null or private.may_pay()) then
    select s.full_name into other
    from public.pay_accounts a join public.staff s on s.id = a.staff_id
    where a.channel = new.channel and a.account_number = new.account_number and a.id <> new.id;
    if found then
      raise exception 'This account number is already used by %.', other
        using errcode = 'unique_violation', constraint = 'pay_accounts_number_key';
    end if;
  end if;
  if tg_op = 'UPDATE' and (old.staff_id, old.channel, old.account_name, old.account_number, old.bank_name)
    is not distinct from (new.staff_id, new.channel, new.account_name, new.account_number, new.bank_name)
  then
    return new;
  end if;
  new.changed_by := auth.uid();
  new.verified_by := null;
  new.verified_at := null;
  return new;
end
$$;

-- Copies the accounts of these people to their payments that are still to be made, and says which can't be.
create function private.route_payments(p_staff uuid[]) returns void
language sql set search_path = '' as $$
  update public.payments p set
    channel = a.channel, account_name = a.account_name, account_number = a.account_number, bank_name = a.bank_name,
    blocked = case when a.id is null then 'No pay account'
      when a.verified_at is null then 'The pay account is not verified yet' end
  from public.staff s
  left join public.pay_accounts a on a.staff_id = s.id
  where p.status = 'to_pay' and p.staff_id = s.id and s.id = any (p_staff);
$$;

create function private.follow_pay_accounts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    perform private.route_payments(array(select distinct o.staff_id from old_rows o));
  else
    perform private.route_payments(array(select distinct n.staff_id from new_rows n));
  end if;
  return null;
end
$$;

-- For everybody, the service role included.
create function private.refuse_change_of_payment() returns trigger
language plpgsql set search_path = '' as $function$
begin
  if tg_op = 'DELETE' then
    if old.status = 'to_pay' then
      return old;
    end if;
    raise exception 'A payment in a file is kept.' using errcode = 'PT409';
  end if;
  if old.status = 'paid' and new.status = 'returned'
    and to_jsonb(new) - array['status', 'returned_on', 'failure', 'updated_at']
      = to_jsonb(old) - array['status', 'returned_on', 'failure', 'updated_at']
  then
    return new;
  end if;
  if old.status in ('paid', 'failed', 'returned')
    or (old.payslip_id, old.pay_run_id, old.staff_id, old.currency, old.amount)
      is distinct from (new.payslip_id, new.pay_run_id, new.staff_id, new.currency, new.amount)
    or old.status = 'in_file' and (new.status = 'to_pay'
      or (old.channel, old.account_name, old.account_number, old.bank_name, old.payment_file_id, old.line)
        is distinct from (new.channel, new.account_name, new.account_number, new.bank_name, new.payment_file_id,
          new.line))
  then
    raise exception 'A payment in a file can''t be changed.' using errcode = 'PT409';
  end if;
  return new;
end
$function$;

create function private.refuse_change_of_payment_file() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- Deleting an account sets created_by to null.
  if tg_op = 'UPDATE' and to_jsonb(new) - 'created_by' = to_jsonb(old) - 'created_by' then
    return new;
  end if;
  raise exception 'A payment file can''t be changed or deleted.' using errcode = 'PT409';
end
$$;

-- A run can be voided until money may have left: then its payments go too.
create function private.refuse_void_after_payment() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  paid integer;
  waiting integer;
begin
  select count(*) filter (where p.status = 'paid'), count(*) filter (where p.status = 'in_file') into paid, waiting
  from public.payments p where p.pay_run_id = new.id;
  if paid > 0 or old.status = 'paid' then
    raise exception 'Payments of this run have been made, so it can''t be voided. Correct it in the next run.'
      using errcode = 'PT409';
  elsif waiting > 0 then
    raise exception 'A payment file of this run has no result yet. Record its result first.' using errcode = 'PT409';
  end if;
  delete from public.payments p where p.pay_run_id = new.id and p.status = 'to_pay';
  return new;
end
$$;

-- One line of a file, in the columns of the format.
create function private.payment_line(
  p_payment public.payments, p_line integer, p_staff_name text, p_period text, p_format public.payment_formats
) returns text
language sql stable set search_path = ''
return (
  select string_agg(
    case c ->> 'field'
      when 'line' then p_line::text
      when 'code' then p_payment.code
      when 'amount' then p_payment.amount::text
      when 'currency' then p_payment.currency
      when 'date' then to_char(private.company_date(), p_format.date_format)
      when 'account_number' then private.csv_field(p_payment.account_number, p_format.delimiter)
      else private.csv_field(case c ->> 'field'
        when 'staff_name' then p_staff_name
        when 'account_name' then p_payment.account_name
        when 'bank_name' then p_payment.bank_name
        when 'period' then p_period
        when 'company_text' then p_format.company_text
      end, p_format.delimiter, true)
    end, p_format.delimiter order by place)
  from jsonb_array_elements(p_format.columns) with ordinality listed (c, place)
);

-- Payments with their place in a file, by name.
create function private.numbered_payments(p_ids uuid[]) returns table (id uuid, line integer, staff_name text)
language sql stable set search_path = '' as $$
  select p.id, row_number() over (order by s.full_name, p.code)::integer, s.full_name
  from public.payments p join public.staff s on s.id = p.staff_id where p.id = any (p_ids);
$$;

create function private.payment_file_content(p_ids uuid[], p_period text, p_format public.payment_formats) returns text
language sql stable set search_path = ''
return (
  select case when p_format.has_header then (
      select string_agg(private.csv_field(c ->> 'header', p_format.delimiter, true), p_format.delimiter order by place)
      from jsonb_array_elements(p_format.columns) with ordinality heading (c, place)
    ) || E'\r\n' else '' end
    || string_agg(private.payment_line(p, n.line, n.staff_name, p_period, p_format), E'\r\n' order by n.line) || E'\r\n'
  from private.numbered_payments(p_ids) n join public.payments p on p.id = n.id
);

-- The next file of a run for a channel: all its payments that can be made. Two callers take turns.
create function public.create_payment_file(p_run_id uuid, p_channel text, p_currency text) returns public.payment_files
language plpgsql security definer set search_path = '' as $$
declare
  run public.pay_runs;
  format public.payment_formats;
  file public.payment_files;
  chosen uuid[];
begin
  perform private.require_pay_role();
  select * into run from public.pay_runs r where r.id = p_run_id for update;
  if not found then
    raise exception 'This pay run no longer exists.' using errcode = 'PT404';
  end if;
  if run.status not in ('locked', 'paid') then
    raise exception 'Lock the pay run first.' using errcode = 'PT409';
  end if;
  select * into format from public.payment_formats f where f.channel = p_channel and f.currency = p_currency;
  if not found then
    raise exception 'Choose a channel and a currency.' using errcode = 'invalid_parameter_value';
  end if;
  -- Locked, so that no account changes between here and the file.
  chosen := array(
    select p.id from public.payments p
    where p.pay_run_id = p_run_id and p.status = 'to_pay' and p.blocked is null
      and p.channel = p_channel and p.currency = p_currency
    for update
  );
  if cardinality(chosen) = 0 then
    raise exception 'Nothing is to be paid this way.' using errcode = 'PT409';
  end if;
  file.content := private.payment_file_content(
    chosen, format('Pay %s to %s', run.period_start, run.period_end), format);
  insert into public.payment_files (pay_run_id, number, channel, currency, content, line_count, control_total, sha256)
  select p_run_id,
    1 + (select count(*) from public.payment_files f where f.pay_run_id = p_run_id),
    p_channel, p_currency, file.content, cardinality(chosen),
    (select sum(p.amount) from public.payments p where p.id = any (chosen)),
    encode(sha256(convert_to(file.content, 'UTF8')), 'hex')
  returning * into file;
  update public.payments p set status = 'in_file', payment_file_id = file.id, line = n.line
  from private.numbered_payments(chosen) n where p.id = n.id;
  return file;
end
$$;
grant execute on function public.create_payment_file to authenticated;

-- Adds an account for each row {person, channel, account_name, account_number, bank_name}: all of them, or none if a
-- row
-- is refused. With p_is_trial it only looks. New accounts are not verified.
-- @returns each row, from 1, with the person that it means, and what is wrong with it
create function public.import_pay_accounts(
  p_rows jsonb, p_is_trial boolean DEFAULT false, p_lines integer[] DEFAULT NULL::integer[]
) returns TABLE(line integer, full_name text, problem text)
language plpgsql set search_path = '' set statement_timeout = '60s' as $function$
declare
  entry jsonb;
  people uuid[];
  person uuid;
  found_rows jsonb[] := '{}';
  refused jsonb[] := '{}';
  named text;
  reason text;
  state text;
  broken text;
begin
  perform private.require_pay_role();
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) not between 1 and 2000 then
    raise exception 'An import has between 1 and 2000 rows.' using errcode = 'invalid_parameter_value';
  end if;
  people := private.staff_named(array(
    select left(r.row ->> 'person', 255) from jsonb_array_elements(p_rows) with ordinality r (row, place)
      order by r.place));
  begin
    for line, entry in select r.place, r.row from jsonb_array_elements(p_rows) with ordinality r (row, place) loop
      named := null;
      reason := null;
      begin
        person := people[line];
        select s.full_name into named from public.staff s where s.id = person;
        if person is null then
          raise exception 'No active staff member, or more than one, has this name, phone number or email address.'
            using errcode = 'PT404';
        end if;
        if exists (select from public.pay_accounts a where a.staff_id = person) then
          raise exception '% has a pay account already, or is in the file twice.', named using errcode = 'PT409';
        end if;
        insert into public.pay_accounts (staff_id, channel, account_name, account_number, bank_name)
        values (person, coalesce(entry ->> 'channel', ''), coalesce(nullif(btrim(entry ->> 'account_name'), ''), named),
          nullif(btrim(entry ->> 'account_number'), ''), nullif(btrim(entry ->> 'bank_name'), ''));
      exception when others then
        get stacked diagnostics reason = message_text, state = returned_sqlstate, broken = constraint_name;
        if state like '40%' then
          raise;
        end if;
        reason := case broken
          when 'pay_accounts_number' then 'This is not a number of an account.'
          when 'pay_accounts_bank_has_name' then 'A bank account needs the name of the bank, all others have none.'
          when 'pay_accounts_cash_has_no_number' then 'Cash has no number, all others need one.'
          when 'pay_accounts_channel_check' then 'Choose Bank, MTN MoMo, Orange Money or Cash.'
          else private.reason_of(state, reason, broken) end;
        refused := refused || jsonb_build_object('id', line, 'name',
          'Row ' || coalesce(p_lines[line], line + 1), 'reason', reason);
      end;
      found_rows := found_rows || jsonb_build_object('line', line, 'full_name', named, 'problem', reason);
    end loop;
    if p_is_trial is not false or refused <> '{}' then
      -- Takes the rows back; the variables keep what was found.
      raise exception 'Nothing is stored' using errcode = 'PT000';
    end if;
  exception when sqlstate 'PT000' then
    null;
  end;
  if p_is_trial is false then
    perform private.refuse_many(refused, jsonb_array_length(p_rows), 'imported');
  end if;
  return query select (f ->> 'line')::integer, f ->> 'full_name', f ->> 'problem' from unnest(found_rows) f;
end
$function$;
grant execute on function public.import_pay_accounts to authenticated;

-- The day of a text like 2026-11-30; null if it is none.
create function private.day_of_text(p_text text) returns date
language plpgsql immutable set search_path = '' as $$
begin
  return case when p_text ~ '^20[0-9]{2}-[0-9]{2}-[0-9]{2}$' then p_text::date end;
exception when datetime_field_overflow then
  return null;
end
$$;

-- Why a line of the result can't be recorded; null if nothing speaks against it.
create function private.obstacle_to_result(p_line jsonb, p_payment payments, p_earliest date) returns text
language plpgsql stable set search_path = '' as $function$
declare
  told text := p_line ->> 'status';
  amount text := replace(p_line ->> 'amount', ',', '');
  paid_on text := p_line ->> 'paid_on';
begin
  return case
    when p_payment.id is null then 'It is not in this file.'
    when told is null or told not in ('paid', 'failed') then 'Its status must be paid or failed.'
    when amount !~ '^[0-9]{1,12}([.][0-9]{1,4})?$' then 'Its amount is not a number.'
    when amount::numeric <> p_payment.amount
      then format('Its amount is %s, but %s was to be paid.', amount, p_payment.amount)
    when char_length(p_line ->> 'reference') > 100 then 'Its reference is longer than 100 characters.'
    when told = 'paid' and paid_on is not null and private.day_of_text(paid_on) is null then 'Its date is not a day.'
    when told = 'paid' and private.day_of_text(paid_on) not between p_earliest and private.company_date()
      then format('Its date must be between %s and today.', to_char(p_earliest, 'Mon FMDD, YYYY'))
    when p_payment.status = 'paid' and told = 'failed' and paid_on is not null and private.day_of_text(paid_on) is null
      then 'Its date is not a day.'
    when p_payment.status = 'paid' and told = 'failed'
        and private.day_of_text(paid_on) not between p_payment.paid_on and private.company_date()
      then format('It was paid on %s, so it was returned between that day and today.',
        to_char(p_payment.paid_on, 'Mon FMDD, YYYY'))
    when p_payment.status = 'returned' and told = 'paid' and (p_payment.reference <> p_line ->> 'reference'
        or private.day_of_text(paid_on) > p_payment.returned_on)
      then format('It was returned on %s, and is to be paid again in another file.',
        to_char(p_payment.returned_on, 'Mon FMDD, YYYY'))
    when p_payment.status = 'paid' and p_payment.reference <> p_line ->> 'reference'
      then format('It is already paid, with reference %s.', p_payment.reference)
    when p_payment.status = 'failed' and told = 'paid'
      then 'It has failed before, and is to be paid again in another file.'
  end;
end
$function$;

-- As before, but a refused line is named by its person, or by its reference in the result: the place among the lines
-- that were sent is neither the row in the spreadsheet nor the line of the file.
create function public.import_payment_result(p_file_id uuid, p_rows jsonb)
returns TABLE(paid integer, failed integer, unchanged integer, returned integer)
language plpgsql security definer set search_path = '' as $function$
declare
  file public.payment_files;
  refused jsonb[];
  earliest date;
  now_paid uuid[];
  now_failed uuid[];
  now_returned uuid[];
begin
  perform private.require_pay_role();
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) not between 1 and 5000
    or exists (select from jsonb_array_elements(p_rows) e where jsonb_typeof(e) <> 'object')
  then
    raise exception 'A result has between 1 and 5000 lines.' using errcode = 'invalid_parameter_value';
  end if;
  select * into file from public.payment_files f where f.id = p_file_id;
  if not found then
    raise exception 'There is no such payment file.' using errcode = 'PT404';
  end if;
  -- Results and new files of a run take turns.
  perform from public.pay_runs r where r.id = file.pay_run_id for update;
  earliest := (file.created_at at time zone (select s.time_zone from private.settings s))::date;

  with told as (
    select e as line, place, upper(btrim(e ->> 'code')) as code,
      count(*) over (partition by upper(btrim(e ->> 'code'))) as times
    from jsonb_array_elements(p_rows) with ordinality sent (e, place)
  )
  select array_agg(jsonb_build_object('id', coalesce(left(t.code, 40), ''), 'name',
      coalesce(s.full_name, 'Reference ' || left(nullif(t.code, ''), 40), 'A line without reference'),
      'reason', o.reason) order by t.place)
  into refused
  from told t
  left join public.payments p on p.payment_file_id = file.id and p.code = t.code
  left join public.staff s on s.id = p.staff_id
  cross join lateral (
    select case when t.times > 1 and p.id is not null then 'It is in the result more than once.'
      else private.obstacle_to_result(t.line, p, earliest) end as reason
  ) o
  where o.reason is not null;
  perform private.refuse_many(refused, jsonb_array_length(p_rows), 'recorded');

  with told as (
    select upper(btrim(e ->> 'code')) as code, e ->> 'status' as status,
      nullif(btrim(e ->> 'reference'), '') as reference,
      coalesce(private.day_of_text(e ->> 'paid_on'), private.company_date()) as paid_on,
      coalesce(left(nullif(btrim(e ->> 'failure'), ''), 500), 'No reason given') as failure
    from jsonb_array_elements(p_rows) e
  ), changed as (
    update public.payments p set status = case p.status when 'paid' then 'returned' else t.status end,
      reference = case p.status when 'paid' then p.reference else t.reference end,
      paid_on = case when p.status = 'paid' then p.paid_on when t.status = 'paid' then t.paid_on end,
      returned_on = case p.status when 'paid' then t.paid_on end,
      failure = case t.status when 'failed' then t.failure end
    from told t
    where p.payment_file_id = file.id and p.code = t.code
      and (p.status = 'in_file' or p.status = 'paid' and t.status = 'failed')
    returning p.id, p.status
  )
  select coalesce(array_agg(c.id) filter (where c.status = 'paid'), '{}'),
    coalesce(array_agg(c.id) filter (where c.status = 'failed'), '{}'),
    coalesce(array_agg(c.id) filter (where c.status = 'returned'), '{}')
  into now_paid, now_failed, now_returned from changed c;
  paid := cardinality(now_paid);
  failed := cardinality(now_failed);
  returned := cardinality(now_returned);
  unchanged := jsonb_array_length(p_rows) - paid - failed - returned;

  update public.payroll r set payment_status = 'paid', payment_date = p.paid_on, returned_on = null,
    return_reason = null
  from public.payments p join public.payslips s on s.id = p.payslip_id
  where p.id = any (now_paid) and r.id = s.payroll_id;
  insert into public.payments (payslip_id, pay_run_id, staff_id, currency, amount)
  select p.payslip_id, p.pay_run_id, p.staff_id, p.currency, p.amount
  from public.payments p where p.id = any (now_failed);
  perform private.route_payments(array(select p.staff_id from public.payments p where p.id = any (now_failed)));
  perform private.pay_returned_again(now_returned);
  perform private.finish_pay_run(file.pay_run_id);
  return next;
end
$function$;
grant execute on function public.import_payment_result to authenticated;

-- Confirms an account as the caller has seen it, with the person's document in hand. Not for the one who entered it,
-- and not for its owner.
create function public.verify_pay_account(p_id uuid, p_number text default null) returns public.pay_accounts
language plpgsql security definer set search_path = '' as $$
declare
  account public.pay_accounts;
begin
  if not private.may_pay() then
    raise exception 'Only admins and finance verify pay accounts.' using errcode = 'insufficient_privilege';
  end if;
  select * into account from public.pay_accounts a where a.id = p_id for update;
  if not found then
    raise exception 'This pay account no longer exists.' using errcode = 'PT404';
  end if;
  if account.account_number is distinct from p_number then
    raise exception 'The account has been changed since. Check it again.' using errcode = 'PT409';
  end if;
  if account.verified_at is not null then
    return account;
  end if;
  if account.changed_by = auth.uid() then
    raise exception 'You entered this account. A second person has to verify it.'
      using errcode = 'insufficient_privilege';
  end if;
  if exists (select from public.staff s where s.id = account.staff_id and s.user_id = auth.uid()) then
    raise exception 'Your own account has to be verified by another person.' using errcode = 'insufficient_privilege';
  end if;
  update public.pay_accounts a set verified_by = auth.uid(), verified_at = now()
  where a.id = p_id returning * into account;
  return account;
end
$$;
grant execute on function public.verify_pay_account to authenticated;

-- Verifies many accounts {id, number} as the caller has seen them, all or none. A refusal names the rows and why.
-- @returns how many it verified
create function public.verify_pay_accounts(p_accounts jsonb) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  refused jsonb[];
  wanted record;
  state text;
  message text;
  verified integer := 0;
begin
  perform private.require_pay_role();
  if jsonb_typeof(p_accounts) is distinct from 'array' or jsonb_array_length(p_accounts) not between 1 and 2000
    or exists (select from jsonb_array_elements(p_accounts) e
      where jsonb_typeof(e) <> 'object' or coalesce(e ->> 'id', '') !~ '^[0-9a-f-]{36}$')
  then
    raise exception 'Choose between 1 and 2000 pay accounts.' using errcode = 'invalid_parameter_value';
  end if;
  for wanted in
    select (e ->> 'id')::uuid as id, min(e ->> 'number') as number, coalesce(min(s.full_name), 'One row') as name
    from jsonb_array_elements(p_accounts) e
    left join public.pay_accounts a on a.id = (e ->> 'id')::uuid
    left join public.staff s on s.id = a.staff_id
    group by 1 order by 1
  loop
    begin
      perform public.verify_pay_account(wanted.id, wanted.number);
      verified := verified + 1;
    exception when others then
      get stacked diagnostics state = returned_sqlstate, message = message_text;
      if state like '40%' then
        raise;
      end if;
      refused := refused || jsonb_build_object('id', wanted.id, 'name', wanted.name, 'reason', message);
    end;
  end loop;
  perform private.refuse_many(refused, jsonb_array_length(p_accounts), 'verified');
  return verified;
end
$$;
grant execute on function public.verify_pay_accounts to authenticated;

-- Whether these are columns of a payment file: [{"field": "amount", "header": "Amount"}]. Without the code of the
-- payment
-- and its amount, no answer could be matched.
create function private.are_payment_columns(p_columns jsonb) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return coalesce(jsonb_typeof(p_columns), '') = 'array' and jsonb_array_length(p_columns) between 2 and 20
    and not exists (
      select from jsonb_array_elements(p_columns) c
      where jsonb_typeof(c) <> 'object'
        or coalesce(c ->> 'field', '') not in ('line', 'code', 'staff_name', 'account_name', 'account_number',
          'bank_name',
          'amount', 'currency', 'period', 'date', 'company_text')
        or char_length(btrim(coalesce(c ->> 'header', ''))) not between 1 and 60
    )
    and p_columns @> '[{"field": "code"}]' and p_columns @> '[{"field": "amount"}]';
end
$$;
grant execute on function private.are_payment_columns to authenticated, service_role;

-- One payment for every payslip with something to pay.
create function private.make_payments(p_run_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  insert into public.payments (payslip_id, pay_run_id, staff_id, currency, amount)
  select s.id, s.pay_run_id, s.staff_id, s.currency, s.net
  from public.payslips s where s.pay_run_id = p_run_id and s.net > 0 on conflict do nothing;
  perform private.route_payments(array(
    select p.staff_id from public.payments p where p.pay_run_id = p_run_id and p.status = 'to_pay'));
end
$$;
