import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { fromLocalInput, toLocalInput } from '#web/lib/format/dates.ts';
import type { ClockShift } from './clock-event.ts';
import { ShiftFacts } from './shift-facts.tsx';

type ForgottenClockOutProps = {
  shift: ClockShift;
  /** Milliseconds since 1970. */
  now: number;
  busy: boolean;
  onClock: (enteredAt: number) => Promise<void>;
};

export function ForgottenClockOut({ shift, now, busy, onClock }: ForgottenClockOutProps) {
  const { timezone, clock_in_at } = shift;
  const [value, setValue] = useState(toLocalInput(shift.end_time, timezone));
  const [error, setError] = useState<string>();

  async function send() {
    const at = Date.parse(fromLocalInput(value, timezone) ?? '');
    if (Number.isNaN(at)) setError('Enter the date and time');
    else if (at > now) setError('This time is in the future');
    else if (clock_in_at && at < Date.parse(clock_in_at)) setError('This is before you clocked in');
    else await onClock(at);
  }

  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <ShiftFacts shift={shift} />
      <p>
        <span className="block font-semibold">You did not clock out of this shift.</span>
        Enter when you left. Your supervisor will see that you entered the time yourself.
      </p>
      <Field label="When did you leave?" error={error}>
        {(control) => (
          <Input
            {...control}
            type="datetime-local"
            className="min-h-12 text-base"
            value={value}
            onChange={(event) => {
              setValue(event.target.value);
              setError(undefined);
            }}
          />
        )}
      </Field>
      <Button type="submit" busy={busy} className="min-h-16 w-full text-lg">
        Clock Out
      </Button>
    </form>
  );
}
