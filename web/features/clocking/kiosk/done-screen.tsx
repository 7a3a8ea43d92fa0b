import { Check, CloudUpload } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { formatTime } from '#web/lib/format/dates.ts';

/** How long the result stays, milliseconds. */
const STAY_MS = 6_000;

export type Done = { kind: 'in' | 'out'; isWaiting: boolean /** ISO 8601. */; at: string };

type DoneScreenProps = { done: Done; zone: string; onClose: () => void };

/** Without a name: the next guard may be looking already. */
export function DoneScreen({ done, zone, onClose }: DoneScreenProps) {
  useEffect(() => {
    const timer = setTimeout(onClose, STAY_MS);
    return () => clearTimeout(timer);
  }, [onClose]);
  const Icon = done.isWaiting ? CloudUpload : Check;
  return (
    <main className="m-auto grid max-w-md justify-items-center gap-5 px-4 py-10 text-center">
      <span
        className={`grid size-24 place-items-center rounded-full ${done.isWaiting ? 'bg-accent-fill/20 text-accent' : 'bg-success/15 text-success'}`}
      >
        <Icon aria-hidden="true" className="size-12" />
      </span>
      <div role="status">
        <h1 className="font-display text-3xl tabular-nums">
          Clocked {done.kind} at {formatTime(done.at, zone)}
        </h1>
        {done.isWaiting && (
          <p className="mt-2 text-lg text-muted">
            Waiting to be sent. Your PIN is checked when this device has a network again.
          </p>
        )}
      </div>
      <Button variant="secondary" onClick={onClose} className="min-h-14 px-8 text-base">
        Back to Names
      </Button>
    </main>
  );
}
