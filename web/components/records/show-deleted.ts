// Says that a record was deleted, and offers to put it back.
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';

export type Undo<Row, Result = unknown> = {
  restore: (row: Row) => Promise<Result>;
  /** Title of the toast when it is back. */
  restored: string;
  /** What could not be put back with it, for the toast. */
  missing?: (result: Result) => string | undefined;
};

/**
 * @param row as it was at the end; null when somebody else had removed it before
 * @param undo left out where something else went with the record: putting it back alone would promise too much
 */
export function showDeleted<Row, Result>(
  deleted: string,
  row: Row | null,
  undo: Undo<Row, Result> | undefined,
) {
  if (row === null || undo === undefined) {
    showSuccess(deleted);
    return;
  }
  const onPress = () =>
    void undo
      .restore(row)
      .then((result) => showSuccess(undo.restored, undo.missing?.(result)))
      .catch((error: unknown) => showError('Error', messageOf(error)));
  showSuccess(deleted, undefined, { label: 'Undo', onPress });
}
