import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { formatCount } from '#shared/count.ts';
import { cn } from '#web/lib/cn.ts';
import { toDay } from '#web/lib/format/dates.ts';
import { formatName, formatShortName } from '#web/lib/format/person-name.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { formatShortHours } from './shift-times.ts';
import { describeAbsence, judgeStaffing } from './staffing.ts';
import type { WeekPlan, WeekShift } from './week-api.ts';

/** @returns a lookup of the shifts that start at a site on a day (company time zone), in order of time */
export function groupShifts(plan: WeekPlan): (siteId: string, day: string) => WeekShift[] {
  const groups = new Map<string, WeekShift[]>();
  for (const shift of plan.shifts) {
    const key = `${shift.site_id} ${toDay(shift.start_time)}`;
    groups.set(key, [...(groups.get(key) ?? []), shift]);
  }
  return (siteId, day) => groups.get(`${siteId} ${day}`) ?? [];
}

const ICONS = { full: CircleCheck, partial: TriangleAlert, none: CircleAlert } as const;

const STYLES = {
  full: 'text-muted',
  partial: 'border-l-warning bg-warning/12 text-warning font-semibold',
  none: 'border-l-danger bg-danger/12 text-danger font-semibold',
} as const;

const MAX_NAMES = 3;

/** The guards who count towards the headcount. */
function Names({ shift }: { shift: WeekShift }) {
  const guards = shift.assignments.filter(
    (assignment) => assignment.status !== 'cancelled' && !describeAbsence(assignment),
  );
  const more = guards.length - MAX_NAMES;
  return (
    <>
      {guards.slice(0, more === 1 ? MAX_NAMES + 1 : MAX_NAMES).map(({ id, profiles }) => (
        <span
          key={id}
          // A day is as wide as its hours, whatever the names of its guards.
          className="block min-w-22 truncate font-normal text-ink contain-inline-size"
          title={formatName(profiles)}
        >
          {formatShortName(profiles)}
        </span>
      ))}
      {more > 1 && <span className="block font-normal text-muted">and {more} more</span>}
    </>
  );
}

export function ShiftMark({ shift }: { shift: WeekShift }) {
  const staffing = judgeStaffing(shift);
  const Icon = ICONS[staffing];
  return (
    <span
      className={cn(
        'block border-l-3 border-transparent px-1.5 py-1 text-left text-[0.8125rem] leading-tight',
        STYLES[staffing],
      )}
    >
      <span className="block whitespace-nowrap">{formatShortHours(shift)}</span>
      <span className="flex items-center gap-1 tabular-nums">
        <Icon aria-hidden="true" className="size-3.5 shrink-0" />
        {shift.assigned}/{shift.required_headcount}
        <span className="sr-only">{STATUS_LABELS[staffing]}</span>
      </span>
      <Names shift={shift} />
    </span>
  );
}

type DayTotalProps = { total: ReturnType<WeekPlan['totals']['get']> };

export function DayTotal({ total }: DayTotalProps) {
  if (!total || total.shifts === 0) return <span className="font-normal text-muted">-</span>;
  return (
    <span className={cn(total.assigned < total.required && 'text-warning')}>
      {formatCount(total.assigned)}/{formatCount(total.required)}
      <span className="sr-only"> guards assigned</span>
    </span>
  );
}
