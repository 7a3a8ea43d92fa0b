import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';

type Options<Result> = {
  /** Title of the toast afterwards. */
  restored?: string;
  /** Its text. */
  noteOf?: (result: Result) => string | undefined;
  /** After success and failure. */
  reload?: () => unknown;
};

/** The Undo of a toast. */
export const undoAction = <Result>(
  restore: () => Promise<Result>,
  { restored = 'Restored', noteOf, reload }: Options<Result> = {},
) => ({
  label: 'Undo',
  onPress: () =>
    void restore()
      .then((result) => showSuccess(restored, noteOf?.(result)))
      .catch((error: unknown) => showError('Nothing was restored', describeError(error)))
      .finally(reload),
});
