// The kinds that records are sorted into: values in the order of their forms, and their labels.
import type {
  ALERTS_KIND,
  BOOK_ENTRIES_KIND,
  CLIENTS_PAYMENT_METHOD,
  CLOCK_EVENTS_WAY,
  CONTRACT_POSTS_VAT_TREATMENT,
  EXPENSE_REPORTS_CATEGORY,
  EXPENSE_REPORTS_PAID_FROM,
  EXPENSE_REPORTS_REPORT_TYPE,
  INCIDENTS_CATEGORY,
  LEAVE_REQUESTS_TYPE,
  PAY_ACCOUNTS_CHANNEL,
  PAY_ADJUSTMENTS_KIND,
  PAY_BASES_BASIS,
  PAY_BASES_CURRENCY,
  PAY_ITEMS_KIND,
  PAY_ITEMS_PER,
  RATES_KIND,
  REPLACEMENT_CALLS_RESULT,
  STAFF_LEDGER_KIND,
  STAFF_PAYMENT_FREQUENCY,
} from '#shared/database.values.ts';

/** Rules of the roster that a reason may override. */
const OVERRIDABLE_RULES: Readonly<Record<string, string>> = {
  rest: 'rest between shifts',
  distance: 'distance from home',
  weekly_rest: 'weekly rest',
  week_hours: 'hours a week',
  shift_hours: 'hours a shift',
  consecutive_days: 'days in a row',
  consecutive_nights: 'nights in a row',
  leave: 'leave',
  certificate: 'certificates',
  induction: 'induction',
};

/** @returns for example "rest between shifts, hours a week" */
export const overriddenRules = (rules: readonly string[]): string =>
  rules.map((rule) => OVERRIDABLE_RULES[rule] ?? rule).join(', ');

export const CALL_RESULT_LABELS: Record<(typeof REPLACEMENT_CALLS_RESULT)[number], string> = {
  coming: 'Is coming',
  refused: 'Refused',
  reached: 'Reached, will call back',
  no_answer: 'No answer',
  wrong_number: 'Wrong number',
};

/** What became of a guard's last offer or call. */
export const LAST_ANSWER_LABELS: Readonly<Record<string, string>> = {
  ...CALL_RESULT_LABELS,
  accepted: 'Said yes last time',
  declined: 'Said no last time',
  coming: 'Said yes on the phone last time',
  came: 'Came last time',
  did_not_come: 'Said yes last time, did not come',
  refused: 'Refused last time',
  reached: 'Reached last time',
  no_answer: 'No answer last time',
};

export const PAID_FROM_LABELS: Record<(typeof EXPENSE_REPORTS_PAID_FROM)[number], string> = {
  bank: 'Bank',
  cash: 'Cash',
  mobile_money: 'Mobile money',
};

export const EXPENSE_CATEGORY_LABELS: Record<(typeof EXPENSE_REPORTS_CATEGORY)[number], string> = {
  operations: 'Operations',
  payroll: 'Payroll',
  equipment: 'Equipment',
  training: 'Training',
  transport: 'Transport',
  utilities: 'Utilities',
  other: 'Other',
};

export const REPORT_TYPE_LABELS: Record<(typeof EXPENSE_REPORTS_REPORT_TYPE)[number], string> = {
  daily: 'Daily',
  monthly: 'Monthly',
};

export const INCIDENT_CATEGORY_LABELS: Record<(typeof INCIDENTS_CATEGORY)[number], string> = {
  security: 'Security',
  safety: 'Safety',
  property: 'Property',
  medical: 'Medical',
  fire: 'Fire',
  theft: 'Theft',
  vandalism: 'Vandalism',
  other: 'Other',
};

export const LEAVE_TYPE_LABELS: Record<(typeof LEAVE_REQUESTS_TYPE)[number], string> = {
  annual: 'Annual',
  sick: 'Sick',
  emergency: 'Emergency',
  unpaid: 'Unpaid',
  maternity: 'Maternity',
  paternity: 'Paternity',
  bereavement: 'Bereavement',
};

