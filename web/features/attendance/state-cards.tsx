import { formatCount } from '#shared/count.ts';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { cn } from '#web/lib/cn.ts';
import { useAttendanceCounts } from './api.ts';
import {
  type AttendanceState,
  STATE_HINTS,
  STATE_LABELS,
  STATES,
  WORKLISTS,
} from './attendance-states.ts';
import type { AttendanceSearch } from './schema.ts';

type StateCardsProps = {
  search: AttendanceSearch;
  onState: (state: AttendanceState | undefined) => void;
};

export function StateCards({ search: { day, site, state: chosen }, onState }: StateCardsProps) {
  const query = useAttendanceCounts({ day, site });
  return (
    <Loaded query={query} loadingText="Counting...">
      {(counts) => (
        <ul
          aria-label="States"
          className="mb-6 grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-3"
        >
          {STATES.map((state) => {
            const count = counts.get(state) ?? 0;
            const isOfEveryDay = day === undefined && WORKLISTS.includes(state);
            return (
              <li key={state}>
                <button
                  type="button"
                  aria-pressed={state === chosen}
                  onClick={() => onState(state === chosen ? undefined : state)}
                  className={cn(
                    'flex h-full w-full flex-col rounded-sm border border-line bg-raised p-3 text-left shadow-panel hover:border-line-strong',
                    state === chosen && 'border-accent-fill bg-accent-fill/12',
                  )}
                >
                  <span className="text-sm font-semibold">{STATE_LABELS[state]}</span>
                  <span
                    className={cn(
                      'font-display text-3xl leading-tight tabular-nums',
                      count === 0 && 'text-muted',
                    )}
                  >
                    {formatCount(count)}
                  </span>
                  <span className="text-xs text-muted">
                    {STATE_HINTS[state]}
                    {isOfEveryDay && ', every day'}
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
