import { UserX } from 'lucide-react';
import { useState } from 'react';
import { NoShowForm } from '#web/components/form/no-show-form.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { useNoShow } from './api.ts';

/** As in the database: a no-show can be marked from then on. */
const LEAD_MS = 4 * 60 * 60 * 1000;

type NoShowProps = {
  assignmentId: string;
  name: string;
  status: string;
  hasClockedIn: boolean;
  /** When the guard is due; null if unknown. */
  expected: string | null;
};

/** In a wrapping line about a guard: marks that they did not come, with a form below the line, or takes that back. */
export function NoShow({ assignmentId, name, status, hasClockedIn, expected }: NoShowProps) {
  const [isMarking, setMarking] = useState(false);
  const noShow = useNoShow();
  const { save, busy } = useSave({
    success: 'No-show Undone',
    failure: 'The no-show was not undone',
  });
  const undo = () => save(() => noShow.undo(assignmentId));
  const isDue = expected !== null && Date.parse(expected) - LEAD_MS < Date.now();
  const mayMark = isDue && !hasClockedIn && (status === 'assigned' || status === 'confirmed');
  if (status === 'no_show' && !hasClockedIn) {
    return (
      <Button variant="ghost" busy={busy} aria-label={`Undo no-show of ${name}`} onClick={undo}>
        Undo
      </Button>
    );
  }
  if (!mayMark) return null;
  return (
    <>
      <Button
        variant="danger-ghost"
        size="icon"
        title="Mark as no-show"
        aria-label={`Mark ${name} as no-show`}
        aria-expanded={isMarking}
        onClick={() => setMarking(!isMarking)}
      >
        <UserX aria-hidden="true" className="size-4" />
      </Button>
      {isMarking && (
        <div className="basis-full pt-3 pb-2">
          <NoShowForm
            name={name}
            mark={(reason) => noShow.mark(assignmentId, reason)}
            undo={() => void undo()}
            onDone={() => setMarking(false)}
          />
        </div>
      )}
    </>
  );
}