export const PAYMENT_METHOD_LABELS: Record<(typeof CLIENTS_PAYMENT_METHOD)[number], string> = {
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  annually: 'Annually',
  'on-demand': 'On demand',
  cash: 'Cash',
};

export const PAY_FREQUENCY_LABELS: Record<(typeof STAFF_PAYMENT_FREQUENCY)[number], string> = {
  weekly: 'Weekly',
  'bi-weekly': 'Bi-weekly',
  monthly: 'Monthly',
};

export type RateKind = (typeof RATES_KIND)[number];

export const RATE_KIND_LABELS: Record<RateKind, string> = {
  regular: 'Regular',
  overtime: 'Overtime',
  night: 'Night',
  holiday: 'Holiday',
  rest_day: 'Rest day',
};

export type PayCurrency = (typeof PAY_BASES_CURRENCY)[number];

export const PAY_BASIS_LABELS: Record<(typeof PAY_BASES_BASIS)[number], string> = {
  salary: 'Salary',
  hourly: 'Hourly',
  shift: 'By Shift',
};

export const PAY_ITEM_KIND_LABELS: Record<(typeof PAY_ITEMS_KIND)[number], string> = {
  allowance: 'Allowance',
  deduction: 'Deduction',
};

export const PAY_ITEM_PER_LABELS: Record<(typeof PAY_ITEMS_PER)[number], string> = {
  period: 'Each Pay Period',
  day: 'Each Day Worked',
  shift: 'Each Shift Worked',
};

export const BOOK_ENTRY_LABELS: Record<(typeof BOOK_ENTRIES_KIND)[number], string> = {
  opening: 'Opening balances',
  loan: 'Loan of the company',
  transfer: 'Money moved',
  exchange: 'Money exchanged',
  other: 'Other',
};

export const LEDGER_KIND_LABELS: Record<(typeof STAFF_LEDGER_KIND)[number], string> = {
  advance: 'Advance',
  loan: 'Loan',
  uniform: 'Uniform',
  other: 'Other',
};

export const ADJUSTMENT_KIND_LABELS: Record<(typeof PAY_ADJUSTMENTS_KIND)[number], string> = {
  correction: 'Correction',
  late_event: 'Late Clock Event',
  manual: 'Entered by Hand',
  severance: 'Severance',
  thirteenth_month: 'Thirteenth Month',
  income_tax: 'Income Tax Given Back',
};

export type PayChannel = (typeof PAY_ACCOUNTS_CHANNEL)[number];

export const PAY_CHANNEL_LABELS: Record<PayChannel, string> = {
  bank: 'Bank',
  mtn_momo: 'MTN MoMo',
  orange_money: 'Orange Money',
  cash: 'Cash',
};

export type ClockWay = (typeof CLOCK_EVENTS_WAY)[number];

export const CLOCK_WAY_LABELS: Record<ClockWay, string> = {
  phone: 'Own phone',
  device: 'Shared device',
  muster: 'Muster',
  message: 'Text message',
  office: 'Office',
};

/** @returns the way in words; a way of a newer server as it is */
export const clockWayLabel = (way: string): string =>
  Object.entries(CLOCK_WAY_LABELS).find(([known]) => known === way)?.[1] ?? way;

export const ALERT_KIND_LABELS: Record<(typeof ALERTS_KIND)[number], string> = {
  sos: 'SOS',
  welfare: 'No answer to a welfare check',
  missing: 'Guard missing',
  empty: 'Post empty',
  cant_come: 'Can’t come',
  left_early: 'Left early',
  running_late: 'Running late',
  tour: 'Patrol missed',
  no_signal: 'No signal',
};

/** Of a post on invoices while the company is registered. */
export const VAT_TREATMENT_LABELS: Record<(typeof CONTRACT_POSTS_VAT_TREATMENT)[number], string> = {
  standard: 'Standard rate',
  zero: 'Zero-rated',
  exempt: 'Exempt',
};
