import { parseCents } from '#shared/money.ts';
import { MoneyBars } from '#web/components/charts/bars.tsx';
import { isKnown } from '#web/lib/cache/is-known.ts';
import { formatMonths } from '#web/lib/format/dates.ts';
import { useProfits } from './api.ts';

const SERIES = [
  { name: 'Revenue', colour: 'var(--info)' },
  { name: 'Expenses', colour: 'var(--accent-fill)' },
  { name: 'Profit', colour: 'var(--success)' },
];

const centsOrNull = (amount: number | null) => (amount === null ? null : parseCents(amount));

export function ProfitsChart() {
  const query = useProfits();
  const { data } = query;
  // One period is no comparison. Without an error state: the list below shows one.
  if (isKnown(query) && (!data || data.length < 2)) return null;
  return (
    <section aria-label="Profit by period" className="mb-9">
      <MoneyBars
        caption="Revenue, expenses and profit by period, USD"
        series={SERIES}
        groups={data?.map((row) => ({
          id: row.id,
          name: formatMonths(row.period_start, row.period_end),
          cents: [row.total_revenue, row.total_expenses, row.net_profit].map(centsOrNull),
        }))}
      />
    </section>
  );
}
