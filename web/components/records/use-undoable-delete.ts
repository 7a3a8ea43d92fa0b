// Deletes at once, without asking; the toast offers to take it back.
import type { UseMutationResult } from '@tanstack/react-query';
import { useCallback } from 'react';
import { showError } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { showDeleted } from './show-deleted.ts';

type UndoableDelete<Row> = {
  /** Hands back the row as it was at the end; null when somebody else had removed it before. */
  remove: UseMutationResult<Row | null, Error, string>;
  restore: UseMutationResult<void, Error, Row>;
  /** Titles of the toasts. */
  deleted: string;
  restored: string;
  failure?: string;
};

/** @returns the call that deletes the record with this id; the same one at each draw, as columns need it */
export function useUndoableDelete<Row>(options: UndoableDelete<Row>) {
  const { deleted, restored, failure = 'Error' } = options;
  const { mutateAsync: remove } = options.remove;
  const { mutateAsync: restore } = options.restore;

  return useCallback(
    (id: string) => {
      remove(id)
        .then((row) => showDeleted(deleted, row, { restore, restored }))
        .catch((error: unknown) => showError(failure, messageOf(error)));
    },
    [remove, restore, deleted, restored, failure],
  );
}
