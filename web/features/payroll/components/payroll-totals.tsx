// What each pay period costs: net pay and deductions as bars, the figures in a table.
import { formatDollars } from '#shared/money.ts';
import { LazyMoneyBars } from '#web/components/charts/lazy-money-bars.tsx';
import { formatMonths } from '#web/lib/format.ts';
import { usePeriods } from '../api/list-periods.ts';

/** Bars that can still be told apart on a phone. */
const BARS = 12;

const SERIES = [
  { name: 'Net pay', colour: 'var(--info)' },
  { name: 'Deductions', colour: 'var(--accent-fill)' },
];

export function PayrollTotals() {
  const { data } = usePeriods();
  const [latest] = data ?? [];
  if (!data || !latest) return null;
  return (
    <section aria-label="Totals by period" className="mb-9 grid gap-4">
      <p>
        {formatMonths(latest.period_start, latest.period_end)}:{' '}
        <strong className="tabular-nums">{formatDollars(latest.net)}</strong> net for{' '}
        {latest.records} {latest.records === 1 ? 'person' : 'people'}
        {latest.unpaid > 0n && (
          <>
            , <strong className="tabular-nums">{formatDollars(latest.unpaid)}</strong> not yet paid
          </>
        )}
      </p>
      {data.length > 1 && (
        <LazyMoneyBars
          stacked
          caption="Net pay and deductions by period, USD"
          series={SERIES}
          groups={data
            .slice(0, BARS)
            .toReversed()
            .map((period) => ({
              id: `${period.period_start} ${period.period_end}`,
              name: formatMonths(period.period_start, period.period_end),
              cents: [period.net, period.deductions],
            }))}
        />
      )}
    </section>
  );
}
