// Beside the guards: the shifts that nobody has, to be dragged onto a guard's day.
import { GripVertical } from 'lucide-react';
import { useDeferredValue } from 'react';
import { formatDayOfWeek } from '#web/lib/format/days.ts';
import type { BoardShift } from './roster-rows.ts';
import type { RosterStore } from './roster-store.ts';
import { countGaps } from './roster-totals.ts';
import { useTopics } from './topics.ts';

const SHOWN = 60;

type OpenShiftsProps = {
  store: RosterStore;
  /** Only of this day. */
  column: number | undefined;
  isShown: (shift: BoardShift) => boolean;
};

export function OpenShifts({ store, column, isShown }: OpenShiftsProps) {
  useDeferredValue(useTopics(store.topics, 'totals'));
  const day = column === undefined || column < 0 ? undefined : column;
  const open = [...store.index.shifts.values()].filter(
    (shift) =>
      (day === undefined || shift.column === day) &&
      isShown(shift) &&
      !store.isOver(shift.id) &&
      countGaps(store, shift) > 0,
  );
  const title =
    day === undefined ? 'Open shifts' : `Open, ${formatDayOfWeek(store.index.days[day] ?? '')}`;
  return (
    <aside
      aria-label="Open shifts"
      className="w-72 shrink-0 overflow-y-auto rounded-sm border border-line bg-raised p-3 shadow-panel print:hidden"
    >
      <h3 className="font-display text-lg">{title}</h3>
      <p role="status" className="mb-2 text-sm text-muted">
        {store.index.shifts.size === 0
          ? 'No shifts in these weeks.'
          : open.length === 0
            ? 'Nothing is open.'
            : `${open.length} to fill. Drag one onto a guard.`}
      </p>
      <ul aria-label="Open shifts" className="divide-y divide-line">
        {open.slice(0, SHOWN).map((shift) => (
          <li
            key={shift.id}
            data-open-shift={shift.id}
            data-carries
            className="flex cursor-grab items-center gap-2 py-2 text-sm select-none hover:bg-sunken"
          >
            <GripVertical aria-hidden="true" className="size-4 shrink-0 text-muted" />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-semibold">{shift.site.name}</span>
              <span className="block truncate text-xs text-muted">
                {day === undefined && `${formatDayOfWeek(store.index.days[shift.column] ?? '')}, `}
                {`${shift.post}, ${shift.hours}`}
              </span>
            </span>
            <span className="shrink-0 text-xs font-semibold text-danger tabular-nums">
              {countGaps(store, shift)}
            </span>
          </li>
        ))}
      </ul>
    </aside>
  );
}
