import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import type { StoredFile } from '#web/lib/outbox/entry.ts';
import { dropFile, retryFile } from '#web/lib/outbox/outbox.ts';
import { useProgress } from '#web/lib/outbox/progress.ts';

type UploadProgressProps = {
  name: string;
  /** 0 to 1. */
  share: number;
};

export function UploadProgress({ name, share }: UploadProgressProps) {
  const percent = Math.round(share * 100);
  return (
    <span className="flex items-center gap-2">
      <progress
        aria-label={`${name} sent`}
        value={percent}
        max={100}
        className="h-1.5 min-w-0 flex-1 appearance-none overflow-hidden rounded-full bg-sunken accent-accent-fill [&::-moz-progress-bar]:bg-accent-fill [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent-fill"
      />
      <span className="w-10 shrink-0 text-right tabular-nums">
        {share === 1 ? 'Sent' : `${percent}%`}
      </span>
    </span>
  );
}

type FileStateProps = { entryId: string; file: StoredFile };

function Refused({ entryId, file: { name, label, reason } }: FileStateProps) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <p className="break-words text-danger">Not accepted. {reason}</p>
      <div className="mt-1 flex flex-wrap gap-2">
        <Button
          variant="secondary"
          className="px-4"
          aria-label={`Send again: ${label}`}
          onClick={() => void retryFile(entryId, name)}
        >
          Send again
        </Button>
        <Button
          variant="danger-ghost"
          className="px-4"
          aria-label={`Leave out: ${label}`}
          onClick={() => setAsked(true)}
        >
          Leave out
        </Button>
      </div>
      {isAsked && (
        <ConfirmDialog
          title="Leave this file out?"
          confirmLabel="Leave out"
          onConfirm={() => dropFile(entryId, name)}
          onClose={() => setAsked(false)}
        >
          <span className="break-words">{label}</span> is not stored on the server and will be
          deleted from this device. The other files stay.
        </ConfirmDialog>
      )}
    </>
  );
}

export function FileState({ entryId, file }: FileStateProps) {
  const share = useProgress(file.name);
  if (file.state === 'refused') return <Refused entryId={entryId} file={file} />;
  if (file.state === 'sent') {
    return (
      <p className="flex items-center gap-1.5 text-success">
        <CircleCheck aria-hidden="true" className="size-4" /> Sent
      </p>
    );
  }
  if (share !== undefined) return <UploadProgress name={file.label} share={share} />;
  return (
    <p className="break-words text-muted">{['Waiting', file.reason].filter(Boolean).join('. ')}</p>
  );
}
