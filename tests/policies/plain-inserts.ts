// Tables of which each person inserts the same row: its columns and values.
import type { TableName } from '#shared/permissions.ts';
import { bystander } from '#tests/support/people.ts';

export const PLAIN_INSERTS: Partial<Record<TableName, [columns: string, values: string]>> = {
  profiles: ['full_name', `'New'`],
  watch_handovers: ['from_at, facts', `now(), '{}'`],
  watch_corrections: ['handover_id, body', `gen_random_uuid(), 'New'`],
  service_calls: [
    'address, kind, priority, answer_due_at, en_route_due_at, on_scene_due_at',
    `'New', 'alarm', 'routine', now(), now(), now()`,
  ],
  response_units: ['call_sign', `'New'`],
  unit_members: ['unit_id, user_id', `gen_random_uuid(), '${bystander.id}'`],
  alarm_panels: ['name, site_id', `'New', gen_random_uuid()`],
  panel_events: ['panel_id, event_key, signal, body', `gen_random_uuid(), '1', 'note', 'New'`],
  unit_events: ['unit_id, kind', `gen_random_uuid(), 'in_service'`],
  call_goals: [
    'priority, reply_minutes, answer_minutes, en_route_minutes, on_scene_minutes',
    `'urgent', 1, 1, 1, 1`,
  ],
  post_entries: [
    'site_id, user_id, kind, text, written_at',
    `gen_random_uuid(), '${bystander.id}', 'observation', 'New', now()`,
  ],
  visits: ['site_id, kind, name, in_at', `gen_random_uuid(), 'person', 'New', now()`],
  key_movements: [
    'site_id, key_name, taken_by, out_at',
    `gen_random_uuid(), 'Store', 'New', now()`,
  ],
  post_pages: [
    'site_id, client_id, day, version, lines, facts, withheld_kinds',
    `gen_random_uuid(), gen_random_uuid(), '2026-01-01', 1, '[]', '{}', '{}'`,
  ],
  withheld_lines: ['site_id, source, line_id', `gen_random_uuid(), 'entry', gen_random_uuid()`],
  clients: ['name, number_of_guards, monthly_rate, location', `'New', 1, 1, 'New'`],
  sites: ['name, client_name, address', `'New', 'New', 'New'`],
  incident_updates: ['incident_id, from_status, to_status', `gen_random_uuid(), 'open', 'closed'`],
  incident_reviews: ['incident_id, decision', `gen_random_uuid(), 'accepted'`],
  incident_escalations: [
    'incident_id, goal, level, deadline',
    `gen_random_uuid(), 'response', 0, now()`,
  ],
  incident_templates: [
    'title, category, severity, questions',
    `'New template', 'other', 'low', 'What happened?'`,
  ],
  incident_goals: ['name, effective_from', `'New', '2031-01-01'`],
  incident_notes: ['incident_id, note', `gen_random_uuid(), 'New'`],
  letter_acknowledgements: [
    'letter_id, contact_id, contact_name',
    `gen_random_uuid(), gen_random_uuid(), 'New'`,
  ],
  announcements: ['title, body, audience, last_day', `'New', 'New', 'everybody', '2030-01-01'`],
  announcement_readings: [
    'announcement_id, user_id, version, read_at',
    `gen_random_uuid(), '${bystander.id}', 1, now()`,
  ],
  training_courses: ['title', `'New'`],
  deployments: [
    'guard_name, location, shift_start, shift_end',
    `'New', 'New', now(), now() + interval '1 hour'`,
  ],
  financial_statements: ['title, period_start, period_end', `'New', '2026-01-01', '2026-01-31'`],
  expense_reports: [
    'title, amount, category, expense_date, report_type',
    `'New', 1, 'other', '2026-01-01', 'daily'`,
  ],
  bank_accounts: ['account_number, account_title, bank_name', `'N', 'New', 'New'`],
  loans: ['loan_account_number, account_title, bank_name', `'N', 'New', 'New'`],
  staff: ['full_name, salary_amount', `'New', 1`],
  rate_proposals: ['kind, effective_from, rate, source', `'lrd_per_usd', '2033-01-01', 200, 'New'`],
  pay_rates: ['kind, effective_from, rate, source', `'lrd_per_usd', '2028-01-01', 200, 'New'`],
  payment_formats: ['channel, currency, columns, result_columns', `'cash', 'USD', '[]', '{}'`],
  payment_files: [
    'pay_run_id, number, channel, currency, content, line_count, control_total, sha256',
    `gen_random_uuid(), 2, 'cash', 'USD', '1', 1, 1, repeat('0', 64)`,
  ],
  payments: [
    'payslip_id, pay_run_id, staff_id, currency, amount',
    `gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'USD', 1`,
  ],
  pay_runs: [
    'pay_group, currency, period_start, period_end',
    `'monthly', 'USD', '2029-01-01', '2029-01-31'`,
  ],
  tax_rates: ['name, rate, effective_from', `'New', 0.1, '2031-01-01'`],
  vat_registrations: ['number, registered_from, tax_name', `'200', '2095-01-01', 'Levy'`],
  vat_returns: ['month, lrd_per_usd', `'2095-02-01', 190`],
  vat_return_lines: [
    'return_id, box, kind, document_id, document, day, party, currency, net, vat',
    `gen_random_uuid(), 'input', 'expense', gen_random_uuid(), 'Fuel', '2095-01-05', 'Total', 'USD', 1, 0.18`,
  ],
  pay_item_rules: ['kind, effective_from, months, source', `'severance', '2031-01-01', 1, 'New'`],
  tax_number_formats: ['kind, effective_from, mask, source', `'tin', '2031-01-01', 'A99', 'New'`],
  company_numbers: ['tin', `'500000001'`],
  pay_returns: ['kind, month, lrd_per_usd', `'paye', '2027-05-01', 190`],
  pay_return_lines: [
    'return_id, kind, payslip_id, pay_run_id, staff_id, is_reversal, month, tax_resident, currency, gross, taxable, tax, employee, employer',
    `gen_random_uuid(), 'paye', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), false, '2027-05-01', true, 'USD', 1, 1, 0, 0, 0`,
  ],
  billed_time: [
    'user_id, site_id, span, kind',
    `gen_random_uuid(), gen_random_uuid(), '[2031-01-01,2031-01-02)', 'regular'`,
  ],
  invoices: [
    'contract_id, client_id, period_start, period_end, currency',
    `gen_random_uuid(), gen_random_uuid(), '2027-03-01', '2027-03-31', 'USD'`,
  ],
  credit_notes: [
    'invoice_id, client_id, year, sequence, reason, currency, amount, tax, issued_on',
    `gen_random_uuid(), gen_random_uuid(), 2021, 1, 'New', 'USD', 0, 0, '2021-01-01'`,
  ],
  credit_note_lines: [
    'credit_note_id, invoice_line_id, amount, tax_amount',
    'gen_random_uuid(), gen_random_uuid(), 1, 0',
  ],
  receipts: [
    'client_id, currency, amount, received_on, method',
    `gen_random_uuid(), 'USD', 1, '2026-01-01', 'cash'`,
  ],
  receipt_allocations: [
    'receipt_id, invoice_id, amount',
    'gen_random_uuid(), gen_random_uuid(), 1',
  ],
  invoice_mails: ['invoice_id, email', `gen_random_uuid(), 'n@x.example'`],
  billing_settings: ['terms', `'New'`],
  payment_accounts: ['currency, kind, provider, title, number', `'LRD', 'bank', 'New', 'New', '1'`],
  refunds: [
    'receipt_id, client_id, currency, amount, method, reason',
    `gen_random_uuid(), gen_random_uuid(), 'USD', 1, 'cash', 'New'`,
  ],
  disputes: ['client_id, reason, since', `gen_random_uuid(), 'New', '2026-01-01'`],
  payment_reminders: ['client_id, currency, days_overdue', `gen_random_uuid(), 'USD', 7`],
  book_closings: ['kind, closed_to', `'close', '2022-01-31'`],
  book_entries: ['kind, day, description', `'other', '2022-01-31', 'New'`],
  book_entry_lines: [
    'entry_id, position, account, currency, amount',
    `gen_random_uuid(), 1, 'bank', 'USD', 1`,
  ],
  bank_feeds: [
    'bank_account_id, ledger, currency, day_heading, description_heading, amount_heading',
    `gen_random_uuid(), 'bank', 'USD', 'Date', 'Text', 'Amount'`,
  ],
  bank_imports: [
    'bank_account_id, file_name, line_count, known_count, first_day, last_day, opening_balance, closing_balance',
    `gen_random_uuid(), 'New', 1, 0, '2022-01-01', '2022-01-01', 0, 1`,
  ],
  bank_lines: [
    'import_id, bank_account_id, position, day, amount',
    `gen_random_uuid(), gen_random_uuid(), 1, '2022-01-01', 1`,
  ],
  bank_matches: [
    'line_id, kind, document_id, currency, amount',
    `gen_random_uuid(), 'receipt', gen_random_uuid(), 'USD', 1`,
  ],
  chart_of_accounts: ['key, code, name', `'bank', '1', 'New'`],
  public_holidays: ['day, name', `'2026-07-26', 'New'`],
  rule_sets: ['name, effective_from', `'New', '2031-01-01'`],
  time_rules: ['name, effective_from', `'New', '2031-01-01'`],
  company_holidays: ['day, name', `'2031-01-02', 'New'`],
  pay_adjustments: [
    'user_id, kind, period_start, period_end, explanation',
    `'${bystander.id}', 'manual', '2026-10-01', '2026-10-31', 'New'`,
  ],
  roster_periods: ['starts_on', `'2031-01-06'`],
  contact_messages: ['name, email, message', `'New', 'n@x.example', 'Please call me back.'`],
  quotes: [
    'client_name, site_name, site_address, starts_on, valid_until',
    `'New', 'Store', 'Sinkor', '2031-01-01', '2031-01-31'`,
  ],
  quote_lines: [
    'quote_id, position, post_name, guards, hours_a_day, days_a_week, rate',
    `gen_random_uuid(), 1, 'Gate', 1, 12, 7, 3`,
  ],
  quote_mails: ['quote_id, email', `gen_random_uuid(), 'n@x.example'`],
  retention_rules: ['kind, days, min_days, max_days, default_days', `'new', 2, 1, 3, 2`],
  setup_marks: ['step, mark', `'sites', 'later'`],
  audit_log: ['action, table_name, row_id', `'insert', 'sites', gen_random_uuid()`],
};
