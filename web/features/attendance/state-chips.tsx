import { formatCount } from '#shared/count.ts';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { cn } from '#web/lib/cn.ts';
import { useAttendanceCounts } from './api.ts';
import {
  type AttendanceState,
  STATE_HINTS,
  STATE_LABELS,
  STATES,
  URGENT_STATES,
  WORKLISTS,
} from './attendance-states.ts';
import type { AttendanceSearch } from './schema.ts';

type StateChipsProps = {
  search: AttendanceSearch;
  onState: (state: AttendanceState | undefined) => void;
};

/** Filters with their counts; one line that scrolls sideways on a phone. */
export function StateChips({ search: { day, site, state: chosen }, onState }: StateChipsProps) {
  const query = useAttendanceCounts({ day, site });
  return (
    <Loaded query={query} loadingText="Counting...">
      {(counts) => (
        <ul
          aria-label="States"
          className="-mx-4 mb-4 flex gap-2 overflow-x-auto px-4 py-0.5 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0 print:hidden"
        >
          {STATES.map((state) => {
            const count = counts.get(state) ?? 0;
            const isOfEveryDay = day === undefined && WORKLISTS.includes(state);
            const isUrgent = count > 0 && URGENT_STATES.includes(state);
            return (
              <li key={state} className="shrink-0">
                <button
                  type="button"
                  aria-pressed={state === chosen}
                  title={`${STATE_HINTS[state]}${isOfEveryDay ? ', every day' : ''}`}
                  onClick={() => onState(state === chosen ? undefined : state)}
                  className={cn(
                    'flex min-h-11 items-center gap-2 rounded-full border border-line bg-raised px-3.5 text-sm whitespace-nowrap hover:border-line-strong sm:min-h-9',
                    count === 0 && 'text-muted',
                    state === chosen && 'border-accent-fill bg-accent-fill/12 font-semibold',
                  )}
                >
                  {STATE_LABELS[state]}
                  <span className={cn('font-semibold tabular-nums', isUrgent && 'text-danger')}>
                    {formatCount(count)}
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </Loaded>
  );
}
