// Asks before something is lost. It stays open, and says why, when it fails.
import { useState } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { messageOf } from '#web/lib/errors.ts';

type ConfirmDialogProps = {
  title: string;
  /** The question, and what would be lost. */
  question: string;
  consequence?: string;
  confirmLabel: string;
  busyLabel?: string;
  /** Above the reason when it fails. */
  failure?: string;
  confirm: () => Promise<unknown>;
  onDone: () => void;
  onCancel: () => void;
};

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { busyLabel = 'Deleting...', failure = 'Error' } = props;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  function press() {
    setBusy(true);
    setProblem(undefined);
    props
      .confirm()
      .then(props.onDone)
      .catch((error: unknown) => setProblem(messageOf(error)))
      .finally(() => setBusy(false));
  }
  return (
    <Dialog open onOpenChange={props.onCancel} title={props.title} description={props.question}>
      <div className="grid gap-6">
        {props.consequence && <p className="text-pretty">{props.consequence}</p>}
        {problem && (
          <Alert tone="danger" title={failure}>
            {problem}
          </Alert>
        )}
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button data-first-focus variant="secondary" onClick={props.onCancel}>
            Cancel
          </Button>
          <Button variant="danger" busy={isBusy} onClick={press}>
            {isBusy ? busyLabel : props.confirmLabel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
