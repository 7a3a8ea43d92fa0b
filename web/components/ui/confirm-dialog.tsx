import { type ReactNode, useId, useState } from 'react';
import { describeError } from '#web/lib/errors/error-message.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { showError, showSuccess } from './toast.ts';

type ConfirmDialogProps = {
  title: string;
  /** Announced with the title. */
  question?: string;
  children?: ReactNode;
  /** Why it can't be done; replaces the consequences and disables the button. */
  obstacle?: string | undefined;
  /** While what will happen is not known yet. */
  isDisabled?: boolean;
  confirmLabel: string;
  busyLabel?: string;
  /** `primary` where nothing is lost; the button then has the focus. */
  variant?: 'danger' | 'primary';
  /** Before the other buttons. */
  otherAction?: ReactNode;
  /** Where "Cancel" would be ambiguous. */
  cancelLabel?: string;
  /** Title of the toast. */
  success?: string;
  /** Title of the error, in a toast and in the dialog, which stays open. */
  failure?: string | undefined;
  /** @returns why it failed, for the error */
  reasonOf?: (error: unknown) => string;
  className?: string;
  onConfirm: () => Promise<unknown>;
  /** Called after success and when the user cancels. */
  onClose: () => void;
};

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { question, children, obstacle, confirmLabel, onClose } = props;
  const { busyLabel = confirmLabel, cancelLabel = 'Cancel', failure = 'Error' } = props;
  const { variant = 'danger', reasonOf = describeError } = props;
  const obstacleId = useId();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function confirm() {
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await props.onConfirm();
      if (props.success) showSuccess(props.success);
      onClose();
    } catch (error) {
      const reason = reasonOf(error);
      setProblem(reason);
      showError(failure, reason);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={props.title}
      {...(question ? { description: question } : {})}
      {...(props.className ? { className: props.className } : {})}
    >
      <div className="grid gap-6">
        {obstacle ? (
          <div id={obstacleId}>
            <Alert title={obstacle} />
          </div>
        ) : (
          children && <div className="text-pretty">{children}</div>
        )}
        {problem && (
          <Alert tone="danger" title={failure}>
            {problem}
          </Alert>
        )}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          {props.otherAction}
          <Button
            data-first-focus={variant === 'danger' || undefined}
            variant="secondary"
            onClick={onClose}
          >
            {cancelLabel}
          </Button>
          <Button
            data-first-focus={variant === 'primary' || undefined}
            variant={variant}
            busy={isBusy}
            disabled={obstacle !== undefined || props.isDisabled}
            aria-describedby={obstacle && obstacleId}
            onClick={confirm}
          >
            {isBusy ? busyLabel : confirmLabel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
