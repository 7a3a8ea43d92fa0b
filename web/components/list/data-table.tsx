import { useDeferredValue, useMemo } from 'react';
import { useTableView } from '#web/lib/app/list-view.ts';
import { useMediaQuery } from '#web/lib/app/media-query.ts';
import { RowCards } from './row-cards.tsx';
import { RowTable } from './row-table.tsx';
import type { DataTableProps } from './table-props.ts';
import { useFit } from './use-fit.ts';
import { useRoom } from './use-room.ts';

/** Rows of the first render, as many as fit a screen of 800 px; the others follow in a deferred render. */
const FIRST_ROWS = 9;

const NO_TABLE: readonly object[] = [];

/** A table, or a card per row: where there is no room for a table, or where cards are usual. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { rows, room = 40 } = props;
  const { ref, hasRoom } = useRoom(room);
  const count = useDeferredValue(rows.length, FIRST_ROWS);
  const rendered = useMemo(() => rows.slice(0, count), [rows, count]);
  const isTableChosen = useTableView();
  const areCardsChosen = props.isUsuallyCards && !isTableChosen;
  const fit = useFit(ref, areCardsChosen ? NO_TABLE : rendered);
  // On paper there is always a table.
  const isTable = hasRoom && fit.kind !== 'none' && !areCardsChosen;
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
