// The kinds of work that public.closing_work counts: their names, and the list that each count opens.
import { endOfMonth, today } from '#web/lib/format/dates.ts';
import { stepPeriod } from '#web/lib/format/pay-periods.ts';

type Kind = {
  label: string;
  explained?: string;
  to: string;
  /** @param month its first day, yyyy-MM-dd */
  search?: (month: string) => Record<string, string>;
};

/** In the order in which a month is finished. */
const KINDS: Readonly<Record<string, Kind>> = {
  timesheets: {
    label: 'Timesheets to approve',
    to: '/admin/timesheets',
    search: (month) => ({ day: month }),
  },
  adjustments: {
    label: 'Pay adjustments to decide',
    to: '/admin/payruns/adjustments',
    search: () => ({ status: 'to_decide' }),
  },
  pay_runs: {
    label: 'Pay runs to lock',
    explained: 'A run is booked on its last day',
    to: '/admin/payruns',
  },
  pay_runs_unpaid: { label: 'Pay runs not paid yet', to: '/admin/payruns' },
  payroll: {
    label: 'Payroll by hand not paid yet',
    to: '/admin/payroll',
    search: () => ({ status: 'pending' }),
  },
  unbilled: {
    label: 'Guards with unbilled hours',
    to: '/admin/invoices/unbilled',
    search: (month) => ({ from: month, to: endOfMonth(month) }),
  },
  invoices_draft: {
    label: 'Draft invoices to issue',
    to: '/admin/invoices',
    search: () => ({ status: 'draft' }),
  },
  refunds: {
    label: 'Refunds to decide',
    to: '/admin/invoices/statements',
  },
  bank_lines: {
    label: 'Lines of bank statements to match',
    to: '/admin/invoices/accounting',
    search: () => ({ tab: 'bank' }),
  },
  tax_too_much: {
    label: 'People with too much income tax withheld',
    explained: 'A pay run of the month was voided since',
    to: '/admin/payroll/returns',
    search: (month) => ({ month: month.slice(0, 7) }),
  },
  pay_returns: {
    label: 'Returns of PAYE and NASSCORP to file',
    explained: 'Filed in the month after',
    to: '/admin/payroll/returns',
    search: (month) => ({ month: month.slice(0, 7) }),
  },
  vat_return: {
    label: 'Return of VAT to file',
    explained: 'Filed in the month after',
    to: '/admin/invoices/vat',
    search: (month) => ({ tab: 'returns', month: month.slice(0, 7) }),
  },
};

/** A row of public.closing_work. */
export type ClosingWork = { item: string; amount: number };

/** @returns what is open of the month, in its order; kinds that only a newer server knows are left out */
export function openWork(work: readonly ClosingWork[], month: string) {
  return Object.entries(KINDS).flatMap(([item, { label, explained, to, search }]) => {
    const amount = work.find((each) => each.item === item)?.amount ?? 0;
    return amount === 0
      ? []
      : [{ item, amount, label, explained, to, search: search?.(month) ?? {} }];
  });
}

/** Months that are offered while the books have never been closed. */
const FIRST_MONTHS = 12;

/**
 * @param closedTo the last closed day, null while none is
 * @returns the first days of the months that are over and not closed, the oldest first: they are closed in this order
 */
export function openMonths(closedTo: string | null, day: string = today()): string[] {
  const months: string[] = [];
  let month = stepPeriod('monthly', day, -1);
  const isOpen = () =>
    closedTo === null ? months.length < FIRST_MONTHS : endOfMonth(month) > closedTo;
  while (isOpen()) {
    months.unshift(month);
    month = stepPeriod('monthly', month, -1);
  }
  return months;
}
