import { Clock4, ShieldCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Spinner } from '#web/components/ui/loading.tsx';
import { RetryButton } from '#web/components/ui/retry-button.tsx';
import { useLoadFailure } from '#web/components/ui/use-load-failure.ts';
import { cn } from '#web/lib/cn.ts';
import {
  formatDateTime,
  formatMinutes,
  formatTimeRange,
  formatWeekday,
} from '#web/lib/format/dates.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { useKeptHeight } from '#web/lib/render/kept-height.ts';
import type { ClockShift } from './clock-event.ts';
import { waitingMark } from './clock-outcome.ts';
import { clockShiftsQuery } from './clock-shifts.ts';
import { DutyAction } from './duty-action.tsx';
import {
  type DutyStatus,
  formatClockTime,
  NO_FURTHER_SHIFT,
  NO_SHIFT,
  workedMinutes,
} from './duty-status.ts';
import { findTiming } from './duty-timing.ts';
import { ShiftHours } from './shift-facts.tsx';
import { UndoClockIn } from './undo-clock-in.tsx';
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

function whatFollows(upcoming: ClockShift | undefined): string {
  if (!upcoming) return 'No other shift is planned for you yet.';
  const { site_name, start_time, timezone } = upcoming;
  const day = formatWeekday(start_time, timezone).slice(0, 3);
  return `Your next shift: ${day}, ${formatDateTime(start_time, timezone)}, ${site_name}.`;
}

/** Beside a shift that waits for its guard, the hours of the last one need their time. */
const untilOf = ({ clock_out_at, timezone }: ClockShift, now: number) =>
  clock_out_at ? ` until ${formatClockTime(clock_out_at, timezone, now)}` : '';

/** @returns the headline and the lines below it; the shift itself is shown separately */
function statusLines(
  duty: DutyStatus,
  upcoming: ClockShift | undefined,
  now: number,
): [title: string, ...lines: string[]] {
  if (duty.state === 'in') {
    const { shift, isForgotten, following } = duty;
    const { clock_in_at, end_time, timezone, site_name } = shift;
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
    const isOver = Date.parse(end_time) < now;
    return [
      'You are clocked in',
      `Since ${since}${waitingMark(shift)}`,
      ...(isOver ? nextShift : []),
    ];
  }
  const { last, available, next } = duty;
  const worked = last && workedMinutes(last);
  const withdrawn = available.find(({ waiting }) => waiting === 'withdraw');
  return [
    'You are not clocked in',
    ...(withdrawn
      ? [`Clock-in at ${withdrawn.site_name} taken back${waitingMark(withdrawn)}`]
      : []),
    ...(last?.waiting ? [`Clocked out at ${last.site_name}${waitingMark(last)}`] : []),
    // Beside a shift that waits for its guard, the hours of the last one need their time.
    ...(last && worked !== undefined
      ? [`You worked ${formatMinutes(worked)}${available[0] ? untilOf(last, now) : ''}.`]
      : []),
    ...(available[0] || next ? [] : [last ? NO_FURTHER_SHIFT : NO_SHIFT]),
    ...(last && !available[0] && !next ? [whatFollows(upcoming)] : []),
  ];
}

type DutyShiftProps = {
  duty: DutyStatus;
  now: number;
  /** An event in progress or just recorded: nothing moves under a second tap. */
  acted: ClockShift | undefined;
};

