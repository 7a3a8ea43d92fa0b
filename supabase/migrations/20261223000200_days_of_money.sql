-- Days that money can have: from the first day of anybody's books here, and facts not in the future. Rows from before this
-- migration keep theirs.

create function private.first_book_day() returns date
language sql immutable set search_path = '' return date '2021-01-01';

-- Arguments: a column, how a sentence about it begins, and how many days ahead it may be. Clocks of other zones are a day
-- ahead at most.
create function private.check_money_day() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  day date := (to_jsonb(new) ->> tg_argv[0])::date;
  ahead integer := tg_argv[2]::integer;
  today date;
begin
  if day is null or tg_op = 'UPDATE' and day = (to_jsonb(old) ->> tg_argv[0])::date then
    return new;
  end if;
  if day < private.first_book_day() then
    raise exception '% can''t be before %.', tg_argv[1], private.day_name(private.first_book_day())
      using errcode = 'check_violation';
  end if;
  today := private.company_date();
  if day > today + ahead then
    raise exception '%', case when ahead = 1 then tg_argv[1] || ' can''t be in the future.'
      else format('%s can''t be after %s.', tg_argv[1], private.day_name(today + ahead)) end
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;

revoke execute on function private.first_book_day(), private.check_money_day() from public, anon, authenticated;

create trigger b_day before insert or update of received_on on public.receipts
  for each row execute function private.check_money_day('received_on', 'The day of receipt', '1');
create trigger b_day before insert or update of issued_on on public.invoices
  for each row execute function private.check_money_day('issued_on', 'The day of issue', '1');
create trigger b_day before insert or update of issued_on on public.credit_notes
  for each row execute function private.check_money_day('issued_on', 'The day of issue', '1');
create trigger b_day before insert or update of paid_on on public.payments
  for each row execute function private.check_money_day('paid_on', 'The day of payment', '1');
create trigger b_day before insert or update of expense_date on public.expense_reports
  for each row execute function private.check_money_day('expense_date', 'The date of an expense', '1');
create trigger b_first_day before insert or update of period_start on public.financial_statements
  for each row execute function private.check_money_day('period_start', 'The start date', '366');
-- Of the running year, which a statement can cover before it ends.
create trigger b_last_day before insert or update of period_end on public.financial_statements
  for each row execute function private.check_money_day('period_end', 'The end date', '366');
