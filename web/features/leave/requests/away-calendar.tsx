import { format, getISODay, parseISO } from 'date-fns';
import { Card } from '#web/components/ui/card.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Steps } from '#web/components/ui/steps.tsx';
import { cn } from '#web/lib/cn.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDay, today } from '#web/lib/format/dates.ts';
import { useAway } from './api.ts';
import { addToMonth, daysOfMonth, filterAwayOn } from './rules.ts';
import type { LeaveSearch } from './search.ts';

type DayProps = {
  day: string;
  /** Undefined until it is known. */
  away: number | undefined;
  max: number;
  chosen: boolean;
  onChoose: () => void;
};

function Day({ day, away, max, chosen, onChoose }: DayProps) {
  const date = parseISO(day);
  const isWeekend = date.getDay() % 6 === 0;
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={cn(
        'relative flex h-24 flex-col items-center gap-1 rounded-sm border border-transparent px-1 py-1.5 text-sm hover:bg-sunken lg:h-22 lg:px-0.5',
        isWeekend && 'bg-sunken/60',
        day === today() && 'border-line-strong',
        chosen && 'border-accent-fill bg-accent-fill/15',
      )}
    >
      <span className="sr-only">
        {`${format(date, 'EEEE, MMMM d')}${away === undefined ? '' : `: ${away} away`}`}
      </span>
      <span aria-hidden="true" className="text-xs text-muted">
        {format(date, 'EEEEE')}
      </span>
      <span aria-hidden="true" className="tabular-nums">
        {format(date, 'd')}
      </span>
      <span aria-hidden="true" className="mt-auto text-xs font-semibold tabular-nums">
        {away || ''}
      </span>
      <span aria-hidden="true" className="flex h-4 w-full items-end">
        <span
          className="w-full rounded-t-xs bg-accent-fill"
          style={{ height: `${max === 0 ? 0 : ((away ?? 0) / max) * 100}%` }}
        />
      </span>
    </button>
  );
}

/** Class of the empty cells before the first day, by their number; weeks start on Monday. */
const LEADING_CELLS = [
  'hidden',
  'col-span-1',
  'col-span-2',
  'col-span-3',
  'col-span-4',
  'col-span-5',
  'col-span-6',
] as const;

type Away = NonNullable<ReturnType<typeof useAway>['data']>;

type AwayCalendarProps = { search: LeaveSearch; onChange: ChangeSearch<LeaveSearch> };

export function AwayCalendar({ search, onChange }: AwayCalendarProps) {
  const chosen = search.from === search.to ? search.from : undefined;
  const month = search.month ?? (chosen ?? today()).slice(0, 7);
  const days = daysOfMonth(month);
  const query = useAway(days[0] ?? '', days.at(-1) ?? '');
  const name = format(parseISO(`${month}-01`), 'MMMM yyyy');
  const go = (step: number) => onChange({ month: addToMonth(month, step) });
  const calendar = (rows?: Away) => {
    const counts = rows && days.map((day) => filterAwayOn(rows, day).length);
    const names =
      rows && chosen && filterAwayOn(rows, chosen).map(({ person_name }) => person_name);
    return (
      <>
        {/* Every day stays visible and large enough for a thumb: rows of a week on small screens, one row on a desk. */}
        <div className="grid gap-y-1 max-lg:grid-cols-7 lg:grid-cols-[repeat(31,minmax(0,1fr))]">
          <span
            className={cn('lg:hidden', LEADING_CELLS[getISODay(parseISO(`${month}-01`)) - 1])}
          />
          {days.map((day, index) => (
            <Day
              key={day}
              day={day}
              away={counts && (counts[index] ?? 0)}
              max={Math.max(0, ...(counts ?? []))}
              chosen={day === chosen}
              onChoose={() =>
                onChange(
                  day === chosen
                    ? { from: undefined, to: undefined, page: undefined }
                    : { from: day, to: day, month, page: undefined },
                )
              }
            />
          ))}
        </div>
        {chosen && days.includes(chosen) && (
          <p role="status" className="mt-3 text-sm">
            <span className="text-muted">{formatDay(chosen)}: </span>
            {names && (names.join(', ') || 'no one is away')}
          </p>
        )}
      </>
    );
  };
  return (
    <Card className="mb-5 px-2 py-4 sm:p-5 lg:py-3">
      <div className="mb-3 flex items-center justify-between lg:mb-1 gap-3 max-sm:pl-2">
        <h3 className="font-display text-xl">Away in {name}</h3>
        <div className="flex">
          <Steps unit="month" iconClass="size-5" onStep={go} />
        </div>
      </div>
      <Loaded query={query} loadingText="Loading the calendar..." placeholder={calendar()}>
        {calendar}
      </Loaded>
    </Card>
  );
}
