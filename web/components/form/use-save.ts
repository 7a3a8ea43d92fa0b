import { useState } from 'react';
import { keepFocusOutsideDialogs } from '#web/components/ui/focus-places.ts';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';

type Outcome = {
  /** Title of the toast after success; without one, none is shown. */
  success?: string | undefined;
  /** Title of the toast after a failure. */
  failure?: string;
};

/**
 * Runs a save at most once at a time and shows its outcome.
 * @returns `save`, which resolves to whether it succeeded, and `busy`
 */
export function useSave({ success, failure = 'Error' }: Outcome = {}) {
  const [busy, setBusy] = useState(false);

  async function save(work: () => Promise<unknown>): Promise<boolean> {
    if (busy) return false;
    // The button may disappear with what it saves: an approved timesheet has none to approve it.
    keepFocusOutsideDialogs();
    setBusy(true);
    try {
      await work();
      if (success) showSuccess(success);
      return true;
    } catch (error) {
      showError(failure, describeError(error));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { save, busy };
}
