// The first thing that a guard must know on opening the portal: whether they are clocked in, since when, and where;
// with what still waits on this device counted in.
import { Clock4, ShieldCheck } from 'lucide-react';
import { useMemo } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Spinner } from '#web/components/ui/spinner.tsx';
import { cn } from '#web/lib/cn.ts';
import { messageOf } from '#web/lib/errors.ts';
import { formatDateTime, formatTimeRange } from '#web/lib/format.ts';
import { useLiveTable } from '#web/lib/realtime.ts';
import { clockShiftsQuery } from './api/list-clock-shifts.ts';
import type { ClockShift } from './shift.ts';
import type { Standing } from './standing.ts';
import { timeOn } from './times.ts';
import { useStanding } from './use-standing.ts';

function placeAndTime({ site_name, start_time, end_time, timezone }: ClockShift): string {
  return `${site_name}, ${formatTimeRange(start_time, end_time, timezone)}`;
}

function explain(standing: Standing, now: number): string {
  if (standing.state === 'in') {
    const { clock_in_at, timezone, site_name, waiting } = standing.shift;
    const since = clock_in_at ? timeOn(clock_in_at, timezone, now) : '';
    return `Since ${since} at ${site_name}${waiting ? ' — waiting to send' : ''}`;
  }
  const { last, fitting, next } = standing;
  if (last?.waiting) return `Clocked out at ${last.site_name} — waiting to send`;
  if (fitting[0]) return `Your shift: ${placeAndTime(fitting[0])}`;
  return next ? `Next shift: ${placeAndTime(next)}` : 'No shift assigned for today';
}

export function DutyStatus({ userId }: { userId: string }) {
  const { query, standing, now, refused } = useStanding(userId);
  const { data: seen, error, isFetching, refetch } = query;
  const key = useMemo(() => clockShiftsQuery(userId).queryKey, [userId]);
  useLiveTable('attendance', key);
  const isIn = standing?.state === 'in';
  const Icon = isIn ? ShieldCheck : Clock4;
  return (
    <section
      aria-label="On duty"
      className={cn(
        'flex items-start gap-4 rounded-sm border p-5 sm:p-6',
        isIn ? 'border-success/45 bg-success/10' : 'border-line bg-raised shadow-panel',
      )}
    >
      <Icon
        aria-hidden="true"
        className={cn('mt-0.5 size-7 shrink-0', isIn ? 'text-success' : 'text-muted')}
      />
      <div role="status" className="min-w-0">
        {!standing && !error && (
          <p className="flex min-h-8 items-center gap-3 text-muted">
            <Spinner /> Checking whether you are clocked in...
          </p>
        )}
        {!standing && error && (
          <>
            <p className="font-semibold">It is not known whether you are clocked in</p>
            <p className="mt-1 text-sm text-muted">{messageOf(error)}</p>
            <Button
              variant="secondary"
              className="mt-3"
              busy={isFetching}
              onClick={() => void refetch()}
            >
              Try again
            </Button>
          </>
        )}
        {standing && (
          <>
            <p className="font-display text-xl leading-tight sm:text-2xl">
              {isIn ? 'You are clocked in' : 'You are not clocked in'}
            </p>
            <p className="mt-1 break-words text-pretty">{explain(standing, now)}</p>
            {refused.map(({ id, title }) => (
              <p key={id} className="mt-1 font-semibold break-words text-danger">
                Not accepted: {title}. Open Clock In/Out to see why.
              </p>
            ))}
            {seen?.isOld && (
              <p className="mt-1 text-sm text-muted">
                Last updated {formatDateTime(new Date(seen.at).toISOString())}
              </p>
            )}
          </>
        )}
      </div>
    </section>
  );
}
