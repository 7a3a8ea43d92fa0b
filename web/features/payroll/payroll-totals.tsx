import { formatDollars } from '#shared/money.ts';
import { MoneyBars } from '#web/components/charts/bars.tsx';
import { formatMonths } from '#web/lib/format/dates.ts';
import { usePeriods } from './api.ts';
import { monthsOf } from './rules.ts';

/** More bars are too narrow on a phone. */
const MONTHS_SHOWN = 12;

const SERIES = [
  { name: 'Net pay', colour: 'var(--info)' },
  { name: 'Deductions', colour: 'var(--accent-fill)' },
];

export function PayrollTotals() {
  const { data } = usePeriods();
  const months = monthsOf(data ?? []);
  const [latest] = months;
  if (!latest) return null;
  return (
    <section aria-label="Totals by month" className="mb-6 grid gap-3">
      <p>
        {formatMonths(latest.month, latest.month)}:{' '}
        <strong className="tabular-nums">{formatDollars(latest.net)}</strong> net in{' '}
        {latest.records} {latest.records === 1 ? 'record' : 'records'}
        {latest.unpaid > 0n && (
          <>
            , <strong className="tabular-nums">{formatDollars(latest.unpaid)}</strong> not yet paid
          </>
        )}
      </p>
      {months.length > 1 && (
        <MoneyBars
          stacked
          caption="Net pay and deductions by month, USD"
          series={SERIES}
          groups={months
            .slice(0, MONTHS_SHOWN)
            .toReversed()
            .map(({ month, net, deductions }) => ({
              id: month,
              name: formatMonths(month, month),
              cents: [net, deductions],
            }))}
        />
      )}
    </section>
  );
}
