import { useMemo } from 'react';
import { formatCount } from '#shared/count.ts';
import { DayButtons } from '#web/components/list/day-buttons.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import { formatDayOfWeek } from '#web/lib/format/days.ts';
import type { WeekPlan } from './week-api.ts';
import { DayTotal, groupShifts, ShiftMark } from './week-cells.tsx';

type WeekDayProps = {
  plan: WeekPlan;
  monday: string;
  /** The displayed day, yyyy-MM-dd. */
  day: string;
  onDay: (day: string) => void;
  onOpen: (day: string, siteId?: string) => void;
};

export function WeekDay({ plan, monday, day, onDay, onOpen }: WeekDayProps) {
  const shiftsAt = useMemo(() => groupShifts(plan), [plan]);
  return (
    <>
      <DayButtons monday={monday} day={day} onDay={onDay} />
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-display text-xl">{formatDayOfWeek(day)}</h3>
        <p className="text-sm tabular-nums">
          <span className="text-muted">
            {plan.total === 1 ? '1 site' : `All ${formatCount(plan.total)} sites`}:{' '}
          </span>
          <DayTotal total={plan.totals.get(day)} />
        </p>
      </div>
      <ul aria-label={formatDayOfWeek(day)} className="grid grid-cols-1 gap-2">
        {plan.sites.map((site) => {
          const shifts = shiftsAt(site.id, day);
          return (
            <li key={site.id}>
              <Card className="relative p-3">
                <p className="relative z-1 w-fit max-w-full font-semibold [overflow-wrap:anywhere]">
                  <SiteLink id={site.id} name={site.name} />
                </p>
                {shifts.length === 0 ? (
                  <p className="text-sm text-muted">No shifts</p>
                ) : (
                  <button
                    type="button"
                    onClick={() => onOpen(day, site.id)}
                    className="mt-1 grid min-h-11 w-full grid-cols-2 gap-1 after:absolute after:inset-0"
                  >
                    {shifts.map((shift) => (
                      <ShiftMark key={shift.id} shift={shift} />
                    ))}
                  </button>
                )}
              </Card>
            </li>
          );
        })}
      </ul>
    </>
  );
}
