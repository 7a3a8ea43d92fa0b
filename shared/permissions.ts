// The permission matrix: which rows each role reads and changes. tests/policies holds it and row-level security together.
import {
  dispatchAll,
  every,
  type Grants,
  managersAll,
  managersOnly,
  moneyAll,
  moneyOnly,
  nobody,
  type Operation,
  peopleAll,
  postBook,
  type Role,
  readOnly,
  shiftWork,
  sitePlans,
  siteWork,
  timeReaders,
} from './grants.ts';

export const tables = {
  profiles: {
    select: { account: 'own', ...peopleAll, supervisor: 'all', dispatcher: 'all', finance: 'all' },
    insert: nobody,
    update: { proved: 'own', admin: 'all' },
    delete: nobody,
  },
  user_roles: {
    select: { member: 'own', admin: 'all' },
    insert: { admin: 'others' },
    update: nobody,
    delete: { admin: 'all' },
  },
  clients: { ...managersOnly, select: { ...managersAll, finance: 'all' } },
  /** The people of clients. revoke_client_access ends an access. */
  client_contacts: {
    ...managersOnly,
    select: { ...managersAll, finance: 'all', client: 'own' },
    delete: nobody,
  },
  /** Written by send_client_request and answer_client_request alone. */
  client_requests: readOnly({ ...managersAll, client: 'client' }),
  sites: {
    ...managersOnly,
    select: { ...shiftWork, hr: 'all', finance: 'all', member: 'assigned' },
  },
  shifts: {
    select: { ...shiftWork, hr: 'all', member: 'assigned' },
    insert: shiftWork,
    update: shiftWork,
    delete: managersAll,
  },
  assignments: { ...every(shiftWork), select: { ...shiftWork, hr: 'all', member: 'own' } },
  /** What guards say before a shift. Written by report_duty_notice, withdraw_duty_notice and the end of their time. */
  duty_notices: readOnly({ ...shiftWork, hr: 'all', member: 'own' }),
  attendance: {
    select: { ...siteWork, hr: 'all', member: 'own' },
    /** Nobody corrects their own: a member only clocks in and out. */
    insert: { ...siteWork, hr: 'all', member: 'own' },
    update: { ...siteWork, hr: 'all', member: 'own' },
    delete: nobody,
  },
  /** Written by record_clock_event alone. */
  clock_events: readOnly({ ...siteWork, hr: 'all', member: 'own' }),
  /** Shared phones and tablets, written by functions alone. */
  devices: readOnly(managersAll),
  /** Clock events of shared devices that became no record. */
  clock_exceptions: readOnly(siteWork),
  incidents: {
    select: { ...siteWork, member: ['own', 'assigned'] },
    /** Overseers also enter what others report by telephone. */
    insert: { ...siteWork, member: 'own' },
    update: siteWork,
    delete: nobody,
  },
  /** Written by the database with each change of an incident. */
  incident_updates: readOnly({ ...siteWork, member: ['own', 'assigned'] }),
  /** Decisions about reports, written by review_incident alone. Guards read the questions about their own. */
  incident_reviews: readOnly({ ...siteWork, member: 'own' }),
  /** Reminders and escalations, by the database. */
  incident_escalations: readOnly(siteWork),
  /** Times to respond and to resolve, in dated versions. */
  incident_templates: { ...managersOnly, select: { member: 'all' } },
  incident_goals: { ...managersOnly, select: { ...managersAll, supervisor: 'all' } },
  /** To clients. approve_letter approves them. */
  incident_letters: { select: siteWork, insert: siteWork, update: nobody, delete: nobody },
  /** By contacts of clients, through acknowledge_letter. */
  letter_acknowledgements: readOnly(siteWork),
  /** Not for its reporter, or guards who work there. */
  incident_notes: readOnly(siteWork),
  /** Added by a reporter after the report. */
  report_notes: {
    select: { ...siteWork, member: ['own', 'assigned'] },
    insert: { member: 'own' },
    update: nobody,
    delete: nobody,
  },
  evidence: {
    select: { ...siteWork, member: ['own', 'assigned'] },
    insert: { ...siteWork, member: 'own' },
    update: nobody,
    delete: siteWork,
  },
  training_courses: { ...every(peopleAll), select: { member: 'all' } },
  certifications: {
    ...every(peopleAll),
    select: { ...peopleAll, supervisor: 'unscoped', member: 'own' },
  },
  leave_requests: {
    select: { ...peopleAll, member: 'own' },
    /** People managers also enter requests of others. */
    insert: { ...peopleAll, member: 'own' },
    /** Others decide a request; its owner can only cancel it. */
    update: { ...peopleAll, member: 'own' },
    delete: nobody,
  },
  deployments: {
    select: { member: 'all' },
    insert: { member: 'all' },
    update: { ...shiftWork, supervisor: 'all', hr: 'all' },
    delete: { member: 'all' },
  },
  financial_statements: moneyOnly,
  expense_reports: moneyOnly,
  bank_accounts: moneyOnly,
  loans: moneyOnly,
  staff: moneyOnly,
  /** Proposed in rate_proposals, and moved here by approve_rate. Those that a document used stay. */
  pay_rates: { ...moneyOnly, insert: nobody, update: nobody },
  rate_proposals: { ...moneyOnly, update: nobody },
  payroll: { ...moneyOnly, select: { admin: 'all', finance: 'all', member: 'own' } },
  time_rules: { ...every(peopleAll), select: { member: 'all' } },
  company_holidays: { ...every(peopleAll), select: { member: 'all' } },
  /** Computed, and changed by functions alone. Supervisors see those whose every site is theirs. */
  timesheets: readOnly(timeReaders),
  timesheet_days: readOnly(timeReaders),
  time_segments: readOnly(timeReaders),
  /** Written by decide_time alone. */
  time_decisions: readOnly(timeReaders),
  /** Answered by answer_dispute. */
  timesheet_disputes: {
    select: timeReaders,
    insert: { member: 'own' },
    update: nobody,
    delete: nobody,
  },
  pay_adjustments: readOnly({ admin: 'all', finance: 'all' }),
  /** Only a second person verifies an account, through verify_pay_account. */
  pay_accounts: moneyOnly,
  pay_bases: moneyOnly,
  pay_items: moneyOnly,
  pay_item_rules: { ...moneyOnly, update: nobody },
  /** Begun by hand; all else is written by functions. */
  pay_runs: { ...moneyOnly, delete: nobody },
  /** Written by functions alone. A person sees the own ones of locked runs. */
  payslips: readOnly({ admin: 'all', finance: 'all', member: 'own' }),
  payslip_lines: readOnly({ admin: 'all', finance: 'all', member: 'own' }),
  /** A channel has its format from the start. */
  payment_formats: { ...moneyOnly, insert: nobody, delete: nobody },
  /** Made and settled by functions alone. */
  payments: readOnly(moneyAll),
  payment_files: readOnly(moneyAll),
  /** A mistake is written off by another entry. */
  staff_ledger: { ...moneyOnly, delete: nobody },
  contracts: { ...moneyOnly, select: { ...managersAll, finance: 'all' } },
  contract_posts: { ...moneyOnly, select: { ...managersAll, finance: 'all' } },
  rates: moneyOnly,
  tax_rates: { ...moneyOnly, insert: nobody, update: nobody },
  /** Written by draft_invoices, waive_time and credit notes alone. */
  billed_time: readOnly(moneyAll),
  vat_registrations: moneyOnly,
  vat_exemptions: moneyOnly,
  vat_returns: readOnly(moneyAll),
  vat_return_lines: readOnly(moneyAll),
  /** A wrong one is deleted and entered again. */
  tax_number_formats: { ...moneyOnly, update: nobody },
  /** One row each, which is always there. */
  company_numbers: { ...moneyOnly, insert: nobody, delete: nobody },
  billing_settings: { ...moneyOnly, insert: nobody, delete: nobody },
  pay_returns: readOnly(moneyAll),
  pay_return_lines: readOnly(moneyAll),
  /** Drafted by draft_invoices, issued by issue_invoice. Issued ones never change. */
  invoices: { ...moneyOnly, insert: nobody },
  /** By hand only in drafts; lines from hours and rates change with draft_invoices. */
  invoice_lines: moneyOnly,
  payment_accounts: moneyOnly,
  /** Written by functions alone: documents, money of clients, mails to them, closings, entries by hand, statements of the bank. */
  credit_notes: readOnly(moneyAll),
  credit_note_lines: readOnly(moneyAll),
  receipts: readOnly(moneyAll),
  receipt_allocations: readOnly(moneyAll),
  refunds: readOnly(moneyAll),
  disputes: readOnly(moneyAll),
  invoice_mails: readOnly(moneyAll),
  payment_reminders: readOnly(moneyAll),
  book_closings: readOnly(moneyAll),
  book_entries: readOnly(moneyAll),
  book_entry_lines: readOnly(moneyAll),
  bank_feeds: readOnly(moneyAll),
  bank_imports: readOnly(moneyAll),
  bank_lines: readOnly(moneyAll),
  bank_matches: readOnly(moneyAll),
  /** Its accounts are fixed; their codes and names are not. */
  chart_of_accounts: { ...moneyOnly, insert: nobody, delete: nobody },
  posts: { ...every(siteWork), select: { ...sitePlans, finance: 'all', member: 'assigned' } },
  post_courses: { select: sitePlans, insert: siteWork, update: nobody, delete: siteWork },
  post_requirements: { ...every(siteWork), select: sitePlans },
  public_holidays: readOnly({ member: 'all' }),
  rule_sets: { ...managersOnly, select: { ...sitePlans, supervisor: 'all' } },
  site_bans: { select: sitePlans, insert: siteWork, update: nobody, delete: siteWork },
  site_inductions: { select: sitePlans, insert: siteWork, update: nobody, delete: siteWork },
  availability: {
    ...every({ member: 'own' }),
    select: { ...sitePlans, supervisor: 'all', member: 'own' },
  },
  /** The draft of the roster, written by apply_roster and pin_roster alone. */
  roster_changes: readOnly(shiftWork),
  roster_pins: readOnly(shiftWork),
  roster_periods: readOnly({ ...shiftWork, supervisor: 'all' }),
  /** Calls to guards about a replacement, written by note_call alone; not for those who were called. */
  replacement_calls: readOnly(shiftWork),
  /** Bids, swaps and offers, written by functions alone. Also read by the colleague who is asked to swap. */
  offers: readOnly({ ...shiftWork, member: 'own' }),
  room_notes: { select: shiftWork, insert: shiftWork, update: shiftWork, delete: nobody },
  /** The watch is of all sites. Signed, accepted and corrected by functions alone. */
  watch_handovers: readOnly({ ...managersAll, dispatcher: 'all', supervisor: 'unscoped' }),
  watch_corrections: readOnly({ ...managersAll, dispatcher: 'all', supervisor: 'unscoped' }),
  /** Alerts, welfare checks, SOS and messages: written by functions alone. */
  alerts: readOnly(shiftWork),
  welfare_checks: readOnly({ ...shiftWork, member: 'own' }),
  sos_events: readOnly({ ...shiftWork, member: 'own' }),
  inbound_messages: readOnly(shiftWork),
  /** All of dispatch is written by functions alone. Members of a unit read the call that it answers. */
  service_calls: readOnly({ ...shiftWork, member: 'assigned' }),
  response_units: readOnly({ ...dispatchAll, supervisor: 'all', member: 'assigned' }),
  unit_members: readOnly({ ...dispatchAll, member: 'own' }),
  unit_events: readOnly({ ...shiftWork, member: 'assigned' }),
  alarm_panels: readOnly(dispatchAll),
  panel_events: readOnly(dispatchAll),
  call_goals: { ...readOnly(dispatchAll), update: managersAll },
  notices: { ...readOnly({ member: 'own' }), update: { member: 'own' } },
  saved_views: every({ member: 'own' }),
  /** Written by functions alone. */
  announcements: readOnly({ ...peopleAll, member: 'addressed' }),
  announcement_readings: readOnly({ ...peopleAll, member: 'own' }),
  /** A new version is a new row. */
  post_orders: { ...readOnly({ ...shiftWork, member: 'assigned' }), insert: siteWork },
  /** Functions alone write all these. Guards read the book of the post while on duty, and their own lines. */
  post_order_readings: readOnly({ ...shiftWork, member: 'own' }),
  checkpoint_scans: readOnly({ ...shiftWork, member: 'own' }),
  handover_notes: readOnly({ ...shiftWork, member: 'assigned' }),
  handovers: readOnly({ ...shiftWork, member: 'assigned' }),
  post_entries: postBook,
  visits: postBook,
  key_movements: postBook,
  /** Contacts of clients read pages through functions. */
  post_pages: readOnly(shiftWork),
  withheld_lines: readOnly(shiftWork),
  equipment: { ...every(siteWork), select: { ...shiftWork, member: 'assigned' } },
  /** With their secret codes, which guards must not learn from here. */
  checkpoints: { ...every(siteWork), select: shiftWork },
  tours: { ...every(siteWork), select: shiftWork },
  contact_messages: {
    select: managersAll,
    insert: { visitor: 'all', proved: 'all' },
    update: managersAll,
    delete: nobody,
  },
  /** Offers to enquirers, with prices. Written by save_quote, send_quote and their neighbours alone. */
  quotes: readOnly({ ...managersAll, finance: 'all' }),
  quote_lines: readOnly({ ...managersAll, finance: 'all' }),
  quote_mails: readOnly({ ...managersAll, finance: 'all' }),
  /** How long records are kept, with a row for each kind. Read by the people whom it concerns. */
  retention_rules: { ...readOnly({ account: 'all' }), update: { admin: 'all' } },
  /** Steps of the setup guide, written by mark_setup_step alone. */
  setup_marks: readOnly({ admin: 'all' }),
  audit_log: readOnly({ admin: 'all' }),
} as const satisfies Record<string, Record<Operation, Grants>>;

export type TableName = keyof typeof tables;

/** Whether these roles allow the operation on at least some rows, for showing a button. */
export function mayDo(roles: readonly Role[], table: TableName, operation: Operation): boolean {
  const grants: Grants = tables[table][operation];
  return (
    grants.account !== undefined ||
    grants.proved !== undefined ||
    grants.member !== undefined ||
    roles.some((role) => grants[role] !== undefined)
  );
}

/** Whether these roles may read rows of the table about other people; of a person's page, the sections that are shown. */
export function mayReadOfOthers(roles: readonly Role[], table: TableName): boolean {
  const grants: Grants = tables[table].select;
  return grants.member === 'all' || roles.some((role) => grants[role] !== undefined);
}
