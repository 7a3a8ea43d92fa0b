// The kinds that records are sorted into: values in the order of their forms, and their labels.

export const EXPENSE_CATEGORIES = [
  'operations',
  'payroll',
  'equipment',
  'training',
  'transport',
  'utilities',
  'other',
] as const;

export const EXPENSE_CATEGORY_LABELS: Record<(typeof EXPENSE_CATEGORIES)[number], string> = {
  operations: 'Operations',
  payroll: 'Payroll',
  equipment: 'Equipment',
  training: 'Training',
  transport: 'Transport',
  utilities: 'Utilities',
  other: 'Other',
};

export const REPORT_TYPES = ['daily', 'monthly'] as const;

export const REPORT_TYPE_LABELS: Record<(typeof REPORT_TYPES)[number], string> = {
  daily: 'Daily',
  monthly: 'Monthly',
};

export const INCIDENT_CATEGORIES = [
  'security',
  'safety',
  'property',
  'medical',
  'fire',
  'theft',
  'vandalism',
  'other',
] as const;

export const INCIDENT_CATEGORY_LABELS: Record<(typeof INCIDENT_CATEGORIES)[number], string> = {
  security: 'Security',
  safety: 'Safety',
  property: 'Property',
  medical: 'Medical',
  fire: 'Fire',
  theft: 'Theft',
  vandalism: 'Vandalism',
  other: 'Other',
};

export const LEAVE_TYPES = [
  'annual',
  'sick',
  'emergency',
  'unpaid',
  'maternity',
  'paternity',
  'bereavement',
] as const;

export const LEAVE_TYPE_LABELS: Record<(typeof LEAVE_TYPES)[number], string> = {
  annual: 'Annual',
  sick: 'Sick',
  emergency: 'Emergency',
  unpaid: 'Unpaid',
  maternity: 'Maternity',
  paternity: 'Paternity',
  bereavement: 'Bereavement',
};

/** How a client pays. */
export const PAYMENT_METHODS = ['monthly', 'quarterly', 'annually', 'on-demand', 'cash'] as const;

export const PAYMENT_METHOD_LABELS: Record<(typeof PAYMENT_METHODS)[number], string> = {
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  annually: 'Annually',
  'on-demand': 'On demand',
  cash: 'Cash',
};

/** How often a member of staff is paid. */
export const PAY_FREQUENCIES = ['weekly', 'bi-weekly', 'monthly'] as const;

export const PAY_FREQUENCY_LABELS: Record<(typeof PAY_FREQUENCIES)[number], string> = {
  weekly: 'Weekly',
  'bi-weekly': 'Bi-weekly',
  monthly: 'Monthly',
};
