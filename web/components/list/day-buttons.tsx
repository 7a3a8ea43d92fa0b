import { cn } from '#web/lib/cn.ts';
import { daysOfWeek, formatDayOfWeek } from '#web/lib/format/days.ts';

type DayButtonsProps = {
  monday: string;
  /** The displayed day, yyyy-MM-dd. */
  day: string;
  onDay: (day: string) => void;
  /** Open seats of each day, from Monday. */
  gapsOn?: readonly number[] | undefined;
};

export function DayButtons({ monday, day, onDay, gapsOn }: DayButtonsProps) {
  return (
    <fieldset className="mb-4 grid grid-cols-7 gap-0.5">
      <legend className="sr-only">Day</legend>
      {daysOfWeek(monday).map((other, column) => (
        <button
          key={other}
          type="button"
          aria-pressed={other === day}
          onClick={() => onDay(other)}
          className={cn(
            'min-h-13 rounded-sm border border-line-strong text-sm leading-tight',
            other === day && 'border-primary bg-primary text-primary-ink',
          )}
        >
          <span className="block">{formatDayOfWeek(other).slice(0, 3)}</span>
          <span className="block font-semibold tabular-nums">{Number(other.slice(8))}</span>
          {gapsOn && (
            <span className={cn('block text-xs', other !== day && 'text-danger')}>
              {gapsOn[column] ? `${gapsOn[column]} open` : '\u00a0'}
            </span>
          )}
        </button>
      ))}
    </fieldset>
  );
}
