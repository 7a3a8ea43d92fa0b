import { useMemo } from 'react';
import { formatCount } from '#shared/count.ts';
import { Card } from '#web/components/ui/card.tsx';
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import { cn } from '#web/lib/cn.ts';
import { today } from '#web/lib/format/dates.ts';
import { daysOfWeek, formatDayOfWeek } from '#web/lib/format/days.ts';
import type { WeekPlan } from './week-api.ts';
import { DayTotal, groupShifts, ShiftMark } from './week-cells.tsx';
import { WeekHead } from './week-head.tsx';

type WeekTableProps = {
  plan: WeekPlan;
  monday: string;
  onOpen: (day: string, siteId?: string) => void;
};

export function WeekTable({ plan, monday, onOpen }: WeekTableProps) {
  const shiftsAt = useMemo(() => groupShifts(plan), [plan]);
  const days = daysOfWeek(monday);
  const now = today();
  return (
    <Card>
      <ScrollRegion label="Week">
        <table aria-label="Week" className="w-full border-collapse text-left text-sm">
          <WeekHead corner={{ name: 'Site', className: 'py-2' }} days={days} dayClass="px-1">
            {(day) => (
              <button
                type="button"
                onClick={() => onOpen(day)}
                className="min-h-11 min-w-11 px-1.5 text-left font-semibold whitespace-nowrap underline-offset-4 hover:underline"
              >
                {formatDayOfWeek(day)}
              </button>
            )}
          </WeekHead>
          <tbody>
            {plan.sites.map((site) => (
              <tr key={site.id} className="border-t border-line">
                <th
                  scope="row"
                  className="max-w-44 min-w-28 py-2 pr-2 pl-4 align-top font-semibold [overflow-wrap:anywhere]"
                >
                  <SiteLink id={site.id} name={site.name} />
                  <span className="block font-normal text-muted">{site.client_name}</span>
                </th>
                {days.map((day) => {
                  const shifts = shiftsAt(site.id, day);
                  return (
                    <td
                      key={day}
                      className={cn('h-px p-1 align-top', day === now && 'bg-accent-fill/8')}
                    >
                      {shifts.length > 0 && (
                        <button
                          type="button"
                          onClick={() => onOpen(day, site.id)}
                          className="grid size-full min-h-11 content-start gap-1 rounded-xs hover:bg-ink/8"
                        >
                          <span className="sr-only">
                            {site.name}, {formatDayOfWeek(day)}:
                          </span>
                          {shifts.map((shift) => (
                            <ShiftMark key={shift.id} shift={shift} />
                          ))}
                        </button>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
          <tfoot className="border-t-2 border-line-strong bg-sunken">
            <tr>
              <th scope="row" className="py-3 pr-2 pl-4 font-semibold">
                {plan.total === 1 ? '1 site' : `All ${formatCount(plan.total)} sites`}
              </th>
              {days.map((day) => (
                <td key={day} className="px-2.5 py-3 font-semibold tabular-nums">
                  <DayTotal total={plan.totals.get(day)} />
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </ScrollRegion>
    </Card>
  );
}
