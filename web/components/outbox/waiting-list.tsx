import { type ReactNode, useState } from 'react';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { discard, retry } from '#web/lib/outbox/outbox.ts';
import { sendNow } from '#web/lib/outbox/sending.ts';
import { useEntryFiles, useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { FileState } from './file-state.tsx';
import { UnsentAlert } from './unsent-alert.tsx';

export function EntryFiles({ entry: { id, title } }: { entry: OutboxEntry }) {
  const files = useEntryFiles(id);
  if (files.length === 0) return null;
  return (
    <ul aria-label={`Files of ${title}`} className="mt-3 grid grid-cols-1 gap-2 text-sm">
      {files.map((file) => (
        <li key={file.name} className="rounded-sm border border-line px-3 py-2">
          <p className="truncate font-medium">{file.label}</p>
          <FileState entryId={id} file={file} />
        </li>
      ))}
    </ul>
  );
}

export function WaitingEntry({ entry }: { entry: OutboxEntry }) {
  const { id, title, state, reason, madeAt, isStored } = entry;
  const [isBusy, setBusy] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const isRefused = state === 'refused';
  const again = () => {
    setBusy(true);
    void retry(id).finally(() => setBusy(false));
  };
  return (
    <li className="px-4 py-4 sm:px-5">
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 font-semibold break-words">{title}</h2>
        <Badge tone={isRefused ? 'red' : 'orange'}>
          {isRefused ? 'Not accepted' : 'Waiting to send'}
        </Badge>
      </div>
      <p className="mt-0.5 text-sm text-muted">
        {formatDateTime(new Date(madeAt).toISOString())}, by this device’s clock
      </p>
      {reason && <p className="mt-1 break-words">{reason}</p>}
      <EntryFiles entry={entry} />
      {isRefused && !isStored && (
        <div className="mt-2 -mb-2 flex flex-wrap gap-2">
          <Button
            variant="secondary"
            busy={isBusy}
            onClick={again}
            aria-label={`Send again: ${title}`}
          >
            Send again
          </Button>
          <Button
            variant="danger-ghost"
            onClick={() => setAsked(true)}
            aria-label={`Discard: ${title}`}
          >
            Discard
          </Button>
        </div>
      )}
      {isAsked && (
        <ConfirmDialog
          title="Discard this?"
          confirmLabel="Discard"
          onConfirm={() => discard(id)}
          onClose={() => setAsked(false)}
        >
          {title} is not stored on the server and can't be restored.
        </ConfirmDialog>
      )}
    </li>
  );
}

/** @param help a way to call the control room */
export function WaitingList({ help }: { help: ReactNode }) {
  const { waiting, refused } = useOutbox();
  const entries = [...refused, ...waiting];
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3 sm:px-5">
        <h1 className="font-display text-xl leading-tight">Waiting to send</h1>
        {waiting.length > 0 && (
          <Button variant="secondary" onClick={() => void sendNow()}>
            Send now
          </Button>
        )}
      </div>
      {waiting.length > 0 && <UnsentAlert waiting={waiting} help={help} />}
      {entries.length === 0 ? (
        <p role="status" className="px-4 py-10 text-center text-muted">
          Everything has been sent.
        </p>
      ) : (
        <ul aria-label="Waiting to send" className="divide-y divide-line">
          {entries.map((entry) => (
            <WaitingEntry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
    </Card>
  );
}
