// Asks before something is lost. When it fails the dialog stays open, with the reason of the toast in it.
import { useId, useState } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';

type ConfirmDialogProps = {
  title: string;
  /** The question, and what would be lost. */
  question: string;
  consequence?: string;
  /** Why it can't be done; takes the place of the consequence and disables the button. */
  obstacle?: string | undefined;
  confirmLabel: string;
  busyLabel?: string;
  /** Title of the toast when it fails, and above the reason in the dialog. */
  failure?: string;
  confirm: () => Promise<unknown>;
  onDone: () => void;
  onCancel: () => void;
};

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { consequence, obstacle, busyLabel = 'Deleting...', failure = 'Error' } = props;
  const obstacleId = useId();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  function press() {
    setBusy(true);
    setProblem(undefined);
    props
      .confirm()
      .then(props.onDone)
      .catch((error: unknown) => {
        const reason = messageOf(error);
        setProblem(reason);
        showError(failure, reason);
      })
      .finally(() => setBusy(false));
  }
  return (
    <Dialog open onOpenChange={props.onCancel} title={props.title} description={props.question}>
      <div className="grid gap-6">
        {obstacle ? (
          <div id={obstacleId}>
            <Alert title={obstacle} />
          </div>
        ) : (
          consequence && <p className="text-pretty">{consequence}</p>
        )}
        {problem && (
          <Alert tone="danger" title={failure}>
            {problem}
          </Alert>
        )}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button data-first-focus variant="secondary" onClick={props.onCancel}>
            Cancel
          </Button>
          <Button
            variant="danger"
            busy={isBusy}
            disabled={obstacle !== undefined}
            aria-describedby={obstacle && obstacleId}
            onClick={press}
          >
            {isBusy ? busyLabel : props.confirmLabel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
