// After a location error: clocking in or out all the same, with a reason that a supervisor reads.
import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/textarea.tsx';

const LONGEST = 500;

type WithoutLocationProps = {
  kind: 'in' | 'out';
  busy: boolean;
  onClock: (reason: string) => Promise<boolean>;
};

/** Down to its button, which a short screen has below its edge. */
function showWhole(form: HTMLFormElement | null) {
  form?.scrollIntoView({ block: 'end' });
}

export function WithoutLocation({ kind, busy, onClock }: WithoutLocationProps) {
  const [isAsked, setAsked] = useState(false);
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const label = `Clock ${kind} without location`;

  async function send() {
    if (reason.trim() === '') {
      setError('Say why there is no location');
      return;
    }
    if (await onClock(reason.trim())) setAsked(false);
  }

  if (!isAsked) {
    return (
      <Button variant="secondary" className="min-h-12 w-full" onClick={() => setAsked(true)}>
        {label}
      </Button>
    );
  }
  return (
    <form
      noValidate
      ref={showWhole}
      className="grid scroll-mb-5 gap-4 border-t border-line pt-5"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <p>Your supervisor will see this and the reason.</p>
      <Field label="Why is there no location?" error={error}>
        {(control) => (
          <Textarea
            {...control}
            autoFocus
            rows={2}
            maxLength={LONGEST}
            value={reason}
            onChange={(event) => {
              setReason(event.target.value);
              setError(undefined);
            }}
          />
        )}
      </Field>
      <Button type="submit" busy={busy} className="min-h-14 w-full text-base">
        {label}
      </Button>
    </form>
  );
}
