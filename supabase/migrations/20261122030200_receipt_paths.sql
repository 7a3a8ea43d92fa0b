-- A receipt's path must name its expense: a path of another shape gave null, and a check lets null pass.
alter table public.expense_reports
  drop constraint expense_reports_receipt_belongs_to_expense,
  add constraint expense_reports_receipt_belongs_to_expense check (
    receipt_path is null
    or (char_length(receipt_path) <= 1000 and coalesce(private.record_of_file(receipt_path) = id, false))
  );
