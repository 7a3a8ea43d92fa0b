import { PAY_BASES_CURRENCY } from '#shared/database.values.ts';
import { formatMoney } from '#shared/money.ts';
import { MoneyBars } from '#web/components/charts/bars.tsx';
import { isKnown } from '#web/lib/cache/is-known.ts';
import { formatMonths } from '#web/lib/format/dates.ts';
import type { PayCurrency } from '#web/lib/vocabulary/kinds.ts';
import { usePeriods } from './api.ts';
import { sumMonths } from './rules.ts';

/** More bars are too narrow on a phone. */
const MONTHS_SHOWN = 12;

const SERIES = [
  { name: 'Net pay', colour: 'var(--info)' },
  { name: 'Deductions', colour: 'var(--accent-fill)' },
];

type Months = ReturnType<typeof sumMonths>;

/** Keeps its place, two lines on a phone, while the months load. */
function LatestMonth({ months, currency }: { months: Months | undefined; currency: string }) {
  if (!months) return <p aria-hidden="true" className="h-12 sm:h-6" />;
  const [latest] = months;
  if (!latest) return null;
  return (
    <p>
      {formatMonths(latest.month, latest.month)}:{' '}
      <strong className="tabular-nums">{formatMoney(latest.net, currency)}</strong> net in{' '}
      {latest.records} {latest.records === 1 ? 'record' : 'records'}
      {latest.unpaid > 0n && (
        <>
          , <strong className="tabular-nums">{formatMoney(latest.unpaid, currency)}</strong> not yet
          paid
        </>
      )}
    </p>
  );
}

export function PayrollTotals() {
  const query = usePeriods();
  const { data } = query;
  const monthsIn = (wanted: PayCurrency) =>
    data && sumMonths(data.filter(({ currency }) => currency === wanted));
  const months = monthsIn('USD');
  if (isKnown(query) && (!data || data.length === 0)) return null;
  return (
    <section aria-label="Totals by month" className="mb-6 grid gap-3">
      {PAY_BASES_CURRENCY.map((currency) => (
        <LatestMonth key={currency} months={monthsIn(currency)} currency={currency} />
      ))}
      {(!months || months.length > 1) && (
        <MoneyBars
          stacked
          caption="Net pay and deductions by month, USD"
          series={SERIES}
          groups={months
            ?.slice(0, MONTHS_SHOWN)
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
