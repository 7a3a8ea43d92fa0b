-- Amounts whose direction has a column of its own have no sign: Dr and Cr of a bank account, debit and credit of a loan.

-- Totals stay: a negative Dr balance counted as a Cr one, and the other way round.
update public.bank_accounts set current_balance = -current_balance,
  balance_type = case balance_type when 'Dr' then 'Cr' else 'Dr' end
where current_balance < 0;

update public.loans set
  total_debit = greatest(total_debit, 0) + greatest(-total_credit, 0),
  total_credit = greatest(total_credit, 0) + greatest(-total_debit, 0)
where (total_debit < 0 or total_credit < 0)
  and greatest(total_debit, 0) + greatest(-total_credit, 0) <= 999999999999.99
  and greatest(total_credit, 0) + greatest(-total_debit, 0) <= 999999999999.99;

alter table public.bank_accounts drop constraint bank_accounts_current_balance_check,
  add constraint bank_accounts_current_balance_check check (current_balance between 0 and 999999999999.99);

-- Not valid: nobody knows whether a negative balance of before was a debt or an overpayment, so it stays until it is edited.
alter table public.loans drop constraint loans_opening_balance_check,
  add constraint loans_opening_balance_check check (opening_balance between 0 and 999999999999.99) not valid,
  drop constraint loans_current_balance_check,
  add constraint loans_current_balance_check check (current_balance between 0 and 999999999999.99) not valid,
  drop constraint loans_total_debit_check,
  add constraint loans_total_debit_check check (total_debit between 0 and 999999999999.99) not valid,
  drop constraint loans_total_credit_check,
  add constraint loans_total_credit_check check (total_credit between 0 and 999999999999.99) not valid;
