-- How payment files look, and how the answers of banks and networks read. Nothing public fixes either, so both are
-- settings: one row per channel and currency, changed by admins and finance.

-- Whether these are columns of a payment file: [{"field": "amount", "header": "Amount"}]. Without the code of the payment
-- and its amount, no answer could be matched.
create function private.are_payment_columns(p_columns jsonb) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return coalesce(jsonb_typeof(p_columns), '') = 'array' and jsonb_array_length(p_columns) between 2 and 20
    and not exists (
      select from jsonb_array_elements(p_columns) c
      where jsonb_typeof(c) <> 'object'
        or coalesce(c ->> 'field', '') not in ('line', 'code', 'staff_name', 'account_name', 'account_number', 'bank_name',
          'amount', 'currency', 'period', 'date', 'company_text')
        or char_length(btrim(coalesce(c ->> 'header', ''))) not between 1 and 60
    )
    and p_columns @> '[{"field": "code"}]' and p_columns @> '[{"field": "amount"}]';
end
$$;

-- Whether these are the headings of an answer, by what they contain: {"code": "Reference", "status": "Status"}.
create function private.are_result_columns(p_columns jsonb) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return coalesce(jsonb_typeof(p_columns), '') = 'object'
    and p_columns ? 'code' and p_columns ? 'status'
    and not exists (
      select from jsonb_each_text(p_columns) c
      where c.key not in ('code', 'status', 'amount', 'reference', 'date', 'reason')
        or char_length(btrim(coalesce(c.value, ''))) not between 1 and 60
    );
end
$$;

create table public.payment_formats (
  id uuid primary key default gen_random_uuid(),
  channel text not null check (channel in ('bank', 'mtn_momo', 'orange_money', 'cash')),
  currency text not null check (currency in ('USD', 'LRD')),
  columns jsonb not null check (private.are_payment_columns(columns)),
  has_header boolean not null default true,
  delimiter text not null default ',' check (delimiter in (',', ';', '|', E'\t')),
  date_format text not null default 'YYYY-MM-DD'
    check (date_format in ('YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY', 'DD-MM-YYYY', 'YYYYMMDD')),
  -- Written in each line, for example the company's number at the bank.
  company_text text check (char_length(company_text) <= 60 and company_text !~ '^[-=+@]'),
  result_columns jsonb not null check (private.are_result_columns(result_columns)),
  -- What the status says of a line that was paid, and of one that has failed, in lower case. A line with any other
  -- status is not recorded: its money may still be on the way.
  paid_words text[] not null default '{paid,success,successful,completed}'
    check (cardinality(paid_words) between 1 and 20 and array_position(paid_words, null) is null),
  failed_words text[] not null default '{failed,rejected,returned,reversed}'
    check (cardinality(failed_words) between 1 and 20 and array_position(failed_words, null) is null),
  updated_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  unique (channel, currency),
  constraint payment_formats_words_differ check (not paid_words && failed_words)
);

select private.tidy_texts_of('public.payment_formats', 'company_text');
create trigger d_touch before update on public.payment_formats
  for each row execute function private.touch();
select private.keep_history_of('public.payment_formats');

alter table public.payment_formats enable row level security;
revoke all on public.payment_formats from anon, authenticated;
-- A channel has its row from the start.
grant select, update (columns, has_header, delimiter, date_format, company_text, result_columns, paid_words,
  failed_words)
on public.payment_formats to authenticated;

create policy "Admins and finance read payment formats" on public.payment_formats
  for select to authenticated using ((select private.may_pay()));
create policy "Admins and finance change payment formats" on public.payment_formats
  for update to authenticated
  using ((select private.may_pay())) with check ((select private.may_pay()));

alter publication supabase_realtime add table public.payment_formats;

insert into public.payment_formats (channel, currency, columns, result_columns)
select c.channel, m.currency,
  (jsonb_build_array(
    '{"field": "code", "header": "Reference"}'::jsonb,
    '{"field": "account_name", "header": "Name"}'::jsonb) || c.account)
  || '[{"field": "amount", "header": "Amount"}, {"field": "currency", "header": "Currency"},
    {"field": "period", "header": "Narration"}]',
  '{"code": "Reference", "status": "Status", "amount": "Amount", "reference": "Transaction ID", "date": "Date",
    "reason": "Reason"}'
from (values
  ('bank', '[{"field": "account_number", "header": "Account Number"}, {"field": "bank_name", "header": "Bank"}]'::jsonb),
  ('mtn_momo', '[{"field": "account_number", "header": "Phone Number"}]'),
  ('orange_money', '[{"field": "account_number", "header": "Phone Number"}]'),
  ('cash', '[]')
) c (channel, account)
cross join (values ('USD'), ('LRD')) m (currency);

-- A field of a CSV line (RFC 4180). A name that starts like a formula gets an apostrophe, as in our other exports, since
-- spreadsheets would run it; numbers and accounts stay as the bank needs them.
create function private.csv_field(p_value text, p_delimiter text, p_is_name boolean default false) returns text
language sql immutable set search_path = ''
return (
  select case
    when shown ~ '["\r\n]' or position(p_delimiter in shown) > 0 or shown <> btrim(shown)
      then '"' || replace(shown, '"', '""') || '"'
    else shown
  end
  from (
    select case when p_is_name and p_value ~ '^[-=+@\t\r]' then '''' || p_value else coalesce(p_value, '') end
  ) value (shown)
);

revoke all on all functions in schema private from public;
-- Constraints run as the caller.
grant execute on function private.are_payment_columns, private.are_result_columns to authenticated, service_role;
