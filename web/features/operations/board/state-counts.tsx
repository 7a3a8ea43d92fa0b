import { formatCount } from '#shared/count.ts';
import { Explained } from '#web/components/ui/explained.tsx';
import { cn } from '#web/lib/cn.ts';
import { WORD_HINTS } from '#web/lib/vocabulary/duty-words.ts';
import type { Counts } from './board-rows.ts';
import { SEAT_STATES } from './operations-search.ts';
import type { SeatState } from './seat-states.ts';
import { MARKS } from './state-marks.tsx';

/** Words of the counts where they differ from a seat's. */
const WORDS: Partial<Record<SeatState, string>> = {
  due: 'Due within 2 h',
  empty: 'Empty seats',
};

const wordOf = (state: SeatState) => WORDS[state] ?? MARKS[state].label;

/** What each state means, beside the heading of the board. */
export const StateWords = () => (
  <Explained
    label="What the states mean"
    words={SEAT_STATES.map((state) => [wordOf(state), WORD_HINTS[state]] as const)}
  />
);

type StateCountsProps = {
  counts: Counts;
  chosen: SeatState | undefined;
  onChoose: (state: (typeof SEAT_STATES)[number] | undefined) => void;
};

/** How many seats are in each state; pressing one shows only its posts. */
export function StateCounts({ counts, chosen, onChoose }: StateCountsProps) {
  return (
    <fieldset className="grid grid-cols-2 gap-2 sm:grid-cols-3 lg:grid-cols-4 xl:flex xl:[&>button]:flex-1">
      <legend className="sr-only">Show posts by state</legend>
      {SEAT_STATES.filter((state) => state !== 'sos' || counts.sos > 0 || chosen === 'sos').map(
        (state) => {
          const { Icon, text } = MARKS[state];
          const count = counts[state];
          const isQuiet = count === 0;
          return (
            <button
              key={state}
              type="button"
              aria-pressed={chosen === state}
              title={WORD_HINTS[state]}
              onClick={() => onChoose(chosen === state ? undefined : state)}
              className={cn(
                'flex min-h-14 items-start gap-2 rounded-sm border border-line bg-raised px-2.5 py-2 text-left shadow-panel hover:border-line-strong aria-pressed:border-accent aria-pressed:bg-chosen 2xl:gap-2.5 2xl:px-3',
                // Phones show first the states that need a guard.
                isQuiet && chosen !== state && 'max-sm:hidden',
              )}
            >
              <Icon
                aria-hidden="true"
                className={cn('size-6 shrink-0', isQuiet ? 'text-muted' : text)}
              />
              <span className="min-w-0">
                <span
                  className={cn(
                    'block font-display text-2xl leading-none tabular-nums',
                    isQuiet ? 'text-muted' : text,
                  )}
                >
                  {formatCount(count)}
                </span>
                <span className="block text-sm leading-snug text-balance">{wordOf(state)}</span>
              </span>
            </button>
          );
        },
      )}
    </fieldset>
  );
}
