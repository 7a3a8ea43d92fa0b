import { LocateFixed, MapPin, MapPinOff } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Spinner } from '#web/components/ui/spinner.tsx';
import { Textarea } from '#web/components/ui/textarea.tsx';
import { ageOf } from './duty-status.ts';
import type { Position } from './record-clock-event.ts';

export type Located =
  | { state: 'locating' }
  | { state: 'found'; position: Position }
  | { state: 'failed' };

/** A cold start of the receiver takes half a minute on old phones. */
const PATIENCE_MS = 30_000;
const OLDEST_MS = 15_000;

/**
 * @param onFailure called when the device gives no location: refused, switched off, or none found in 30 seconds
 * @returns what is known, and the call that tries again
 */
export function usePosition(onFailure: () => void): [Located, () => void] {
  const [located, setLocated] = useState<Located>({ state: 'locating' });
  const [round, setRound] = useState(0);
  const fail = useEffectEvent(onFailure);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is a new try
  useEffect(() => {
    setLocated({ state: 'locating' });
    function giveUp() {
      // What was found before is still true; its age is shown.
      setLocated((known) => (known.state === 'found' ? known : { state: 'failed' }));
      fail();
    }
    if (!('geolocation' in navigator)) {
      giveUp();
      return;
    }
    const watch = navigator.geolocation.watchPosition(
      ({ coords, timestamp }) => {
        const { latitude, longitude, accuracy } = coords;
        setLocated({ state: 'found', position: { latitude, longitude, accuracy, at: timestamp } });
      },
      giveUp,
      { enableHighAccuracy: true, timeout: PATIENCE_MS, maximumAge: OLDEST_MS },
    );
    return () => navigator.geolocation.clearWatch(watch);
  }, [round]);

  return [located, () => setRound((known) => known + 1)];
}

export function LocationLine({ located, onRetry }: { located: Located; onRetry: () => void }) {
  if (located.state === 'locating') {
    return (
      <p className="flex min-h-12 items-center gap-3">
        <Spinner className="size-5" /> Getting your location...
      </p>
    );
  }
  if (located.state === 'failed') {
    return (
      <div className="flex flex-wrap items-center gap-3">
        <MapPinOff aria-hidden="true" className="size-6 shrink-0" />
        <p className="min-w-40 flex-1">
          <span className="block font-semibold">No location</span>
          Switch on location for this browser, then try again.
        </p>
        <Button variant="secondary" onClick={onRetry}>
          <LocateFixed aria-hidden="true" className="size-4" /> Try again
        </Button>
      </div>
    );
  }
  const { latitude, longitude, accuracy, at } = located.position;
  return (
    <div className="flex items-start gap-3">
      <MapPin aria-hidden="true" className="mt-0.5 size-6 shrink-0" />
      <p className="tabular-nums">
        <span className="block font-semibold">
          {latitude.toFixed(4)}, {longitude.toFixed(4)}
        </span>
        Accurate to {Math.round(accuracy)} m, {ageOf((Date.now() - at) / 1000)}
      </p>
    </div>
  );
}

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