/** The shift that the card is about: site, hours, and the time as it is felt. */
function DutyShift({ duty, now, acted }: DutyShiftProps) {
  const current = duty.state === 'in' ? duty.shift : (duty.available[0] ?? duty.next);
  const shift = acted ?? current;
  if (!shift || (duty.state === 'in' && duty.isForgotten)) return null;
  const isPast = shift.assignment_id !== current?.assignment_id;
  const timing = isPast ? { text: 'Clocked out', isLate: false } : findTiming(duty, now);
  const { site_name, start_time, timezone } = shift;
  return (
    <div className="mt-3 border-t border-line pt-3 sm:mt-4 sm:pt-4">
      <p className="font-display text-2xl leading-tight break-words">{site_name}</p>
      <p className="mt-1 text-balance tabular-nums">
        {formatWeekday(start_time, timezone).slice(0, 3)}, <ShiftHours shift={shift} />
      </p>
      {timing && (
        <p
          className={cn(
            'mt-1.5 font-semibold text-balance tabular-nums',
            timing.isLate && 'text-warning',
          )}
        >
          {/* A line ends between two sentences rather than after the hyphen of "Clock-in". */}
          {timing.text.split(/(?<=\. )/).map((sentence) => (
            <span key={sentence} className="inline-block whitespace-pre-wrap">
              {sentence}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

type UnknownProps = { reason: string | undefined; onRetry: () => Promise<unknown> };

/** Shown until it is known whether the guard is clocked in. */
function DutyUnknown({ reason, onRetry }: UnknownProps) {
  if (reason === undefined) {
    return (
      // As high as a shift with its button, which most guards open this page for: nothing moves under a finger.
      <p className="flex min-h-60 items-start gap-3 text-muted md:min-h-38">
        <Spinner /> Checking whether you are clocked in...
      </p>
    );
  }
  return (
    <>
      <p className="font-semibold">
        We can't tell yet whether you're clocked in. Check your connection.
      </p>
      <p className="mt-1 text-sm text-muted">{reason}</p>
      <RetryButton className="mt-3" onRetry={onRetry} />
    </>
  );
}

type FrameProps = {
  style: keyof typeof STYLES;
  status: ReactNode;
  shift?: ReactNode;
  action?: ReactNode;
  isLoaded?: boolean;
};

function CardFrame({ style, status, shift, action, isLoaded = true }: FrameProps) {
  const { Icon, box, icon } = STYLES[style];
  const { ref, minHeight } = useKeptHeight('duty-card', isLoaded);
  return (
    <section
      ref={ref}
      style={{ minHeight }}
      aria-label="On duty"
      className={cn('rounded-sm border p-4 sm:p-6', box)}
    >
      <div className="grid gap-x-10 gap-y-4 md:grid-cols-[1fr_17rem] lg:grid-cols-[1fr_22rem]">
        <div className="min-w-0">
          <div className="flex items-start gap-3">
            <Icon aria-hidden="true" className={cn('mt-0.5 size-6 shrink-0', icon)} />
            <div className="min-w-0 flex-1">{status}</div>
          </div>
          {shift}
        </div>
        <div className="grid gap-3 empty:hidden md:self-end">{action}</div>
      </div>
    </section>
  );
}

export function DutyCard({ userId }: { userId: string }) {
  const { query, duty, upcoming, now, refused } = useDutyStatus(userId);
  const controls = useClock(userId);
  const { data: loaded } = query;
  const { reason, retry } = useLoadFailure(query, 'Error');
  useLiveTable(ownRows(userId, 'attendance', 'assignments'), clockShiftsQuery(userId).queryKey);
  if (!duty) {
    return (
      <CardFrame
        style="out"
        isLoaded={false}
        status={
          <div role="status">
            <DutyUnknown reason={reason} onRetry={retry} />
          </div>
        }
      />
    );
  }
  const isForgotten = duty.state === 'in' && duty.isForgotten;
  const [title, ...lines] = statusLines(duty, upcoming, now);
  const isActing = controls.pendingKind !== undefined || controls.doneKind !== undefined;
  return (
    <CardFrame
      style={isForgotten ? 'forgotten' : duty.state}
      status={
        <div role="status">
          <p className="text-lg leading-snug font-semibold">{title}</p>
          {lines.map((line) => (
            <p key={line} className="mt-0.5 break-words text-pretty">
              {line}
            </p>
          ))}
          {refused.map(({ id, title: entry }) => (
            <p key={id} className="mt-1 font-semibold break-words text-danger">
              Not accepted: {entry}. Open Clock In/Out to see why.
            </p>
          ))}
          {loaded?.isCached && (
            <p className="mt-1 text-sm text-muted">
              Last updated {formatDateTime(new Date(loaded.at).toISOString())}
            </p>
          )}
        </div>
      }
      shift={<DutyShift duty={duty} now={now} acted={isActing ? controls.shift : undefined} />}
      action={
        <>
          <DutyAction userId={userId} duty={duty} now={now} controls={controls} />
          {/* Not where "Clock in without location" was under the thumb a moment ago. */}
          {duty.state === 'in' && !isActing && (
            <UndoClockIn shift={duty.shift} now={now} clock={controls.clock} />
          )}
          {duty.state === 'out' && duty.last && (
            <UndoClockOut shift={duty.last} now={now} clock={controls.clock} />
          )}
        </>
      }
    />
  );
}
