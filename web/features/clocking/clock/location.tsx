import { LocateFixed, MapPin, MapPinOff, TriangleAlert } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import { cn } from '#web/lib/cn.ts';
import { ageOf, type Position } from '#web/lib/position/locate.ts';
import type { LocationState } from '#web/lib/position/use-position.ts';
import type { ClockShift } from './clock-event.ts';
import { LocationSteps } from './location-steps.tsx';
import { distanceFrom, formatDistance, isOutsideFence } from './post-distance.ts';

/** @returns for example "4 s old" or "3 min old" */
export function formatAge(seconds: number): string {
  return seconds < 60
    ? `${Math.max(0, Math.round(seconds))} s old`
    : `${Math.round(seconds / 60)} min old`;
}

/** The supervisor will see the same: at the post, or how far from it. */
function whereabouts(shift: ClockShift | undefined, position: Position): string {
  const distance = shift && distanceFrom(shift, position);
  if (!shift || distance === undefined) return 'Location found';
  return isOutsideFence(shift, position)
    ? `${formatDistance(distance)} away: your supervisor will see this`
    : `At ${shift.site_name}, ${formatDistance(distance)} from post`;
}

type FoundProps = { shift: ClockShift | undefined; position: Position };

function FoundLocation({ shift, position }: FoundProps) {
  const { latitude, longitude, accuracy } = position;
  const isOutside = shift !== undefined && isOutsideFence(shift, position);
  const Icon = isOutside ? TriangleAlert : MapPin;
  return (
    <div
      className={cn(
        'flex items-start gap-3',
        isOutside && 'rounded-sm border border-warning/60 bg-warning/10 px-4 py-3',
      )}
    >
      <Icon
        aria-hidden="true"
        className={cn('mt-0.5 size-6 shrink-0', isOutside && 'text-warning')}
      />
      <div className="min-w-0">
        <p role="status" className="font-semibold break-words">
          {whereabouts(shift, position)}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-2 text-sm tabular-nums">
          <span>
            {latitude.toFixed(4)}, {longitude.toFixed(4)}
          </span>
          <span>
            Accurate to {Math.round(accuracy)} m, {formatAge(ageOf(position) / 1000)}
          </span>
        </p>
      </div>
    </div>
  );
}

type LocationLineProps = {
  /** The shift to clock in on or out of, if any. */
  shift: ClockShift | undefined;
  location: LocationState;
  onRetry: () => void;
};

export function LocationLine({ shift, location, onRetry }: LocationLineProps) {
  if (location.state === 'found') {
    return <FoundLocation shift={shift} position={location.position} />;
  }
  if (location.state === 'failed') {
    return (
      <div className="grid gap-3">
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
        <LocationSteps />
      </div>
    );
  }
  return (
    <p className="flex min-h-12 items-center gap-3">
      <Spinner className="size-5" />
      <span>
        <span className="block">Getting your location...</span>
        <span className="text-sm">It shows your supervisor that you are at your post.</span>
      </span>
    </p>
  );
}
