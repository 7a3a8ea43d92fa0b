// The columns that bank accounts and loan accounts have in common.
import { formatAmount } from '#shared/money.ts';
import { AccountNumber } from '#web/components/text/account-number.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { formatPeriod } from '#web/lib/format/dates.ts';
import type { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import type { Column } from './columns.tsx';

type Account = {
  account_title: string;
  bank_name: string;
  currency: string;
  current_balance: number | null;
  statement_period_start: string | null;
  statement_period_end: string | null;
  status: keyof typeof STATUS_LABELS;
  notes: string | null;
  /** Of the bank. */
  address?: string | null;
  balance_type?: string;
  account_type?: string | null;
  opening_balance?: number | null;
};

const AMOUNT = 'text-right tabular-nums whitespace-nowrap';

/** A column of amounts, "-" where none is known. */
export const amountColumn = <Row,>(
  header: string,
  amountOf: (row: Row) => number | null,
): Column<Row> => ({
  header,
  className: AMOUNT,
  cell: (row) => {
    const amount = amountOf(row);
    return amount === null ? '-' : formatAmount(amount);
  },
});

/** @param further columns before the current balance */
export const accountColumns = <Row extends Account>(
  numberOf: (row: Row) => string,
  further: Column<Row>[] = [],
): Column<Row>[] => [
  {
    header: 'Account Title',
    card: 'title',
    className: 'font-semibold',
    sort: 'title',
    cell: (row) => (
      <>
        {row.account_title}
        <SecondLine compact="hidden">{row.notes}</SecondLine>
      </>
    ),
  },
  {
    header: 'Bank Name',
    sort: 'bank',
    cell: (row) => (
      <>
        {row.bank_name}
        <SecondLine narrow compact="hidden">
          {row.address ?? row.account_type}
        </SecondLine>
      </>
    ),
  },
  {
    header: 'Account Number',
    className: 'whitespace-nowrap',
    cell: (row) => (
      <>
        <AccountNumber number={numberOf(row)} />
        <SecondLine compact="hidden">
          {formatPeriod(row.statement_period_start, row.statement_period_end)}
        </SecondLine>
      </>
    ),
  },
  ...further,
  {
    header: 'Current Balance',
    className: `${AMOUNT} font-semibold`,
    sort: 'balance',
    cell: ({ currency, current_balance, balance_type = '', opening_balance }) => (
      <>
        {current_balance === null
          ? '-'
          : `${currency} ${formatAmount(current_balance)} ${balance_type}`.trim()}
        <SecondLine compact="hidden">
          {typeof opening_balance === 'number' && `Opening ${formatAmount(opening_balance)}`}
        </SecondLine>
      </>
    ),
  },
  { header: 'Status', card: 'aside', cell: (row) => <StatusBadge status={row.status} /> },
];

/** What the deletion of an account loses. */
export const accountConsequence = ({ account_title, bank_name }: Account) =>
  `${account_title} at ${bank_name} leaves the list, and its amounts leave the bank and cashflow totals.`;
