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
    urgent: (count) => `${count} not acknowledged`,
    to: '/admin/operations',
  },
  calls: {
    part: 'wrong',
    label: 'Open calls for service',
    urgent: (count) => `${count} not accepted by a unit`,
    to: '/admin/dispatch',
  },
  incidents_overdue: {
    part: 'wrong',
    label: 'Incidents past their due time',
    to: '/admin/incidents',
    search: where({ due: 'overdue' }),
  },
  forgotten_clock_outs: {
    part: 'wrong',
    label: 'Forgotten clock-outs',
    explained: WORD_HINTS.forgotten,
    to: '/admin/attendance',
    search: where({ state: 'forgotten' }),
  },
  certificates_expired: {
    part: 'wrong',
    label: 'Expired certificates',
    to: '/admin/certifications',
    search: where({ state: 'expired' }),
  },
  invoices_overdue: {
    part: 'wrong',
    label: 'Overdue invoices',
    to: '/admin/invoices',
    search: where({ status: 'overdue' }),
  },
  contracts_losing: {
    part: 'wrong',
    label: 'Contracts that lose money',
    explained: 'Their newest month that is billed and paid costs more than it bills',
    to: '/admin/invoices/money',
    search: where({ tab: 'margin' }),
  },
  without_pay: {
    part: 'wrong',
    label: 'People without a pay record',
    explained: 'They work here and are in no pay run',
    to: '/admin/staff',
  },
  watch: {
    part: 'waiting',
    label: 'Handovers of the watch to accept',
    to: '/admin/operations/log',
  },
  requests: { part: 'waiting', label: 'Requests from guards', to: '/admin/roster/requests' },
  incidents_unowned: {
    part: 'waiting',
    label: 'Open incidents without an owner',
    urgent: (count) => `${count} high or critical`,
    to: '/admin/incidents',
    search: where({ owner: 'none', status: 'active' }),
  },
  incidents_mine: {
    part: 'waiting',
    label: 'Your open incidents',
    to: '/admin/incidents',
    search: where({ owner: 'me', status: 'active' }),
  },
  leave: {
    part: 'waiting',
    label: 'Leave requests to decide',
    urgent: (count) => `${count} within 3 days`,
    to: '/admin/leave',
    search: where({ status: 'pending' }),
  },
  attendance_review: {
    part: 'waiting',
    label: 'Attendance exceptions to review',
    to: '/admin/attendance',
    search: where({ state: 'review' }),
  },
  timesheets_before: {
    part: 'waiting',
    label: 'Timesheets to decide, last month',
    to: '/admin/timesheets',
    search: (day) => ({ day: stepPeriod('monthly', day, -1) }),
  },
  timesheets: {
    part: 'waiting',
    label: 'Timesheets to decide, this month',
    to: '/admin/timesheets',
  },
  enquiries: {
    part: 'waiting',
    label: 'New enquiries',
    to: '/admin/enquiries',
    search: where({ state: 'new' }),
  },
  pay_runs_in_review: {
    part: 'waiting',
    label: 'Pay runs to approve',
    explained: 'Approved by someone other than who sent them',
    to: '/admin/payruns',
    search: where({ status: 'in_review' }),
  },
  pay_runs_calculated: {
    part: 'waiting',
    label: 'Pay runs to send to review',
    to: '/admin/payruns',
    search: where({ status: 'calculated' }),
  },
  adjustments: {
    part: 'waiting',
    label: 'Pay adjustments to decide',
    to: '/admin/payruns/adjustments',
    search: where({ status: 'to_decide' }),
  },
  rates: {
    part: 'waiting',
    label: 'Proposed pay rates to approve',
    to: '/admin/payroll',
    search: where({ dialog: 'rates' }),
  },
  pay_returns: {
    part: 'waiting',
    label: 'Returns of PAYE and NASSCORP to file',
    urgent: (count) => `${count} past the due date`,
    to: '/admin/payroll/returns',
  },
  tax_numbers: {
    part: 'waiting',
    label: 'Tax and NASSCORP numbers missing',
    to: '/admin/payroll/returns',
    search: where({ tab: 'numbers' }),
  },
  pay_accounts: {
    part: 'waiting',
    label: 'Pay accounts to verify',
    to: '/admin/payruns/accounts',
    search: where({ state: 'unverified' }),
  },
  refunds: {
    part: 'waiting',
    label: 'Refunds to decide',
    explained: 'Paid by someone other than who asked',
    to: '/admin/invoices/statements',
  },
  invoices_draft: {
    part: 'waiting',
    label: 'Draft invoices to issue',
    to: '/admin/invoices',
    search: where({ status: 'draft' }),
  },
  certificates_expiring: {
    part: 'next',
    label: 'Certificates to renew within 30 days',
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
    const { label, explained, urgent, to, search } = kind;
    return [
      {
        item,
        amount: found.amount,
        label,
        explained,
        hint: found.urgent > 0 ? urgent?.(formatCount(found.urgent)) : undefined,
        to,
        search: search?.(day) ?? {},
      },
    ];
  });
}
