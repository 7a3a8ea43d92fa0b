import { formatCount } from '#shared/count.ts';
import { Card } from '#web/components/ui/card.tsx';
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { cn } from '#web/lib/cn.ts';
import { toDay, today } from '#web/lib/format/dates.ts';
import { daysOfWeek, formatDayOfWeek } from '#web/lib/format/days.ts';
import { formatShortHours } from './shift-times.ts';
import { describeAbsence } from './staffing.ts';
import type { Duty, GuardWeek } from './week-api.ts';
import { WeekHead } from './week-head.tsx';

/** A week, before overtime is due (Decent Work Act of Liberia). */
const USUAL_HOURS = 48;

type OpenShift = (shiftId: string) => void;

function DutyMark({ duty, onOpen }: { duty: Duty; onOpen: OpenShift }) {
  const absence = describeAbsence(duty);
  const { id, sites } = duty.shifts;
  return (
    <button
      type="button"
      onClick={() => onOpen(id)}
      className={cn(
        'block w-full rounded-xs border-l-3 border-info bg-info/8 px-1.5 py-1 text-left text-[0.8125rem] leading-tight hover:bg-info/16',
        absence && 'border-danger bg-danger/12 text-danger',
      )}
    >
      <span className="block whitespace-nowrap tabular-nums">
        {formatShortHours({ ...duty.shifts, timezone: sites.timezone })}
      </span>
      <span className="line-clamp-2">{absence ?? sites.name}</span>
    </button>
  );
}

function GuardHours({ hours }: { hours: number }) {
  const isOver = hours > USUAL_HOURS;
  return (
    <span className={cn('block font-normal text-muted tabular-nums', isOver && 'text-warning')}>
      {formatCount(Math.round(hours))} h{isOver && `, over ${USUAL_HOURS} h`}
    </span>
  );
}

type GuardRowsProps = { plan: GuardWeek; monday: string; onOpen: OpenShift };

const dutiesOn = (plan: GuardWeek, guardId: string, day: string) =>
  plan.duties.filter(
    ({ user_id, shifts }) => user_id === guardId && toDay(shifts.start_time) === day,
  );

/** A row for each guard, a column for each day. */
export function WeekGuards({ plan, monday, onOpen }: GuardRowsProps) {
  const days = daysOfWeek(monday);
  const now = today();
  return (
    <Card>
      <ScrollRegion label="Week of guards">
        <table aria-label="Week of guards" className="w-full table-fixed text-left text-sm">
          <WeekHead
            corner={{ name: 'Guard', className: 'w-44 py-3' }}
            days={days}
            dayClass="px-2 font-semibold"
          >
            {formatDayOfWeek}
          </WeekHead>
          <tbody>
            {plan.guards.map((guard) => (
              <tr key={guard.id} className="border-t border-line">
                <th scope="row" className="py-2 pr-2 pl-4 align-top font-semibold">
                  <PersonLink id={guard.id} name={guard.name} />
                  <GuardHours hours={guard.hours} />
                </th>
                {days.map((day) => (
                  <td key={day} className={cn('p-1 align-top', day === now && 'bg-accent-fill/8')}>
                    <div className="grid gap-1">
                      {dutiesOn(plan, guard.id, day).map((duty) => (
                        <DutyMark key={duty.id} duty={duty} onOpen={onOpen} />
                      ))}
                    </div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Card>
  );
}

export function DayGuards({ plan, day, onOpen }: Omit<GuardRowsProps, 'monday'> & { day: string }) {
  return (
    <ul aria-label={formatDayOfWeek(day)} className="grid grid-cols-1 gap-2">
      {plan.guards.map((guard) => {
        const duties = dutiesOn(plan, guard.id, day);
        return (
          <li key={guard.id}>
            <Card className="p-3">
              <p className="flex justify-between gap-3 font-semibold">
                <PersonLink id={guard.id} name={guard.name} /> <GuardHours hours={guard.hours} />
              </p>
              {duties.length === 0 && <p className="text-sm text-muted">Free</p>}
              <div className="mt-1 grid gap-1 *:min-h-11">
                {duties.map((duty) => (
                  <DutyMark key={duty.id} duty={duty} onOpen={onOpen} />
                ))}
              </div>
            </Card>
          </li>
        );
      })}
    </ul>
  );
}
