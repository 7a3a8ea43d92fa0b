// Everything of the signed-in person that the server does not have yet, in the order in which it was made.
import { Card } from '#web/components/ui/card.tsx';
import { sendNow } from '#web/lib/outbox/sending.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { Button } from '../ui/button.tsx';
import { WaitingEntry } from './waiting-entry.tsx';

export function WaitingList() {
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
