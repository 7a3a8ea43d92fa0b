// Saving from a form or a button: says how it ended, and keeps everything on screen when it failed.
import { useState } from 'react';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';

type Outcome = {
  /** Title of the toast when it worked; nothing is shown without one. */
  success?: string | undefined;
  /** Title of the toast when it failed. */
  failure?: string;
};

/**
 * @returns `save`, which runs the work unless it is already running and tells whether it worked, and `busy`
 */
export function useSave({ success, failure = 'Error' }: Outcome = {}) {
  const [busy, setBusy] = useState(false);

  async function save(work: () => Promise<unknown>): Promise<boolean> {
    if (busy) return false;
    setBusy(true);
    try {
      await work();
      if (success) showSuccess(success);
      return true;
    } catch (error) {
      showError(failure, messageOf(error));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { save, busy };
}
