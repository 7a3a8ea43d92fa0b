import { ExternalLink, Paperclip, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import {
  type Documented,
  MAX_DOCUMENT_BYTES,
  useAttachDocument,
  useDocumentLink,
  useRemoveDocument,
} from '#web/lib/files/documents.ts';

/** What the file is called, in the title and in messages, and the button that attaches one. */
const ATTACH_LABELS = {
  Receipt: 'Attach Receipt',
  Document: 'Attach Document',
  Certificate: 'Attach Certificate',
};
type Noun = keyof typeof ATTACH_LABELS;

function StoredDocument({ path, noun }: { path: string; noun: Noun }) {
  return (
    <Loaded query={useDocumentLink(path)} loadingText={`Loading ${noun.toLowerCase()}...`}>
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

type DocumentDialogProps = {
  record: Documented;
  noun: Noun;
  /** Of the record. */
  name: string;
  onClose: () => void;
};

/** Opens, attaches, replaces or removes the file of a record. */
function DocumentDialog({ record, noun, name, onClose }: DocumentDialogProps) {
  const attach = useAttachDocument(record);
  const remove = useRemoveDocument(record);
  const lower = noun.toLowerCase();

  function finish(change: Promise<void>, done: string) {
    change
      .then(() => {
        showSuccess(`${noun} ${done}`);
        onClose();
      })
      .catch((error: unknown) => showError('Error', describeError(error)));
  }
  function choose(file: File | undefined) {
    if (!file || attach.isPending) return;
    if (file.size > MAX_DOCUMENT_BYTES) {
      showError('Error', `A ${lower} may have at most 10 MB. Choose a smaller file.`);
      return;
    }
    finish(attach.mutateAsync(file), 'attached');
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={noun}
      description={name.charAt(0).toUpperCase() + name.slice(1)}
    >
      <div className="grid gap-6">
        {record.path && (
          <div className="flex flex-wrap items-center gap-3">
            <StoredDocument path={record.path} noun={noun} />
            <Button
              variant="danger-ghost"
              busy={remove.isPending}
              onClick={() => finish(remove.mutateAsync(), 'removed')}
            >
              {!remove.isPending && <Trash2 aria-hidden="true" className="size-4" />}
              Remove
            </Button>
          </div>
        )}
        <Field
          label={record.path ? 'Replace by another file' : 'Attach a file'}
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
            <Spinner className="size-4" /> Attaching the {lower}...
          </p>
        )}
      </div>
    </Dialog>
  );
}

type DocumentButtonProps = Omit<DocumentDialogProps, 'onClose'> & {
  variant?: 'secondary' | 'ghost';
};

/** "Receipt" if there is one, else "Attach". */
export function DocumentButton({ variant = 'ghost', ...dialog }: DocumentButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const { record, noun, name } = dialog;
  return (
    <>
      <Button
        variant={variant}
        className={variant === 'ghost' ? 'px-3' : undefined}
        onClick={() => setOpen(true)}
        aria-label={`${record.path ? `${noun} of` : `Attach a ${noun.toLowerCase()} to`} ${name}`}
      >
        <Paperclip aria-hidden="true" className="size-4" />
        {record.path ? noun : variant === 'ghost' ? 'Attach' : ATTACH_LABELS[noun]}
      </Button>
      {isOpen && <DocumentDialog {...dialog} onClose={() => setOpen(false)} />}
    </>
  );
}
