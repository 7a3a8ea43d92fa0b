-- Corrections of a run that is voided are superseded: the run that replaces it contains them.
alter table public.pay_adjustments drop constraint pay_adjustments_status_check;
alter table public.pay_adjustments add constraint pay_adjustments_status_check
  check (status in ('to_decide', 'approved', 'rejected', 'superseded'));
