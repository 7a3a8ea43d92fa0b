import { useState } from 'react';
import * as limits from '#shared/database.limits.ts';
import { ReasonChips } from '#web/components/form/reason-chips.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/input.tsx';

const COMMON_REASONS = [
  'No GPS signal',
  'Location is broken',
  'Not my phone',
  'Battery nearly empty',
];

type WithoutLocationProps = {
  kind: 'in' | 'out';
  busy: boolean;
  isOpen: boolean;
  onOpen: () => void;
  onClock: (reason: string) => Promise<void>;
};

/** Short screens would otherwise hide the submit button. */
function scrollToEnd(form: HTMLFormElement | null) {
  form?.scrollIntoView({ block: 'end' });
}

export function WithoutLocation({ kind, busy, isOpen, onOpen, onClock }: WithoutLocationProps) {
  const [common, setCommon] = useState<string>();
  const [words, setWords] = useState('');
  const [error, setError] = useState<string>();
  const label = `Clock ${kind} without location`;

  async function send() {
    const reason = [common, words.trim()]
      .filter(Boolean)
      .join('. ')
      .slice(0, limits.CLOCK_EVENTS_REASON_MAX);
    if (reason === '') {
      setError('Say why there is no location');
      return;
    }
    await onClock(reason);
  }

  if (!isOpen) {
    return (
      <Button variant="secondary" className="min-h-12 w-full" onClick={onOpen}>
        {label}
      </Button>
    );
  }
  return (
    <form
      noValidate
      ref={scrollToEnd}
      className="grid scroll-mb-5 gap-4 border-t border-line pt-5"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <p data-first-focus tabIndex={-1} className="outline-none">
        Your supervisor will see this and the reason.
      </p>
      <ReasonChips
        reasons={COMMON_REASONS}
        chosen={common}
        onChoose={(reason) => {
          setCommon(reason);
          setError(undefined);
        }}
      />
      <Field label="Why is there no location?" error={error}>
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
      <Button type="submit" busy={busy} className="min-h-14 w-full text-base">
        {label}
      </Button>
    </form>
  );
}
