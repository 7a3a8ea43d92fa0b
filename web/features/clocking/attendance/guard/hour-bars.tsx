import { cn } from '#web/lib/cn.ts';
import { formatMinutes } from '#web/lib/format/dates.ts';
import type { Total } from './worked-hours.ts';

type HourBarsProps = {
  label: string;
  totals: Total[];
  nameOf: (total: Total) => string;
  /** Minutes after which the rest is overtime; marked in each bar. */
  regular?: number;
};

type BarProps = {
  minutes: number;
  /** Minutes of the full width. */
  most: number;
  regular?: number | undefined;
  className?: string;
};

/** Regular minutes, overtime in another colour, and a mark between them. */
export function HourBar({ minutes, most, regular = most, className }: BarProps) {
  const share = (part: number) => `${(part / most) * 100}%`;
  return (
    <span
      aria-hidden="true"
      className={cn('relative flex h-3 overflow-hidden rounded-full bg-sunken', className)}
    >
      <span className="bg-accent-fill" style={{ width: share(Math.min(minutes, regular)) }} />
      <span className="bg-warning" style={{ width: share(Math.max(0, minutes - regular)) }} />
      {regular < most && (
        <span className="absolute inset-y-0 w-0.5 bg-ink" style={{ left: share(regular) }} />
      )}
    </span>
  );
}

export function HourBars({ label, totals, nameOf, regular }: HourBarsProps) {
  const longest = Math.max(1, ...totals.map(({ minutes }) => minutes));
  const most = regular === undefined ? longest : Math.max(longest, regular * 1.05);
  return (
    <table aria-label={label} className="w-full text-sm tabular-nums">
      <thead className="text-left text-muted">
        <tr>
          <th scope="col" className="py-2 pr-3 font-semibold">
            Period
          </th>
          <th scope="col" className="py-2 font-semibold sm:w-full">
            Hours
          </th>
          <th scope="col" className="py-2 pl-3 text-right font-semibold">
            Late
          </th>
        </tr>
      </thead>
      <tbody>
        {totals.map((total) => (
          <tr key={total.start} className="border-t border-line">
            <th scope="row" className="py-2.5 pr-3 text-left font-normal sm:whitespace-nowrap">
              {nameOf(total)}
            </th>
            <td className="py-2.5">
              <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
                <HourBar
                  minutes={total.minutes}
                  most={most}
                  regular={regular}
                  className="flex-1 max-sm:order-last max-sm:h-2 max-sm:basis-full"
                />
                <span className="font-semibold sm:w-20 sm:text-right sm:whitespace-nowrap">
                  {formatMinutes(total.minutes)}
                </span>
              </span>
            </td>
            <td className="py-2.5 pl-3 text-right sm:whitespace-nowrap">
              {total.lateMinutes > 0 ? formatMinutes(total.lateMinutes) : '-'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
