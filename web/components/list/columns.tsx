import type { ReactNode } from 'react';
import { formatMoney } from '#shared/money.ts';
import { RowActions, type RowActionsProps } from './row-actions.tsx';

/** For cells with an amount, hours or a count. */
export const AMOUNT = 'text-right tabular-nums whitespace-nowrap';

/** For the amount that the others lead to. */
export const TOTAL = `${AMOUNT} font-semibold`;

/** One column of a list. On a phone every row is a card, and `card` says where the cell goes. */
export type Column<Row> = {
  /** Unique within the list. */
  header: string;
  cell: (row: Row) => ReactNode;
  /** The title, beside the title, text below it, a line with the header (default), or buttons at the foot. */
  card?: 'title' | 'aside' | 'line' | 'text' | 'actions';
  /** For the cells in the table: widths and alignment. */
  className?: string;
  /** The key of `sortField` by which this column orders the list; its header becomes a button. */
  sort?: string;
};

type Amount = Parameters<typeof formatMoney>[0];

/** A column of amounts in the currency of each row. @param more for example its `sort` key */
export const moneyColumn = <Row extends { currency: string }>(
  header: string,
  amountOf: (row: Row) => Amount,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({
  header,
  className: AMOUNT,
  cell: (row) => formatMoney(amountOf(row), row.currency),
  ...more,
});

export const actionsColumn = <Row,>(actionsOf: (row: Row) => RowActionsProps): Column<Row> => ({
  header: 'Actions',
  card: 'actions',
  className: 'text-right',
  cell: (row) => <RowActions {...actionsOf(row)} />,
});
