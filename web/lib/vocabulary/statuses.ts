// Every status of the product: values in the order of its screen, then one label and one colour per word.

/** Of a report, beside its status. `returned`: the reporter has a question to answer. */
export const REVIEW_STATES = ['waiting', 'returned', 'answered', 'reviewed'] as const;

/** What the list of invoices can be narrowed to: `overdue` follows from the due day. */
export const INVOICE_FILTERS = [
  'draft',
  'issued',
  'part_paid',
  'overdue',
  'paid',
  'credited',
] as const;

export const USER_STATUSES = ['active', 'invited', 'disabled'] as const;

/** Of a person: `leaving` has a last day that is not over. */
export const PEOPLE_STATES = ['active', 'invited', 'leaving', 'left'] as const;

/** How well a shift is staffed. */
export const STAFFINGS = ['none', 'partial', 'full'] as const;

/** Whether a certification is valid; `expiring` ends within 30 days, by the database's clock. */
export const VALIDITIES = ['valid', 'expiring', 'expired'] as const;

export const STATUS_LABELS = {
  ACTIVE: 'Active',
  active: 'Active',
  answered: 'Answered',
  approved: 'Approved',
  assigned: 'Assigned',
  calculated: 'Calculated',
  cancelled: 'Cancelled',
  CLOSED: 'Closed',
  closed: 'Closed',
  completed: 'Completed',
  confirmed: 'Confirmed',
  credited: 'Credited',
  critical: 'Critical',
  disabled: 'Disabled',
  draft: 'Draft',
  expired: 'Expired',
  expiring: 'Expiring',
  full: 'Fully Staffed',
  high: 'High',
  in_review: 'In Review',
  INACTIVE: 'Inactive',
  inactive: 'Inactive',
  investigating: 'Investigating',
  issued: 'Issued',
  invited: 'Invited',
  leaving: 'Leaving',
  left: 'Left',
  locked: 'Locked',
  low: 'Low',
  medium: 'Medium',
  new: 'New',
  no_show: 'No Show',
  none: 'Unstaffed',
  open: 'Open',
  overdue: 'Overdue',
  paid: 'Paid',
  PAID_OFF: 'Paid off',
  part_paid: 'Part-paid',
  partial: 'Partially Staffed',
  pending: 'Pending',
  rejected: 'Rejected',
  resolved: 'Resolved',
  returned: 'Sent back',
  reviewed: 'Reviewed',
  scheduled: 'Scheduled',
  submitted: 'Submitted',
  superseded: 'Superseded',
  to_decide: 'To Decide',
  valid: 'Valid',
  void: 'Void',
  waiting: 'Waiting for review',
} as const;

export type Tone = 'blue' | 'green' | 'grey' | 'orange' | 'red' | 'yellow';

/** Blue is planned or under way, green is good, orange needs attention, red failed or fell through, grey is over. */
export const STATUS_TONES: Record<keyof typeof STATUS_LABELS, Tone> = {
  ACTIVE: 'green',
  active: 'green',
  answered: 'green',
  approved: 'green',
  assigned: 'blue',
  calculated: 'blue',
  cancelled: 'red',
  CLOSED: 'grey',
  closed: 'grey',
  completed: 'grey',
  confirmed: 'green',
  credited: 'grey',
  critical: 'red',
  disabled: 'red',
  draft: 'orange',
  expired: 'red',
  expiring: 'orange',
  full: 'green',
  high: 'orange',
  in_review: 'blue',
  INACTIVE: 'grey',
  inactive: 'grey',
  investigating: 'blue',
  issued: 'blue',
  invited: 'orange',
  leaving: 'orange',
  left: 'grey',
  locked: 'grey',
  low: 'blue',
  medium: 'yellow',
  new: 'orange',
  no_show: 'red',
  none: 'red',
  open: 'orange',
  overdue: 'red',
  paid: 'green',
  PAID_OFF: 'grey',
  part_paid: 'orange',
  partial: 'orange',
  pending: 'orange',
  rejected: 'red',
  resolved: 'green',
  returned: 'blue',
  reviewed: 'green',
  scheduled: 'blue',
  submitted: 'blue',
  superseded: 'grey',
  to_decide: 'orange',
  valid: 'green',
  void: 'red',
  waiting: 'orange',
};
