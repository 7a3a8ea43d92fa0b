import { MapPin, MapPinOff, TriangleAlert } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import type { LocationState } from '#web/lib/position/use-position.ts';
import type { ClockShift } from './clock-event.ts';
import {
  distanceFrom,
  formatDistance,
  isImprecise,
  isOutsideFence,
  notSure,
} from './post-distance.ts';

/** The reason, before the browser asks. */
export function AskForLocation({ onAllow }: { onAllow: () => void }) {
  return (
    <div className="rounded-sm border border-line bg-sunken p-4">
      <p className="text-sm text-pretty">
        Your location shows your supervisor that you are at your post. It is read while this page is
        open, and stored when you clock in or out.
      </p>
      <Button variant="secondary" className="mt-3 w-full sm:w-auto" onClick={onAllow}>
        <MapPin aria-hidden="true" className="size-4" /> Use my location
      </Button>
    </div>
  );
}

type HintProps = { shift: ClockShift; location: LocationState };

/** Shows the position before the tap. */
export function LocationHint({ shift, location }: HintProps) {
  if (location.state === 'unasked') return null;
  if (location.state === 'locating') {
    return (
      <p className="flex items-center gap-2 text-sm text-muted">
        <Spinner className="size-4" /> Getting your location...
      </p>
    );
  }
  if (location.state === 'failed') {
    return (
      <p className="flex items-center gap-2 text-sm">
        <MapPinOff aria-hidden="true" className="size-4 shrink-0" />
        No location. You can still clock in or out, with a reason.
      </p>
    );
  }
  const distance = distanceFrom(shift, location.position);
  if (distance === undefined) return null;
  if (isOutsideFence(shift, location.position)) {
    return (
      <p className="flex items-center gap-2 text-sm font-semibold text-warning">
        <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
        {formatDistance(distance)} away: your supervisor will see this
      </p>
    );
  }
  if (isImprecise(location.position)) {
    return (
      <p className="flex items-center gap-2 text-sm font-semibold text-warning">
        <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
        {notSure(location.position)}
      </p>
    );
  }
  return (
    <p className="flex items-center gap-2 text-sm text-muted">
      <MapPin aria-hidden="true" className="size-4 shrink-0 text-success" />
      {formatDistance(distance)} from post
    </p>
  );
}
