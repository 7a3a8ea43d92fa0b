// One day of a timesheet: planned beside worked beside paid, as bars and figures, with a sentence for each difference.
import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';
import { formatMinutes, formatTime } from '#web/lib/format/dates.ts';
import { formatDayOfWeek } from '#web/lib/format/days.ts';
import type { Bar, Span } from './day-bars.ts';
import { TICKS } from './day-bars.ts';
import { CLASS_LOOKS, CLASSES, type SegmentClass } from './segment-classes.ts';
import type { Figures, SheetDay } from './sheet-days.ts';

/** Columns of the days, their heading and the totals. */
export const DAY_GRID =
  'grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 lg:grid-cols-[6.5rem_minmax(0,1fr)_6.5rem_6.5rem_6.5rem] lg:items-center';

const FIGURE = 'text-right text-[0.9375rem] whitespace-nowrap tabular-nums max-lg:hidden';

const rangeOf = ({ starts_at, ends_at }: Span) =>
  `${formatTime(starts_at)} - ${formatTime(ends_at)}`;

type StripProps<Item extends Span & { id: string }> = {
  bars: Bar<Item>[];
  className: string;
  lookOf: (item: Item) => string;
  nameOf: (item: Item) => string;
};

function Strip<Item extends Span & { id: string }>(props: StripProps<Item>) {
  const { bars, className, lookOf, nameOf } = props;
  return (
    <div className={cn('relative', className)}>
      {bars.map(({ item, left, width, isFromBefore, goesOn }) => (
        <span
          key={item.id}
          title={`${nameOf(item)}, ${rangeOf(item)}`}
          className={cn(
            'absolute inset-y-0 rounded-[2px]',
            isFromBefore && 'rounded-l-none border-l-0',
            goesOn && 'rounded-r-none border-r-0',
            lookOf(item),
          )}
          style={{ left: `${left}%`, width: `${width}%` }}
        />
      ))}
    </div>
  );
}

/** Says nothing that the figures and sentences beside it don't. */
export function DayBars({ plan, work }: Pick<SheetDay, 'plan' | 'work'>) {
  return (
    <div aria-hidden="true" className="relative py-1">
      {TICKS.map((hour) => (
        <span
          key={hour}
          className="absolute inset-y-0 w-px bg-line"
          style={{ left: `${(hour / 24) * 100}%` }}
        />
      ))}
      <Strip
        bars={plan}
        className="h-2"
        lookOf={() => 'bg-(--chart-pale)'}
        nameOf={({ site }) => `Planned, ${site}`}
      />
      <Strip
        bars={work}
        className="mt-1 h-3"
        lookOf={(segment) => CLASS_LOOKS[segment.class].fill}
        nameOf={(segment) => CLASS_LOOKS[segment.class].label}
      />
    </div>
  );
}

/** The hours below the bars' ticks, above the first day. */
export function DayAxis() {
  return (
    <div aria-hidden="true" className="relative h-5 text-xs text-muted">
      {TICKS.map((hour) => (
        <span
          key={hour}
          className={cn(
            'absolute -translate-x-1/2',
            hour === 0 && 'translate-x-0',
            hour === 24 && '-translate-x-full',
          )}
          style={{ left: `${(hour / 24) * 100}%` }}
        >
          {String(hour).padStart(2, '0')}
        </span>
      ))}
    </div>
  );
}

type LegendProps = { classes: readonly SegmentClass[] };

export function Legend({ classes }: LegendProps) {
  const entries = [
    { label: 'Planned', fill: 'bg-(--chart-pale)' },
    ...CLASSES.filter((name) => classes.includes(name)).map((name) => CLASS_LOOKS[name]),
  ];
  return (
    <ul aria-label="Colours" className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
      {entries.map(({ label, fill }) => (
        <li key={label} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={cn('h-3 w-4 rounded-[2px]', fill)} />
          {label}
        </li>
      ))}
    </ul>
  );
}

/** A dash where there is nothing, so that the eye finds what there is. */
export const hours = (minutes: number) => (minutes === 0 ? '-' : formatMinutes(minutes));

/** On phones one line instead of three columns. */
export function FigureCells({ planned, worked, paid }: Figures) {
  return (
    <>
      <p className={FIGURE}>{hours(planned)}</p>
      <p className={FIGURE}>{hours(worked)}</p>
      <p className={cn(FIGURE, 'font-semibold')}>{hours(paid)}</p>
    </>
  );
}

type DayRowProps = {
  day: SheetDay;
  /** Level of the day's heading. */
  heading: 'h2' | 'h4';
  /** Below the sentences: what can be done about the day. */
  children?: ReactNode;
};

export function DayRow({ day, heading: Heading, children }: DayRowProps) {
  const { planned, worked, paid, missing, sentences } = day;
  return (
    <li className="px-4 py-3 sm:px-5" id={`day-${day.day}`}>
      <div className={DAY_GRID}>
        <Heading className="font-semibold">
          <time dateTime={day.day}>{formatDayOfWeek(day.day)}</time>
        </Heading>
        <p className="text-right tabular-nums lg:hidden">
          <span className="font-semibold">{formatMinutes(paid)}</span> paid
        </p>
        <div className="max-lg:col-span-2">
          <DayBars plan={day.plan} work={day.work} />
        </div>
        <p className="col-span-2 text-sm text-muted tabular-nums lg:hidden">
          {formatMinutes(planned)} planned, {formatMinutes(worked)} worked
        </p>
        <FigureCells {...{ planned, worked, paid, missing }} />
      </div>
      <div className="lg:pl-[7.5rem]">
        <ul
          aria-label={`Differences on ${formatDayOfWeek(day.day)}`}
          className="mt-1 grid grid-cols-1 gap-0.5 text-sm text-pretty text-muted empty:hidden"
        >
          {sentences.map(({ code, text }) => (
            <li key={`${code} ${text}`}>{text}</li>
          ))}
        </ul>
        {children}
      </div>
    </li>
  );
}
