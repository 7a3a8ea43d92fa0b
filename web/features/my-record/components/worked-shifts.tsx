// Shifts one by one: where, when the clock was pressed, how long that was, and what was not as it should be.
import { Badge } from '#web/components/ui/badge.tsx';
import { formatMinutes, formatTime, formatWeekday } from '#web/lib/format/dates.ts';
import type { WorkedShift } from '../api/list-my-attendance.ts';
import { exceptionsOf, minutesOf } from '../hours.ts';

function clockTimes({ attendance, shift }: WorkedShift): string {
  if (attendance.length === 0) return '-';
  const { timezone } = shift.site;
  return attendance
    .map(({ clock_in_at, clock_out_at }) => {
      const out = clock_out_at ? formatTime(clock_out_at, timezone) : '...';
      return `${formatTime(clock_in_at, timezone)} - ${out}`;
    })
    .join(', ');
}

type WorkedShiftsProps = { label: string; shifts: WorkedShift[]; now: Date };

export function WorkedShifts({ label, shifts, now }: WorkedShiftsProps) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {shifts.map((worked) => {
        const { id, shift } = worked;
        const exceptions = exceptionsOf(worked, now);
        return (
          <li key={id} className="grid grid-cols-[1fr_auto] gap-x-4 px-4 py-3.5 sm:px-5">
            <p className="font-semibold">
              {formatWeekday(shift.start_time, shift.site.timezone)}
              <span className="block text-sm font-normal break-words text-muted">
                {shift.site.name}
              </span>
            </p>
            <p className="text-right tabular-nums">
              <span className="font-semibold">{formatMinutes(minutesOf(worked))}</span>
              <span className="block text-sm text-muted">{clockTimes(worked)}</span>
            </p>
            {exceptions.length > 0 && (
              <ul aria-label="Exceptions" className="col-span-2 mt-1.5 flex flex-wrap gap-1.5">
                {exceptions.map((words) => (
                  <li key={words}>
                    <Badge tone={words === 'Corrected' ? 'blue' : 'orange'}>{words}</Badge>
                  </li>
                ))}
              </ul>
            )}
          </li>
        );
      })}
    </ul>
  );
}
