import type { Column } from './columns.tsx';
import type { Selection } from './selection.ts';
import type { Sorting } from './sorting.tsx';
import type { Totals } from './totals.tsx';

export type DataTableProps<Row extends object> = {
  /** Names the table for screen readers. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowId: (row: Row) => string;
  /** Smaller text and padding, for tables of many columns. */
  dense?: boolean;
  /** Width in rem below which rows are shown as cards, even if the table could be squeezed into it. */
  room?: number;
  /** Cards, unless the user has chosen tables for such lists. */
  isUsuallyCards?: boolean | undefined;
  /** Makes the first cell a button that covers the whole row. */
  onOpen?: (row: Row) => void;
  /** For a list with sortable columns (`sort`). */
  sorting?: Sorting;
  /** Sums over all pages. */
  totals?: Totals | undefined;
  /** Makes rows selectable. */
  selection?: { store: Selection<Row>; nameOf: (row: Row) => string } | undefined;
};
