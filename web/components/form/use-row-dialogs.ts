import { useState } from 'react';

/** Which dialogs of a list are open: the form that adds or edits a row, and the question before deleting one. */
export function useRowDialogs<Row>() {
  const [entry, setEntry] = useState<Row | 'new'>();
  const [deleting, setDeleting] = useState<Row>();
  return {
    /** The row as it was when the form was opened, or "new". */
    entry,
    open: setEntry,
    close: () => setEntry(undefined),
    deleting,
    ask: setDeleting,
    stopAsking: () => setDeleting(undefined),
  };
}

/** @returns the row as the list now shows it; unchanged if the list no longer contains it */
export function latestOf<Row extends { id: string }>(opened: Row, rows: Row[] | undefined): Row {
  return rows?.find(({ id }) => id === opened.id) ?? opened;
}
