// Confirm and Decline below a shift of My Shifts.
import { Check } from 'lucide-react';
import { lazy, type ReactNode, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { OppositeButton } from '#web/components/ui/opposite-button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { waitingText } from '#web/lib/outbox/submit.ts';
import { submitAnswer, waitingAnswer } from './answer.ts';
import type { GuardShift } from './api.ts';
import { noticeKinds } from './duty-notice.ts';

const DeclineDialog = lazy(async () => ({
  default: (await import('./decline-dialog.tsx')).DeclineDialog,
}));

type ShiftAnswerProps = {
  userId: string;
  shift: GuardShift;
  /** Milliseconds since 1970 by the server's clock. */
  now: number;
  /** Entries of the outbox that wait to be sent. */
  waiting: readonly OutboxEntry[];
  children?: ReactNode;
};

export function ShiftAnswer({ userId, shift, now, waiting, children }: ShiftAnswerProps) {
  const [busy, setBusy] = useState<'confirm' | 'undo'>();
  const [isDeclining, setDeclining] = useState(false);
  const queued = waitingAnswer(waiting, shift.id);
  const { status } = shift;
  if (status !== 'assigned' && status !== 'confirmed') return null;
  if (Date.parse(shift.shift.start_time) <= now) return null;
  if (queued === 'decline') return <Queued>Declined. Waiting to send.</Queued>;
  const isConfirmed = queued === 'confirm' || (queued === undefined && status === 'confirmed');
  const at = shift.shift.site.name;
  // "I can't come" below replaces it.
  const isNear = noticeKinds(shift, now).includes('cant_come');

  async function answer(kind: 'confirm' | 'undo') {
    setBusy(kind);
    try {
      const outcome = await submitAnswer(userId, shift, kind);
      if (kind === 'undo') showSuccess('Confirmation Undone', waitingText(outcome));
      else {
        showSuccess('Shift Confirmed', waitingText(outcome), {
          label: 'Undo',
          onPress: () => void answer('undo'),
        });
      }
    } catch (error) {
      showError('Error', describeError(error));
    } finally {
      setBusy(undefined);
    }
  }
  return (
    <>
      <div className="mt-2 flex flex-wrap gap-1 max-sm:*:flex-1 sm:gap-2">
        {isConfirmed ? (
          <OppositeButton
            {...{ spot: `answer ${shift.id}`, action: 'undo', settled: 'Confirmed' }}
            variant="ghost"
            className="px-3 text-muted"
            aria-label={`Undo confirmation, ${at}`}
            busy={busy === 'undo'}
            onClick={() => answer('undo')}
          >
            Undo
          </OppositeButton>
        ) : (
          <OppositeButton
            {...{ spot: `answer ${shift.id}`, action: 'confirm', settled: 'Undone' }}
            className="px-3"
            aria-label={`Confirm, ${at}`}
            busy={busy === 'confirm'}
            onClick={() => answer('confirm')}
          >
            <Check aria-hidden="true" className="size-4" /> Confirm
          </OppositeButton>
        )}
        {!isNear && (
          <Button
            variant={isConfirmed ? 'ghost' : 'secondary'}
            className={isConfirmed ? 'px-3 text-muted' : 'px-3'}
            aria-haspopup="dialog"
            aria-label={`Decline, ${at}`}
            onClick={() => setDeclining(true)}
          >
            Decline
          </Button>
        )}
        {children}
      </div>
      {/* Below, so that the buttons stay where the thumb is. */}
      {queued === 'confirm' && <Queued>Confirmed. Waiting to send.</Queued>}
      {isDeclining && (
        <LazyPart
          fallback={<Opening title="Decline this shift?" />}
          onClose={() => setDeclining(false)}
        >
          <DeclineDialog userId={userId} shift={shift} onClose={() => setDeclining(false)} />
        </LazyPart>
      )}
    </>
  );
}

const Queued = ({ children }: { children: string }) => (
  <p role="status" className="mt-2 text-sm font-semibold text-warning">
    {children}
  </p>
);
