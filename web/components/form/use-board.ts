import { useState } from 'react';
import { CARDS_STEP } from '#web/lib/data/pages.ts';

/** @returns `entry`: the row being edited, or 'new'; `deleting`: the row to confirm the deletion of */
export function useBoard<Row>() {
  const [limit, setLimit] = useState(CARDS_STEP);
  const [entry, setEntry] = useState<Row | 'new'>();
  const [deleting, setDeleting] = useState<Row>();
  return {
    limit,
    showMore: () => setLimit(limit + CARDS_STEP),
    /** As of opening the dialog: someone else's change does not overwrite what is being typed. */
    entry,
    open: setEntry,
    close: () => setEntry(undefined),
    deleting,
    ask: setDeleting,
    stopAsking: () => setDeleting(undefined),
  };
}

/** @returns the current row of the live list, or the opened one when the list no longer has it */
export function latestOf<Row extends { id: string }>(opened: Row, rows: Row[] | undefined): Row {
  return rows?.find(({ id }) => id === opened.id) ?? opened;
}
