import { Undo2 } from 'lucide-react';
import { lazy, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import type { ClockShift } from './clock-event.ts';
import { canUndoClockOut } from './duty-status.ts';
import type { ClockControls } from './use-clock.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await import('#web/components/ui/confirm-dialog.tsx')).ConfirmDialog,
}));

const TITLE = 'Clocked out by mistake?';

type UndoClockOutProps = {
  shift: ClockShift;
  now: number;
  clock: ClockControls['clock'];
};

export function UndoClockOut({ shift, now, clock }: UndoClockOutProps) {
  const [isAsking, setAsking] = useState(false);
  if (!canUndoClockOut(shift, now)) return null;
  return (
    <>
      <Button variant="secondary" className="min-h-12 w-full" onClick={() => setAsking(true)}>
        <Undo2 aria-hidden="true" className="size-4" /> I clocked out by mistake
      </Button>
      {isAsking && (
        <LazyPart fallback={<Opening title={TITLE} />} onClose={() => setAsking(false)}>
          <ConfirmDialog
            title={TITLE}
            confirmLabel="Undo Clock Out"
            onConfirm={() => clock({ kind: 'reopen', shift, position: undefined })}
            onClose={() => setAsking(false)}
          >
            Your shift at {shift.site_name} goes on as if you had not clocked out. Your supervisor
            will see it.
          </ConfirmDialog>
        </LazyPart>
      )}
    </>
  );
}
