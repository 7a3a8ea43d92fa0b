import { LocateFixed, MapPin, MapPinOff, TriangleAlert } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import { cn } from '#web/lib/cn.ts';
import { ageOf, type Position } from '#web/lib/position/locate.ts';
import type { LocationState } from '#web/lib/position/use-position.ts';
import type { ClockShift } from './clock-event.ts';
import { LocationSteps } from './location-steps.tsx';
import {
  distanceFrom,
  formatAccuracy,
  formatAge,
  formatDistance,
  isImprecise,
  isOld,
  isOutsideFence,
  notSure,
} from './post-distance.ts';

const SEEN = 'your supervisor will see this';

/** The supervisor will see the same: at the post, how far from it, or that the phone does not know. */
function whereabouts(shift: ClockShift | undefined, position: Position): string {
  const distance = shift && distanceFrom(shift, position);
  if (shift && distance !== undefined && isOutsideFence(shift, position))
    return `${formatDistance(distance)} away: ${SEEN}`;
  if (isImprecise(position)) return notSure(position);
  if (!shift || distance === undefined) return 'Location found';
  return `At ${shift.site_name}, ${formatDistance(distance)} from post`;
}

function adviceOn(position: Position): string | undefined {
  if (isOld(position)) return `It is too old to show where you are now. Try again, or ${SEEN}.`;
  if (isImprecise(position))
    return `Go outside, wait a moment, and try again. You can clock in or out as it is: ${SEEN}.`;
  return undefined;
}

type FoundProps = { shift: ClockShift | undefined; position: Position; onRetry: () => void };

function FoundLocation({ shift, position, onRetry }: FoundProps) {
  const { latitude, longitude, accuracy } = position;
  const isOutside = shift !== undefined && isOutsideFence(shift, position);
  const advice = adviceOn(position);
  const isOdd = isOutside || advice !== undefined;
  const Icon = isOdd ? TriangleAlert : MapPin;
  return (
    <div
      className={cn(
        'flex items-start gap-3',
        isOdd && 'rounded-sm border border-warning/60 bg-warning/10 px-4 py-3',
      )}
    >
      <Icon aria-hidden="true" className={cn('mt-0.5 size-6 shrink-0', isOdd && 'text-warning')} />
      <div className="min-w-0">
        <p role="status" className="font-semibold break-words">
          {whereabouts(shift, position)}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-2 text-sm tabular-nums">
          <span>
            {latitude.toFixed(4)}, {longitude.toFixed(4)}
          </span>
          <span>
            Accurate to {formatAccuracy(accuracy)}, {formatAge(ageOf(position) / 1000)}
          </span>
        </p>
        {advice && (
          <>
            <p className="mt-1.5 text-sm text-pretty">{advice}</p>
            <Button variant="secondary" className="mt-3" onClick={onRetry}>
              <LocateFixed aria-hidden="true" className="size-4" /> Try again
            </Button>
          </>
        )}
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
    return <FoundLocation shift={shift} position={location.position} onRetry={onRetry} />;
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
