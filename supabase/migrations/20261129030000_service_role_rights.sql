-- Tables of a hosted project made since 2026-05-30 are closed to the service key, too (Supabase changelog 45329). Earlier
-- migrations relied on the project's defaults.
grant select, insert, update, delete on
  public.alerts, public.assignments, public.attendance, public.availability, public.bank_accounts,
  public.certifications, public.chart_of_accounts, public.checkpoint_scans, public.checkpoints,
  public.client_contacts, public.client_requests, public.clients, public.clock_exceptions, public.company_holidays,
  public.contact_messages, public.contract_posts, public.contracts, public.deployments, public.devices,
  public.equipment, public.evidence, public.expense_reports, public.financial_statements, public.handover_notes,
  public.handovers, public.inbound_messages, public.incident_escalations, public.incident_goals, public.incidents,
  public.invoice_mails, public.leave_requests, public.letter_acknowledgements, public.loans,
  public.newest_post_orders, public.notices, public.offers, public.pay_accounts, public.pay_adjustments,
  public.pay_bases, public.pay_items, public.pay_rates, public.pay_runs, public.payment_files,
  public.payment_formats, public.payments, public.payroll, public.post_courses, public.post_order_readings,
  public.post_orders, public.post_requirements, public.posts, public.profiles, public.public_holidays, public.rates,
  public.replacement_calls, public.room_notes, public.roster_changes, public.roster_periods, public.roster_pins,
  public.rule_sets, public.shifts, public.site_bans, public.site_inductions, public.sites, public.sos_events,
  public.staff, public.staff_ledger, public.tax_rates, public.time_decisions, public.time_rules,
  public.timesheet_disputes, public.tours, public.training_courses, public.user_roles, public.welfare_checks
  to service_role;

grant select on
  public.credit_note_lines, public.credit_notes, public.invoice_lines, public.invoices, public.payslip_lines,
  public.payslips, public.receipt_allocations, public.receipts
  to service_role;

-- Tables of later migrations.
alter default privileges in schema public grant select, insert, update, delete on tables to service_role;
