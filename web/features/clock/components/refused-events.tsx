// Clock events that the server refused: kept with the reason, to be sent again or, after a question, thrown away.
import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { discard, retry } from '#web/lib/outbox/outbox.ts';

function RefusedEvent({ entry }: { entry: OutboxEntry }) {
  const [busy, setBusy] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const again = () => {
    setBusy(true);
    void retry(entry.id).finally(() => setBusy(false));
  };
  return (
    <li className="grid gap-2 py-3">
      <p>
        <span className="block font-semibold break-words">{entry.title}</span>
        {entry.reason}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" busy={busy} onClick={again}>
          Send again
        </Button>
        <Button variant="ghost" onClick={() => setAsked(true)}>
          Discard
        </Button>
      </div>
      {isAsked && (
        <ConfirmDialog
          title="Discard this clock event?"
          confirmLabel="Discard"
          onConfirm={() => discard(entry.id)}
          onClose={() => setAsked(false)}
        >
          It was never stored and can't be brought back. If it is right, tell your supervisor first.
        </ConfirmDialog>
      )}
    </li>
  );
}

export function RefusedEvents({ entries }: { entries: readonly OutboxEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <section aria-label="Not accepted" className="rounded-sm border border-danger px-4 py-3">
      <h3 className="font-semibold">Not accepted</h3>
      <ul className="divide-y divide-line">
        {entries.map((entry) => (
          <RefusedEvent key={entry.id} entry={entry} />
        ))}
      </ul>
    </section>
  );
}
