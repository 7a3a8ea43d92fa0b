import { Trash2 } from 'lucide-react';
import { type DeleteTable, deleteRecords, listIds } from '#web/lib/data/many-rows.ts';
import type { ListAction } from './list-actions.ts';

/** Deletes the selected rows after a question, with Undo. @param consequence what is lost */
export const deleteAction = <Row extends { id: string }>(
  table: DeleteTable,
  consequence: (rows: Row[]) => string,
): ListAction<Row> => ({
  label: 'Delete',
  icon: Trash2,
  isDanger: true,
  consequence,
  run: (rows) => deleteRecords(table, listIds(rows)),
  done: 'deleted',
});
