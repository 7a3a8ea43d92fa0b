// The kinds of work that public.office_work counts: their names, and the list that each count opens.
import { formatCount } from '#shared/count.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import { stepPeriod } from '#web/lib/format/pay-periods.ts';
import { WORD_HINTS } from '#web/lib/vocabulary/duty-words.ts';

/** Of the three panels: what is wrong now, what waits for a decision, what comes next. */
export type Part = 'wrong' | 'waiting' | 'next';

type Kind = {
  part: Part;
  label: string;
  /** The label of a single one. Without it, `label` fits any number. */
  one?: string;
  /** What is counted. */
  explained?: string;
  /** How many of them should not wait. */
  urgent?: (count: string) => string;
  to: string;
  /** @param day today, yyyy-MM-dd */
  search?: (day: string) => Record<string, string>;
};

const where = (search: Record<string, string>) => () => search;

/** In the order of the panels. */
const KINDS: Readonly<Record<string, Kind>> = {
  alerts: {
    part: 'wrong',
    label: 'Open alerts',
    one: 'Open alert',
    urgent: (count) => `${count} not acknowledged`,
    to: '/admin/operations',
  },
  calls: {
    part: 'wrong',
    label: 'Open calls for service',
    one: 'Open call for service',
    urgent: (count) => `${count} not accepted by a unit`,
    to: '/admin/dispatch',
  },
  incidents_overdue: {
    part: 'wrong',
    label: 'Incidents past their due time',
    one: 'Incident past its due time',
    to: '/admin/incidents',
    search: where({ due: 'overdue' }),
  },
  forgotten_clock_outs: {
    part: 'wrong',
    label: 'Forgotten clock-outs',
    one: 'Forgotten clock-out',
    explained: WORD_HINTS.forgotten,
    to: '/admin/attendance',
    search: where({ state: 'forgotten' }),
  },
  certificates_expired: {
    part: 'wrong',
    label: 'Expired certificates',
    one: 'Expired certificate',
    to: '/admin/certifications',
    search: where({ state: 'expired' }),
  },
  invoices_overdue: {
    part: 'wrong',
    label: 'Overdue invoices',
    one: 'Overdue invoice',
    to: '/admin/invoices',
    search: where({ status: 'overdue' }),
  },
  contracts_losing: {
    part: 'wrong',
    label: 'Contracts that lose money',
    one: 'Contract that loses money',
    explained: 'Their newest month that is billed and paid costs more than it bills',
    to: '/admin/invoices/money',
    search: where({ tab: 'margin' }),
  },
  without_pay: {
    part: 'wrong',
    label: 'People without a pay record',
    one: 'Person without a pay record',
    explained: 'They work here and are in no pay run',
    to: '/admin/staff',
  },
  watch: {
    part: 'waiting',
    label: 'Handovers of the watch to accept',
    one: 'Handover of the watch to accept',
    to: '/admin/operations/log',
  },
  requests: {
    part: 'waiting',
    label: 'Requests from guards',
    one: 'Request from a guard',
    to: '/admin/roster/requests',
  },
  incidents_unowned: {
    part: 'waiting',
    label: 'Open incidents without an owner',
    one: 'Open incident without an owner',
    urgent: (count) => `${count} high or critical`,
    to: '/admin/incidents',
    search: where({ owner: 'none', status: 'active' }),
  },
  incidents_mine: {
    part: 'waiting',
    label: 'Your open incidents',
    one: 'Your open incident',
    to: '/admin/incidents',
    search: where({ owner: 'me', status: 'active' }),
  },
  leave: {
    part: 'waiting',
    label: 'Leave requests to decide',
    one: 'Leave request to decide',
    urgent: (count) => `${count} within 3 days`,
    to: '/admin/leave',
    search: where({ status: 'pending' }),
  },
  attendance_review: {
    part: 'waiting',
    label: 'Attendance exceptions to review',
    one: 'Attendance exception to review',
    to: '/admin/attendance',
    search: where({ state: 'review' }),
  },
  timesheets_before: {
    part: 'waiting',
    label: 'Timesheets to decide, last month',
    one: 'Timesheet to decide, last month',
    to: '/admin/timesheets',
    search: (day) => ({ day: stepPeriod('monthly', day, -1) }),
  },
  timesheets: {
    part: 'waiting',
    label: 'Timesheets to decide, this month',
    one: 'Timesheet to decide, this month',
    to: '/admin/timesheets',
  },
  enquiries: {
    part: 'waiting',
    label: 'New enquiries',
    one: 'New enquiry',
    to: '/admin/enquiries',
    search: where({ state: 'new' }),
  },
  pay_runs_in_review: {
    part: 'waiting',
    label: 'Pay runs to approve',
    one: 'Pay run to approve',
    explained: 'Approved by someone other than who sent them',
    to: '/admin/payruns',
    search: where({ status: 'in_review' }),
  },
  pay_runs_calculated: {
    part: 'waiting',
    label: 'Pay runs to send to review',
    one: 'Pay run to send to review',
    to: '/admin/payruns',
    search: where({ status: 'calculated' }),
  },
  adjustments: {
    part: 'waiting',
    label: 'Pay adjustments to decide',
    one: 'Pay adjustment to decide',
    to: '/admin/payruns/adjustments',
    search: where({ status: 'to_decide' }),
  },
  rates: {
    part: 'waiting',
    label: 'Proposed pay rates to approve',
    one: 'Proposed pay rate to approve',
    to: '/admin/payroll',
    search: where({ dialog: 'rates' }),
  },
  pay_returns: {
    part: 'waiting',
    label: 'Returns of PAYE and NASSCORP to file',
    one: 'Return of PAYE or NASSCORP to file',
    urgent: (count) => `${count} past the due date`,
    to: '/admin/payroll/returns',
  },
  tax_numbers: {
    part: 'waiting',
    label: 'Tax and NASSCORP numbers missing',
    one: 'Tax or NASSCORP number missing',
    to: '/admin/payroll/returns',
    search: where({ tab: 'numbers' }),
  },
  pay_accounts: {
    part: 'waiting',
    label: 'Pay accounts to verify',
    one: 'Pay account to verify',
    to: '/admin/payruns/accounts',
    search: where({ state: 'unverified' }),
  },
  refunds: {
    part: 'waiting',
    label: 'Refunds to decide',
    one: 'Refund to decide',
    explained: 'Paid by someone other than who asked',
    to: '/admin/invoices/statements',
  },
  invoices_draft: {
    part: 'waiting',
    label: 'Draft invoices to issue',
    one: 'Draft invoice to issue',
    to: '/admin/invoices',
    search: where({ status: 'draft' }),
  },
  certificates_expiring: {
    part: 'next',
    label: 'Certificates to renew within 30 days',
    one: 'Certificate to renew within 30 days',
    to: '/admin/certifications',
    search: where({ state: 'expiring' }),
  },
  on_leave: {
    part: 'next',
    label: 'On leave within 7 days',
    to: '/admin/leave',
    search: (day) => ({ status: 'approved', from: day, to: dayAfter(day, 6) }),
  },
  leaving: {
    part: 'next',
    label: 'People who leave',
    one: 'Person who leaves',
    to: '/admin/people',
    search: where({ state: 'leaving' }),
  },
};

/** A row of public.office_work. */
export type Work = { item: string; amount: number; urgent: number };

export type WorkRow = {
  item: string;
  amount: number;
  label: string;
  explained: string | undefined;
  /** What of it is urgent. */
  hint: string | undefined;
  to: string;
  search: Record<string, string>;
};

/** @returns what there is to do of a part, in its order; kinds that only a newer server knows are left out */
export function rowsOf(part: Part, work: readonly Work[], day: string): WorkRow[] {
  return Object.entries(KINDS).flatMap(([item, kind]) => {
    const found = work.find((each) => each.item === item);
    if (kind.part !== part || !found || found.amount === 0) return [];
    const { label, one, explained, urgent, to, search } = kind;
    return [
      {
        item,
        amount: found.amount,
        label: found.amount === 1 ? (one ?? label) : label,
        explained,
        hint: found.urgent > 0 ? urgent?.(formatCount(found.urgent)) : undefined,
        to,
        search: search?.(day) ?? {},
      },
    ];
  });
}
