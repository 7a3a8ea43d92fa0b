import type { ReactNode } from 'react';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

type ConfirmDialogProps = {
  title: string;
  /** What will happen. */
  children: ReactNode;
  confirmLabel: string;
  /** Where "Cancel" would be ambiguous. */
  cancelLabel?: string;
  /** Title of the toast after success. */
  success?: string;
  onConfirm: () => Promise<unknown>;
  /** Called after success and after cancelling. */
  onClose: () => void;
};

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, cancelLabel = 'Cancel' } = props;
  const { success, onConfirm, onClose } = props;
  const { save, busy } = useSave({ success });
  const confirm = async () => {
    if (await save(onConfirm)) onClose();
  };
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <div className="text-pretty">{children}</div>
      <div className="mt-7 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button data-first-focus variant="secondary" onClick={onClose}>
          {cancelLabel}
        </Button>
        <Button variant="danger" busy={busy} onClick={confirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
