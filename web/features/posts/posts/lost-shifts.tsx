import { formatCount } from '#shared/count.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import type { Outcome } from './schema.ts';

const SHOWN = 12;

type LostShiftsProps = {
  outcome: Outcome;
  /** IANA name of the site's zone. */
  zone: string;
};

/** Which future shifts a change removes, those with guards by name. */
export function LostShifts({ outcome, zone }: LostShiftsProps) {
  const { removed, guards, removed_shifts, made } = outcome;
  const stay = outcome.protected;
  const shown = removed_shifts.slice(0, SHOWN);
  const others = removed - shown.length;
  return (
    <div className="grid gap-3">
      <p>
        {guards === 0
          ? 'No guard is assigned to them.'
          : `${guards === 1 ? 'One guard is' : `${formatCount(guards)} guards are`} assigned to some of them, and will get a notice.`}
      </p>
      {shown.length > 0 && (
        <ul className="grid gap-1.5 rounded-sm bg-sunken px-4 py-3 text-sm">
          {shown.map((shift) => (
            <li key={shift.start_time + shift.end_time} className="flex flex-wrap gap-x-3">
              <span className="font-semibold whitespace-nowrap tabular-nums">
                {formatDateTime(shift.start_time, zone)}
              </span>
              <span>{shift.guards.join(', ')}</span>
            </li>
          ))}
          {others > 0 && <li className="text-muted">and {formatCount(others)} more</li>}
        </ul>
      )}
      <p className="text-sm text-muted">
        {made > 0 && `${formatCount(made)} new shifts are made. `}
        {stay > 0 &&
          `${formatCount(stay)} with manual changes or a clock-in ${stay === 1 ? 'stays' : 'stay'}. `}
        This can't be undone.
      </p>
    </div>
  );
}
