import type { ReactNode } from 'react';
import { formatCount } from '#shared/count.ts';
import { cn } from '#web/lib/cn.ts';

type Chip<Id> = {
  id: Id;
  label: string;
  /** Its tooltip. */
  hint: string;
  /** Undefined until it is known. */
  count: number | undefined;
  /** A count over 0 is something to act on. */
  isUrgent: boolean;
};

type CountChipsProps<Id extends string> = {
  label: string;
  chips: readonly Chip<Id>[];
  chosen: Id | undefined;
  /** Undefined when the chosen chip is pressed again. */
  onChoose: (id: Id | undefined) => void;
  /** Before the chips, for example what they mean. */
  first?: ReactNode;
};

/** Filters with their counts; one line that scrolls sideways on a phone. */
export function CountChips<Id extends string>(props: CountChipsProps<Id>) {
  const { label, chips, chosen, onChoose, first } = props;
  return (
    <ul
      aria-label={label}
      className="-mx-4 mb-4 flex gap-2 overflow-x-auto px-4 py-0.5 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0 print:hidden"
    >
      {first && <li className="-ml-2 shrink-0">{first}</li>}
      {chips.map((chip) => (
        <li key={chip.id} className="shrink-0">
          <button
            type="button"
            aria-pressed={chip.id === chosen}
            title={chip.hint}
            onClick={() => onChoose(chip.id === chosen ? undefined : chip.id)}
            className={cn(
              'flex min-h-11 items-center gap-2 rounded-full border border-line bg-raised px-3.5 text-sm whitespace-nowrap hover:border-line-strong sm:min-h-9',
              chip.count === 0 && 'text-muted',
              chip.id === chosen && 'border-accent-fill bg-accent-fill/12 font-semibold',
            )}
          >
            {chip.label}
            <span
              className={cn(
                'min-w-2 font-semibold tabular-nums',
                Number(chip.count) > 0 && chip.isUrgent && 'text-danger',
              )}
            >
              {chip.count !== undefined && formatCount(chip.count)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
