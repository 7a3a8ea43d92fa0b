// The first thing that a guard must know: whether they are clocked in, since when and where.
import { Clock4, ShieldCheck } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import { LastUpdated } from '#web/components/ui/last-updated.tsx';
import { Spinner } from '#web/components/ui/spinner.tsx';
import { cn } from '#web/lib/cn.ts';
import { messageOf } from '#web/lib/errors.ts';
import { dayOf, formatDateTime, formatTime, formatTimeRange, today } from '#web/lib/format.ts';
import { useCurrentShift } from '../api/my-current-shift.ts';

type Current = NonNullable<ReturnType<typeof useCurrentShift>['data']>;

function explain(shift: Current | null): string {
  if (!shift) return 'No shift assigned for today';
  const { site_name, start_time, end_time, timezone, clock_in_at, may_clock_in } = shift;
  if (clock_in_at) {
    const since =
      dayOf(clock_in_at) === today()
        ? formatTime(clock_in_at, timezone)
        : formatDateTime(clock_in_at);
    return `Since ${since} at ${site_name}`;
  }
  const what = may_clock_in ? 'Your shift' : 'Next shift';
  return `${what}: ${site_name}, ${formatTimeRange(start_time, end_time, timezone)}`;
}

export function DutyStatus({ userId }: { userId: string }) {
  const query = useCurrentShift(userId);
  const { data, error, isFetching, refetch } = query;
  const isIn = Boolean(data?.clock_in_at);
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
        {data === undefined && !error && (
          <p className="flex min-h-8 items-center gap-3 text-muted">
            <Spinner /> Checking whether you are clocked in...
          </p>
        )}
        {data === undefined && error && (
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
        {data !== undefined && (
          <>
            <p className="font-display text-2xl leading-tight">
              {isIn ? 'You are clocked in' : 'You are not clocked in'}
            </p>
            <p className="mt-1 break-words">{explain(data)}</p>
            <LastUpdated query={query} />
          </>
        )}
      </div>
    </section>
  );
}
