import { Clock4, ShieldCheck, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Spinner } from '#web/components/ui/spinner.tsx';
import { useLoadFailure } from '#web/components/ui/use-load-failure.ts';
import { cn } from '#web/lib/cn.ts';
import { formatDateTime, formatTimeRange } from '#web/lib/format/dates.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import type { ClockShift } from './clock-event.ts';
import { clockShiftsQuery } from './clock-shifts.ts';
import { NO_FURTHER_SHIFT, NO_SHIFT, type Standing, timeOn } from './duty-status.ts';
import { UndoClockOut } from './undo-clock-out.tsx';
import { useClock, useStanding } from './use-clock.ts';

const LOOKS = {
  in: { Icon: ShieldCheck, box: 'border-success/45 bg-success/10', icon: 'text-success' },
  out: { Icon: Clock4, box: 'border-line bg-raised shadow-panel', icon: 'text-muted' },
  forgotten: { Icon: TriangleAlert, box: 'border-warning/45 bg-warning/12', icon: 'text-warning' },
};

function placeAndTime({ site_name, start_time, end_time, timezone }: ClockShift): string {
  return `${site_name}, ${formatTimeRange(start_time, end_time, timezone)}`;
}

/** @returns the headline, and the lines below it */
function explain(standing: Standing, now: number): [title: string, ...lines: string[]] {
  if (standing.state === 'in') {
    const { shift, isForgotten, following } = standing;
    const { clock_in_at, end_time, timezone, site_name, waiting } = shift;
    const then = following
      ? [`Today's shift: ${placeAndTime(following)}. Clock out of the earlier shift first.`]
      : [];
    if (isForgotten) {
      return [
        'You did not clock out',
        `Your shift at ${site_name} ended at ${timeOn(end_time, timezone, now)}. Open Clock In/Out and enter when you left.`,
        ...then,
      ];
    }
    const since = clock_in_at ? timeOn(clock_in_at, timezone, now) : '';
    const suffix = waiting ? ' — waiting to send' : '';
    const isOver = Date.parse(end_time) < now;
    return [
      'You are clocked in',
      `Since ${since} at ${site_name}${suffix}`,
      ...(isOver ? then : []),
    ];
  }
  const { last, fitting, next } = standing;
  const upcoming = fitting[0]
    ? `Your shift: ${placeAndTime(fitting[0])}`
    : next && `Next shift: ${placeAndTime(next)}`;
  return [
    'You are not clocked in',
    ...(last?.waiting ? [`Clocked out at ${last.site_name} — waiting to send`] : []),
    upcoming ?? (last ? NO_FURTHER_SHIFT : NO_SHIFT),
  ];
}

export function DutyStatus({ userId }: { userId: string }) {
  const { query, standing, now, refused } = useStanding(userId);
  const { clock } = useClock(userId);
  const { data: seen, isFetching } = query;
  const { reason, retry } = useLoadFailure(query, 'Error');
  const key = useMemo(() => clockShiftsQuery(userId).queryKey, [userId]);
  useLiveTable('attendance', key);
  const isForgotten = standing?.state === 'in' && standing.isForgotten;
  const { Icon, box, icon } = LOOKS[isForgotten ? 'forgotten' : (standing?.state ?? 'out')];
  const [title, ...lines] = standing ? explain(standing, now) : [];
  return (
    <section
      aria-label="On duty"
      className={cn('flex items-start gap-4 rounded-sm border p-5 sm:p-6', box)}
    >
      <Icon aria-hidden="true" className={cn('mt-0.5 size-7 shrink-0', icon)} />
      <div className="min-w-0 flex-1">
        <div role="status">
          {!standing && !reason && (
            <p className="flex min-h-8 items-center gap-3 text-muted">
              <Spinner /> Checking whether you are clocked in...
            </p>
          )}
          {!standing && reason && (
            <>
              <p className="font-semibold">
                We can't tell yet whether you're clocked in. Check your connection.
              </p>
              <p className="mt-1 text-sm text-muted">{reason}</p>
              <Button variant="secondary" className="mt-3" busy={isFetching} onClick={retry}>
                Try again
              </Button>
            </>
          )}
          {title && <p className="font-display text-xl leading-tight sm:text-2xl">{title}</p>}
          {lines.map((line) => (
            <p key={line} className="mt-1 break-words text-pretty">
              {line}
            </p>
          ))}
          {refused.map(({ id, title: entry }) => (
            <p key={id} className="mt-1 font-semibold break-words text-danger">
              Not accepted: {entry}. Open Clock In/Out to see why.
            </p>
          ))}
          {standing && seen?.isOld && (
            <p className="mt-1 text-sm text-muted">
              Last updated {formatDateTime(new Date(seen.at).toISOString())}
            </p>
          )}
        </div>
        {standing?.state === 'out' && standing.last && (
          <div className="mt-4 empty:hidden sm:max-w-xs">
            <UndoClockOut shift={standing.last} now={now} clock={clock} />
          </div>
        )}
      </div>
    </section>
  );
}
