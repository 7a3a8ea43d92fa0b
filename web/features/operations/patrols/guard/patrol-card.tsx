import { lazy, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { useServerNow } from '#web/lib/clock/use-server-now.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';
import { type GuardTour, useGuardTours } from './tours.ts';

const PatrolDialog = lazy(async () => ({
  default: (await import('./patrol-dialog.tsx')).PatrolDialog,
}));

/** Fits on a phone without much scrolling. */
const SHOWN = 2;

function stateOf(tour: GuardTour, now: number): [label: string, tone: Tone] {
  const done = tour.points.filter(({ scanned_at }) => scanned_at !== null).length;
  if (done === tour.points.length) return ['Done', 'green'];
  if (Date.parse(tour.opens_at) > now) return ['Later', 'grey'];
  return [`${done} of ${tour.points.length}`, 'orange'];
}

const keyOf = ({ tour_id, due_at }: GuardTour) => `${tour_id} ${due_at}`;

type Left = { site_name: string; start_time: string; end_time: string };

/** Patrols end with the shift, also while the clock-out waits to be sent. */
function isOfShift({ site_name, due_at }: GuardTour, left: Left): boolean {
  const due = Date.parse(due_at);
  return (
    site_name === left.site_name &&
    due >= Date.parse(left.start_time) &&
    due < Date.parse(left.end_time)
  );
}

type PatrolCardProps = {
  userId: string;
  /** Before duty only a round that can be walked now is shown. */
  isOnDuty: boolean;
  /** The shift that the guard has clocked out of. */
  left: Left | undefined;
};

export function PatrolCard({ userId, isOnDuty, left }: PatrolCardProps) {
  const { tours: all } = useGuardTours(userId);
  const tours = left ? all.filter((one) => !isOfShift(one, left)) : all;
  const [opened, setOpened] = useState<string>();
  const now = useServerNow() ?? serverNow();
  const ahead = tours
    .filter(({ finish_by }) => Date.parse(finish_by) > now)
    .filter(({ opens_at }) => isOnDuty || Date.parse(opens_at) <= now)
    .slice(0, SHOWN);
  const tour = tours.find((one) => keyOf(one) === opened);
  const isWhereTheyAre = isOnDuty && new Set(ahead.map(({ site_name }) => site_name)).size === 1;
  if (ahead.length === 0 && !tour) return null;
  return (
    <section aria-labelledby="patrols">
      <Card>
        <h2
          id="patrols"
          className="border-b border-line px-4 py-2.5 font-display text-xl leading-tight sm:px-5"
        >
          Patrols
        </h2>
        <ul className="divide-y divide-line">
          {ahead.map((one) => {
            const [label, tone] = stateOf(one, now);
            return (
              <li key={keyOf(one)} className="flex min-h-12 items-center gap-3 px-4 py-1.5 sm:px-5">
                <div className="min-w-0 flex-1">
                  <p className="font-semibold break-words">
                    <span className="tabular-nums">{formatTime(one.due_at, one.timezone)}</span>{' '}
                    {one.name}
                  </p>
                  {!isWhereTheyAre && (
                    <p className="text-sm break-words text-muted">{one.site_name}</p>
                  )}
                </div>
                <Badge tone={tone}>{label}</Badge>
                {label !== 'Later' && (
                  <Button
                    variant="secondary"
                    aria-haspopup="dialog"
                    aria-label={`Scan, ${one.name}`}
                    onClick={() => setOpened(keyOf(one))}
                  >
                    Scan
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      </Card>
      {tour && (
        <LazyPart fallback={<Opening title={tour.name} />} onClose={() => setOpened(undefined)}>
          <PatrolDialog userId={userId} tour={tour} onClose={() => setOpened(undefined)} />
        </LazyPart>
      )}
    </section>
  );
}
