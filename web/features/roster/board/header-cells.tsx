import { format, parseISO } from 'date-fns';
import { cn } from '#web/lib/cn.ts';
import { today } from '#web/lib/format/dates.ts';
import { formatDayOfWeek } from '#web/lib/format/days.ts';
import type { RosterStore } from './roster-store.ts';

type HeaderCellsProps = {
  store: RosterStore;
  title: string;
  /** Undefined until they are known. */
  gapsOn: readonly number[] | undefined;
  isNarrow: boolean;
  onSelectDay: (column: number) => void;
  onFillDay: (column: number) => void;
};

export function HeaderCells(props: HeaderCellsProps) {
  const { store, title, gapsOn, isNarrow, onSelectDay, onFillDay } = props;
  const now = today();
  const holidays = new Map(store.input.holidays.map(({ day, name }) => [day, name]));
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a virtualised grid can't be a table. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: nothing can be done with it. */}
      <div
        role="columnheader"
        aria-colindex={1}
        className="sticky left-0 z-21 flex items-end border-r border-line-strong/50 bg-sunken px-3 pb-1.5 text-[0.8125rem] font-semibold text-muted"
      >
        {title}
      </div>
      {store.index.days.map((day, column) => {
        const date = parseISO(day);
        const holiday = holidays.get(day);
        const gaps = gapsOn?.[column] ?? 0;
        const isWeekend = date.getDay() % 6 === 0;
        return (
          // biome-ignore lint/a11y/useSemanticElements: a virtualised grid can't be a table.
          // biome-ignore lint/a11y/useFocusableInteractive: its button takes the focus.
          <div
            key={day}
            role="columnheader"
            aria-colindex={column + 2}
            aria-current={day === now ? 'date' : undefined}
            data-first-column={column === 0 || undefined}
            title={[formatDayOfWeek(day), holiday].filter(Boolean).join(', ')}
            className={cn(
              'flex min-w-0 flex-col justify-center border-r border-line px-2 text-[0.8125rem] leading-tight',
              isNarrow && 'items-center px-0',
              isWeekend && 'bg-ink/4',
              holiday && 'bg-accent-fill/18',
              day === now && 'inset-shadow-[0_3px_0_var(--accent-fill)]',
              isNarrow && date.getDay() === 1 && column > 0 && 'border-l-2 border-l-line-strong',
            )}
          >
            <button
              type="button"
              onClick={() => onSelectDay(column)}
              aria-label={[`Select ${formatDayOfWeek(day)}`, holiday].filter(Boolean).join(', ')}
              className="min-h-6 min-w-6 truncate rounded-xs text-left underline-offset-2 hover:underline"
            >
              <span className="font-semibold">{format(date, isNarrow ? 'EEEEE' : 'EEE')}</span>{' '}
              <span className="tabular-nums">{format(date, isNarrow ? 'd' : 'MMM d')}</span>
            </button>
            <span className="flex min-h-6 min-w-0 gap-1.5 text-xs leading-6">
              {gaps > 0 && (
                <button
                  type="button"
                  onClick={() => onFillDay(column)}
                  aria-label={`Fill ${gaps} open on ${formatDayOfWeek(day)}`}
                  className="min-h-6 min-w-6 shrink-0 rounded-xs text-left font-semibold text-danger tabular-nums underline-offset-2 hover:underline"
                >
                  {isNarrow ? gaps : `${gaps} open`}
                </button>
              )}
              {!isNarrow && holiday && (
                <span className="truncate font-semibold text-accent">{holiday}</span>
              )}
              {!isNarrow && !holiday && gapsOn && gaps === 0 && (
                <span className="text-muted">Filled</span>
              )}
            </span>
          </div>
        );
      })}
    </>
  );
}
