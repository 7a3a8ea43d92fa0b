// What is asked before clocking in long before the shift, and before leaving long before its end.
import { useState } from 'react';
import * as limits from '#shared/database.limits.ts';
import { ReasonChips } from '#web/components/form/reason-chips.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/input.tsx';
import { formatMinutes } from '#web/lib/format/dates.ts';
import type { ClockShift } from './clock-event.ts';
import { formatClockTime } from './duty-status.ts';

type QuestionProps = {
  shift: ClockShift;
  now: number;
  /** Whole minutes until the start or the end of the shift. */
  minutes: number;
  onClose: () => void;
};

export function EarlyClockIn({
  shift,
  now,
  minutes,
  onConfirm,
  onClose,
}: QuestionProps & { onConfirm: () => Promise<void> }) {
  const start = formatClockTime(shift.start_time, shift.timezone, now);
  return (
    <ConfirmDialog
      title={`Your shift starts in ${formatMinutes(minutes)}. Clock in now?`}
      confirmLabel="Clock In"
      cancelLabel="Not Yet"
      variant="primary"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      You are paid from {start}, when your shift at {shift.site_name} starts. The time before it is
      paid only if your supervisor approves it.
    </ConfirmDialog>
  );
}

const COMMON_REASONS = ['My relief is here', 'I am ill', 'Sent home', 'Emergency at home'];

export function EarlyClockOut({
  shift,
  now,
  minutes,
  onConfirm,
  onClose,
}: QuestionProps & { onConfirm: (reason: string) => Promise<void> }) {
  const [common, setCommon] = useState<string>();
  const [words, setWords] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function send() {
    const reason = [common, words.trim()].filter(Boolean).join('. ');
    if (reason === '') {
      setError('Say why you leave early');
      return;
    }
    setBusy(true);
    await onConfirm(reason.slice(0, limits.CLOCK_EVENTS_REASON_MAX)).finally(() => setBusy(false));
    onClose();
  }
  return (
    <Dialog open onOpenChange={onClose} title={`${formatMinutes(minutes)} left. Clock out now?`}>
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void send();
        }}
      >
        <p className="text-pretty">
          Your shift at {shift.site_name} ends at{' '}
          {formatClockTime(shift.end_time, shift.timezone, now)}. Your supervisor will see that you
          left early, and why.
        </p>
        <ReasonChips
          reasons={COMMON_REASONS}
          chosen={common}
          onChoose={(reason) => {
            setCommon(reason);
            setError(undefined);
          }}
        />
        <Field label="Why do you leave early?" error={error}>
          {(control) => (
            <Textarea
              {...control}
              rows={2}
              maxLength={limits.CLOCK_EVENTS_REASON_MAX}
              value={words}
              onChange={(event) => {
                setWords(event.target.value);
                setError(undefined);
              }}
            />
          )}
        </Field>
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          {/* Not the field, whose keyboard would cover the rest. */}
          <Button data-first-focus variant="secondary" onClick={onClose}>
            Stay Clocked In
          </Button>
          <Button type="submit" variant="danger" busy={isBusy}>
            Clock Out
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
