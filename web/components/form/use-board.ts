import { useState } from 'react';
import { CARDS_STEP } from '#web/lib/data/pages.ts';

/** @returns `entry` is the row being changed, or 'new'; `deleting` the row that a question is open about */
export function useBoard<Row>() {
  const [limit, setLimit] = useState(CARDS_STEP);
  const [entry, setEntry] = useState<Row | 'new'>();
  const [deleting, setDeleting] = useState<Row>();
  return {
    limit,
    showMore: () => setLimit(limit + CARDS_STEP),
    /** As it was when the dialog was opened: a change by somebody else does not overwrite what is being typed. */
    entry,
    open: setEntry,
    close: () => setEntry(undefined),
    deleting,
    ask: setDeleting,
    stopAsking: () => setDeleting(undefined),
  };
}

/**
 * @param opened the row whose form is open
 * @param rows the live list
 * @returns the row as it is now; as it was opened when the list does not show it any more
 */
export function latestOf<Row extends { id: string }>(opened: Row, rows: Row[] | undefined): Row {
  return rows?.find(({ id }) => id === opened.id) ?? opened;
}
