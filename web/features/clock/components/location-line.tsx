// Where the device is: to 4 decimals, how exact, and how old; or that it can't be told.
import { LocateFixed, MapPin, MapPinOff } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import { Spinner } from '#web/components/ui/spinner.tsx';
import { ageOf } from '../times.ts';
import type { Located } from '../use-position.ts';

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
