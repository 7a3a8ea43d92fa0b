// "I am fine": appears when a welfare check is near, on every screen of the staff portal.

import { HeartPulse } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { useServerNow } from '#web/lib/clock/use-server-now.ts';
import { cn } from '#web/lib/cn.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import { WELFARE_KIND } from '#web/lib/outbox/kinds.ts';
import { deviceTime } from '#web/lib/outbox/outbox.ts';
import { submitForm, waitingText } from '#web/lib/outbox/submit.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { useWelfareChecks } from './api.ts';
import { useSignal } from './use-signal.ts';
import { countdown, type DueCheck, dueCheck, readAnswers } from './welfare.ts';

const TICK_MS = 1_000;
/** Milliseconds of vibration and pause. */
const PATTERN = [400, 200, 400];
const VIBRATE_EVERY_MS = 60_000;

export function WelfareCard({ userId }: { userId: string }) {
  const { data: checks = [] } = useWelfareChecks(userId);
  const { waiting, isRead } = useOutbox();
  const now = useServerNow(TICK_MS, checks.length > 0);
  useSignal(checks.length > 0, waiting.length);
  const due = isRead && now !== undefined ? dueCheck(checks, readAnswers(waiting), now) : undefined;
  // No live region around what counts every second.
  return (
    <div className="mx-auto w-full max-w-7xl px-4 sm:px-8">
      {due && now !== undefined && <DueWelfare userId={userId} due={due} now={now} />}
    </div>
  );
}

type DueWelfareProps = { userId: string; due: DueCheck; now: number };

function DueWelfare({ userId, due: { check, dueAt }, now }: DueWelfareProps) {
  const [isBusy, setBusy] = useState(false);
  const isDue = now >= dueAt;
  useEffect(() => {
    if (!isDue) return;
    const vibrate = () => navigator.vibrate?.(PATTERN);
    vibrate();
    const timer = setInterval(vibrate, VIBRATE_EVERY_MS);
    return () => clearInterval(timer);
  }, [isDue]);

  async function answer() {
    setBusy(true);
    try {
      const { at, offsetMs } = await deviceTime();
      const outcome = await submitForm({
        id: crypto.randomUUID(),
        userId,
        kind: WELFARE_KIND,
        title: `I am fine, ${check.site_name}`,
        payload: { assignmentId: check.assignment_id, deviceAt: at, offsetMs },
      });
      showSuccess('Thank you', waitingText(outcome));
    } catch (error) {
      showError('Error', describeError(error));
    } finally {
      setBusy(false);
    }
  }

  const minutes = Math.floor((now - dueAt) / 60_000);
  const late = minutes < 120 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
  return (
    <section
      aria-label="Welfare check"
      className={cn(
        'mt-4 grid gap-4 rounded-sm border p-4 sm:grid-cols-[1fr_18rem] sm:items-center sm:p-5',
        isDue ? 'border-danger/50 bg-danger/8' : 'border-accent-fill/60 bg-accent-fill/12',
      )}
    >
      <div className="flex items-start gap-3">
        <HeartPulse
          aria-hidden="true"
          className={cn('mt-0.5 size-6 shrink-0', isDue ? 'text-danger' : 'text-accent')}
        />
        <div className="min-w-0">
          <p role="status" className="text-lg leading-snug font-semibold">
            {isDue ? 'Are you fine?' : 'A welfare check is coming'}
          </p>
          <p className="mt-0.5 break-words">{check.site_name}</p>
          <p className="tabular-nums">
            {formatTime(new Date(dueAt).toISOString(), check.timezone)}
            {isDue ? minutes > 0 && `, ${late}` : `, in ${countdown(dueAt - now)}`}
          </p>
          {!isDue && !('vibrate' in navigator) && (
            <p className="mt-1 text-sm text-muted">
              This browser doesn’t vibrate when it is time: watch the clock.
            </p>
          )}
        </div>
      </div>
      <Button busy={isBusy} className="min-h-16 w-full text-lg" onClick={() => void answer()}>
        I am fine
      </Button>
    </section>
  );
}
