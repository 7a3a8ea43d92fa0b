import { Undo2 } from 'lucide-react';
import { lazy, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import type { ClockShift } from './clock-event.ts';
import { canUndoClockIn } from './duty-status.ts';
import type { ClockControls } from './use-clock.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await import('#web/components/ui/confirm-dialog.tsx')).ConfirmDialog,
}));

const TITLE = 'Clocked in by mistake?';

type UndoClockInProps = {
  shift: ClockShift;
  now: number;
  clock: ClockControls['clock'];
};

export function UndoClockIn({ shift, now, clock }: UndoClockInProps) {
  const [isAsking, setAsking] = useState(false);
  if (!canUndoClockIn(shift, now)) return null;
  return (
    <>
      <Button variant="secondary" className="min-h-12 w-full" onClick={() => setAsking(true)}>
        <Undo2 aria-hidden="true" className="size-4" /> I clocked in by mistake
      </Button>
      {isAsking && (
        <LazyPart fallback={<Opening title={TITLE} />} onClose={() => setAsking(false)}>
          <ConfirmDialog
            title={TITLE}
            confirmLabel="Take Clock-In Back"
            onConfirm={() => clock({ kind: 'withdraw', shift, position: undefined })}
            onClose={() => setAsking(false)}
          >
            You are then no longer on duty at {shift.site_name}, and the time since you clocked in
            does not count. It stays on record that you clocked in and took it back.
          </ConfirmDialog>
        </LazyPart>
      )}
    </>
  );
}
