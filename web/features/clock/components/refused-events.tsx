// Clock events that the server refused, beside the button that made them.
import { WaitingEntry } from '#web/components/outbox/waiting-entry.tsx';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';

export function RefusedEvents({ entries }: { entries: readonly OutboxEntry[] }) {
  if (entries.length === 0) return null;
  return (
    // Read in sunlight: full ink, like all of this screen.
    <ul className="divide-y divide-line rounded-sm border border-danger [&_.text-danger]:text-ink [&_.text-muted]:text-ink">
      {entries.map((entry) => (
        <WaitingEntry key={entry.id} entry={entry} />
      ))}
    </ul>
  );
}
