import { ExternalLink, Trash2 } from 'lucide-react';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { useAttachReceipt, useReceiptLink, useRemoveReceipt } from './api.ts';
import type { Expense } from './schema.ts';

/** The bucket's limit. */
const MAX_BYTES = 10 * 1024 * 1024;

function StoredReceipt({ path }: { path: string }) {
  return (
    <Loaded query={useReceiptLink(path)} loadingText="Loading receipt...">
      {(link) => (
        <a
          href={link}
          target="_blank"
          rel="noreferrer"
          className={buttonStyles({ variant: 'secondary', className: 'max-w-full' })}
        >
          <ExternalLink aria-hidden="true" className="size-4" />
          <span className="truncate">{path.split('/').at(-1)}</span>
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      )}
    </Loaded>
  );
}

export function ReceiptDialog({ expense, onClose }: { expense: Expense; onClose: () => void }) {
  const attach = useAttachReceipt();
  const remove = useRemoveReceipt();

  function choose(file: File | undefined) {
    if (!file || attach.isPending) return;
    if (file.size > MAX_BYTES) {
      showError('Error', 'A receipt may have at most 10 MB. Choose a smaller file.');
      return;
    }
    attach
      .mutateAsync({ expense, file })
      .then(() => {
        showSuccess('Receipt attached');
        onClose();
      })
      .catch((error: unknown) => showError('Error', describeError(error)));
  }
  function removeFile() {
    remove
      .mutateAsync(expense)
      .then(() => {
        showSuccess('Receipt removed');
        onClose();
      })
      .catch((error: unknown) => showError('Error', describeError(error)));
  }
  return (
    <Dialog open onOpenChange={onClose} title="Receipt" description={expense.title}>
      <div className="grid gap-6">
        {expense.receipt_path && (
          <div className="flex flex-wrap items-center gap-3">
            <StoredReceipt path={expense.receipt_path} />
            <Button variant="danger-ghost" busy={remove.isPending} onClick={removeFile}>
              {!remove.isPending && <Trash2 aria-hidden="true" className="size-4" />}
              Remove
            </Button>
          </div>
        )}
        <Field
          label={expense.receipt_path ? 'Replace by another file' : 'Attach a file'}
          hint="A photo or a PDF, up to 10 MB"
        >
          {(control) => (
            <Input
              {...control}
              type="file"
              accept="image/*,application/pdf"
              className="p-1.5"
              disabled={attach.isPending}
              onChange={({ target }) => choose(target.files?.[0])}
            />
          )}
        </Field>
        {attach.isPending && (
          <p role="status" className="flex items-center gap-2 text-muted">
            <Spinner className="size-4" /> Attaching the receipt...
          </p>
        )}
      </div>
    </Dialog>
  );
}
