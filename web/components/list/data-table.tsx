import { useDeferredValue, useMemo } from 'react';
import { useMediaQuery } from '#web/lib/app/media-query.ts';
import type { Column } from './columns.tsx';
import { RowCards } from './row-cards.tsx';
import { RowTable } from './row-table.tsx';
import type { Selection } from './selection.ts';
import type { Sorting } from './sorting.tsx';
import type { Totals } from './totals.tsx';
import { useFit } from './use-fit.ts';
import { useRoom } from './use-room.ts';

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
  /** Makes the first cell a button that covers the whole row. */
  onOpen?: (row: Row) => void;
  /** For a list with sortable columns (`sort`). */
  sorting?: Sorting;
  /** Sums over all pages. */
  totals?: Totals | undefined;
  /** Makes rows selectable. */
  selection?: { store: Selection<Row>; nameOf: (row: Row) => string } | undefined;
};

/** Rows of the first render, as many as fit a screen of 800 px; the others follow in a deferred render. */
const FIRST_ROWS = 9;

/** A table, or a card per row where there is no room for it. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { rows, room = 40 } = props;
  const { ref, hasRoom } = useRoom(room);
  const count = useDeferredValue(rows.length, FIRST_ROWS);
  const rendered = useMemo(() => rows.slice(0, count), [rows, count]);
  const fit = useFit(ref, rendered);
  // On paper there is always a table.
  const isTable = hasRoom && fit.kind !== 'none';
  const isNarrow = useMediaQuery(`screen and (width ${isTable ? '< 64rem' : '> 0'})`);
  return (
    <div ref={ref}>
      {isNarrow ? (
        <RowCards {...props} rows={rendered} />
      ) : (
        <RowTable {...props} rows={rendered} fit={fit} />
      )}
    </div>
  );
}
