import { formatMinutes } from '#web/lib/format/dates.ts';
import type { Total } from './worked-hours.ts';

type HourBarsProps = { label: string; totals: Total[]; nameOf: (total: Total) => string };

export function HourBars({ label, totals, nameOf }: HourBarsProps) {
  const most = Math.max(1, ...totals.map(({ minutes }) => minutes));
  return (
    <table aria-label={label} className="w-full text-sm tabular-nums">
      <thead className="text-left text-muted">
        <tr>
          <th scope="col" className="py-2 pr-3 font-semibold">
            Period
          </th>
          <th scope="col" className="w-full py-2 font-semibold">
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
            <th scope="row" className="py-2.5 pr-3 text-left font-normal whitespace-nowrap">
              {nameOf(total)}
            </th>
            <td className="py-2.5">
              <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
                <span
                  className="h-3 flex-1 rounded-full bg-sunken max-sm:order-last max-sm:h-2 max-sm:basis-full"
                  aria-hidden="true"
                >
                  <span
                    className="block h-full rounded-full bg-accent-fill"
                    style={{ width: `${(total.minutes / most) * 100}%` }}
                  />
                </span>
                <span className="font-semibold whitespace-nowrap sm:w-20 sm:text-right">
                  {formatMinutes(total.minutes)}
                </span>
              </span>
            </td>
            <td className="py-2.5 pl-3 text-right whitespace-nowrap">
              {total.lateMinutes > 0 ? `${total.lateMinutes} min` : '-'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
