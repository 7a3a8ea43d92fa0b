// One thing that waits on this device, or that the server refused: kept with the reason, to be sent again or, after a
// question, thrown away. Where only files are left, that is done for each of them.
import { useState } from 'react';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { discard, retry } from '#web/lib/outbox/outbox.ts';
import { EntryFiles } from './entry-files.tsx';

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
        {formatDateTime(new Date(madeAt).toISOString())}, by the clock of this device
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
          {title} was never stored by the server and can't be brought back.
        </ConfirmDialog>
      )}
    </li>
  );
}
