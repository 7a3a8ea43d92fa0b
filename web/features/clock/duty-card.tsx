import { Clock4, ShieldCheck, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import { useLoadFailure } from '#web/components/ui/use-load-failure.ts';
import { cn } from '#web/lib/cn.ts';
import { formatDateTime, formatTimeRange } from '#web/lib/format/dates.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import type { ClockShift } from './clock-event.ts';
import { clockShiftsQuery } from './clock-shifts.ts';
import { type DutyStatus, formatClockTime, NO_FURTHER_SHIFT, NO_SHIFT } from './duty-status.ts';
import { UndoClockOut } from './undo-clock-out.tsx';
import { useClock, useDutyStatus } from './use-clock.ts';

const STYLES = {
  in: { Icon: ShieldCheck, box: 'border-success/45 bg-success/10', icon: 'text-success' },
  out: { Icon: Clock4, box: 'border-line bg-raised shadow-panel', icon: 'text-muted' },
  forgotten: { Icon: TriangleAlert, box: 'border-warning/45 bg-warning/12', icon: 'text-warning' },
};

function placeAndTime({ site_name, start_time, end_time, timezone }: ClockShift): string {
  return `${site_name}, ${formatTimeRange(start_time, end_time, timezone)}`;
}

/** @returns the headline and the lines below it */
function statusLines(duty: DutyStatus, now: number): [title: string, ...lines: string[]] {
  if (duty.state === 'in') {
    const { shift, isForgotten, following } = duty;
    const { clock_in_at, end_time, timezone, site_name, waiting } = shift;
    const nextShift = following
      ? [`Today's shift: ${placeAndTime(following)}. Clock out of the earlier shift first.`]
      : [];
    if (isForgotten) {
      return [
        'You did not clock out',
        `Your shift at ${site_name} ended at ${formatClockTime(end_time, timezone, now)}. Open Clock In/Out and enter when you left.`,
        ...nextShift,
      ];
    }
    const since = clock_in_at ? formatClockTime(clock_in_at, timezone, now) : '';
    const suffix = waiting ? ' — waiting to send' : '';
    const isOver = Date.parse(end_time) < now;
    return [
      'You are clocked in',
      `Since ${since} at ${site_name}${suffix}`,
      ...(isOver ? nextShift : []),
    ];
  }
  const { last, available, next } = duty;
  const upcoming = available[0]
    ? `Your shift: ${placeAndTime(available[0])}`
    : next && `Next shift: ${placeAndTime(next)}`;
  return [
    'You are not clocked in',
    ...(last?.waiting ? [`Clocked out at ${last.site_name} — waiting to send`] : []),
    upcoming ?? (last ? NO_FURTHER_SHIFT : NO_SHIFT),
  ];
}

export function DutyCard({ userId }: { userId: string }) {
  const { query, duty, now, refused } = useDutyStatus(userId);
  const { clock } = useClock(userId);
  const { data: loaded, isFetching } = query;
  const { reason, retry } = useLoadFailure(query, 'Error');
  const key = useMemo(() => clockShiftsQuery(userId).queryKey, [userId]);
  useLiveTable('attendance', key);
  const isForgotten = duty?.state === 'in' && duty.isForgotten;
  const { Icon, box, icon } = STYLES[isForgotten ? 'forgotten' : (duty?.state ?? 'out')];
  const [title, ...lines] = duty ? statusLines(duty, now) : [];
  return (
    <section
      aria-label="On duty"
      className={cn('flex items-start gap-4 rounded-sm border p-5 sm:p-6', box)}
    >
      <Icon aria-hidden="true" className={cn('mt-0.5 size-7 shrink-0', icon)} />
      <div className="min-w-0 flex-1">
        <div role="status">
          {!duty && !reason && (
            <p className="flex min-h-8 items-center gap-3 text-muted">
              <Spinner /> Checking whether you are clocked in...
            </p>
          )}
          {!duty && reason && (
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
          {duty && loaded?.isCached && (
            <p className="mt-1 text-sm text-muted">
              Last updated {formatDateTime(new Date(loaded.at).toISOString())}
            </p>
          )}
        </div>
        {duty?.state === 'out' && duty.last && (
          <div className="mt-4 empty:hidden sm:max-w-xs">
            <UndoClockOut shift={duty.last} now={now} clock={clock} />
          </div>
        )}
      </div>
    </section>
  );
}
