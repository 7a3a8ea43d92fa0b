import { LocateFixed, MapPin, MapPinOff } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/input.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import type { Position } from './record-clock-event.ts';

export type LocationState =
  | { state: 'locating' }
  | { state: 'found'; position: Position }
  | { state: 'failed' };

/** A cold start of the GPS receiver takes half a minute on old phones. */
const TIMEOUT_MS = 30_000;
const MAX_AGE_MS = 15_000;

/**
 * Watches the device's position while the component is mounted.
 * @param onFailure permission denied, location switched off, or no fix within 30 seconds
 * @returns the state and a retry function
 */
export function usePosition(onFailure: () => void): [LocationState, () => void] {
  const [location, setLocation] = useState<LocationState>({ state: 'locating' });
  const [attempt, setAttempt] = useState(0);
  const fail = useEffectEvent(onFailure);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt starts a new watch
  useEffect(() => {
    setLocation({ state: 'locating' });
    function reportFailure() {
      // Keep the last position: its age is shown.
      setLocation((current) => (current.state === 'found' ? current : { state: 'failed' }));
      fail();
    }
    if (!('geolocation' in navigator)) {
      reportFailure();
      return;
    }
    const watch = navigator.geolocation.watchPosition(
      ({ coords, timestamp }) => {
        const { latitude, longitude, accuracy } = coords;
        setLocation({ state: 'found', position: { latitude, longitude, accuracy, at: timestamp } });
      },
      reportFailure,
      { enableHighAccuracy: true, timeout: TIMEOUT_MS, maximumAge: MAX_AGE_MS },
    );
    return () => navigator.geolocation.clearWatch(watch);
  }, [attempt]);

  return [location, () => setAttempt((count) => count + 1)];
}

/** @returns for example "4 s old" or "3 min old" */
export function formatAge(seconds: number): string {
  return seconds < 60
    ? `${Math.max(0, Math.round(seconds))} s old`
    : `${Math.round(seconds / 60)} min old`;
}

export function LocationLine({
  location,
  onRetry,
}: {
  location: LocationState;
  onRetry: () => void;
}) {
  if (location.state === 'locating') {
    return (
      <p className="flex min-h-12 items-center gap-3">
        <Spinner className="size-5" /> Getting your location...
      </p>
    );
  }
  if (location.state === 'failed') {
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
  const { latitude, longitude, accuracy, at } = location.position;
  return (
    <div className="flex items-start gap-3">
      <MapPin aria-hidden="true" className="mt-0.5 size-6 shrink-0" />
      <p className="tabular-nums">
        <span className="block font-semibold">
          {latitude.toFixed(4)}, {longitude.toFixed(4)}
        </span>
        Accurate to {Math.round(accuracy)} m, {formatAge((Date.now() - at) / 1000)}
      </p>
    </div>
  );
}

const MAX_REASON_LENGTH = 500;

type WithoutLocationProps = {
  kind: 'in' | 'out';
  busy: boolean;
  onClock: (reason: string) => Promise<boolean>;
};

/** Short screens would otherwise hide the submit button. */
function scrollToEnd(form: HTMLFormElement | null) {
  form?.scrollIntoView({ block: 'end' });
}

export function WithoutLocation({ kind, busy, onClock }: WithoutLocationProps) {
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const label = `Clock ${kind} without location`;

  async function send() {
    if (reason.trim() === '') {
      setError('Say why there is no location');
      return;
    }
    if (await onClock(reason.trim())) setOpen(false);
  }

  if (!isOpen) {
    return (
      <Button variant="secondary" className="min-h-12 w-full" onClick={() => setOpen(true)}>
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
      <p>Your supervisor will see this and the reason.</p>
      <Field label="Why is there no location?" error={error}>
        {(control) => (
          <Textarea
            {...control}
            autoFocus
            rows={2}
            maxLength={MAX_REASON_LENGTH}
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
