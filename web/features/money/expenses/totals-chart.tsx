import { EXPENSE_REPORTS_CATEGORY } from '#shared/database.values.ts';
import { formatDollars, parseCents, sumCents } from '#shared/money.ts';
import { MoneyBars } from '#web/components/charts/bars.tsx';
import { isKnown } from '#web/lib/cache/is-known.ts';
import { formatMonths } from '#web/lib/format/dates.ts';
import { EXPENSE_CATEGORY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { useExpenseTotals } from './api.ts';

const COLOURS = {
  operations: 'var(--info)',
  payroll: 'var(--accent-fill)',
  equipment: 'var(--success)',
  training: 'var(--warning)',
  transport: 'var(--chart-teal)',
  utilities: 'var(--chart-plum)',
  other: 'var(--ink-muted)',
};

export function TotalsChart() {
  const query = useExpenseTotals();
  const { data } = query;
  if (isKnown(query) && (!data || data.length === 0)) return null;
  const months = data && [...new Set(data.map((row) => row.month))];
  const categories = EXPENSE_REPORTS_CATEGORY.filter(
    (each) => !data || data.some((row) => row.category === each),
  );
  return (
    <section aria-label="Expenses by month and category" className="mb-9 grid gap-4">
      <p>
        Last twelve months:{' '}
        <strong className="tabular-nums">
          {data && formatDollars(sumCents(data.map((row) => row.total)))}
        </strong>
      </p>
      <MoneyBars
        stacked
        caption="Expenses by month and category, USD"
        series={categories.map((each) => ({
          name: EXPENSE_CATEGORY_LABELS[each],
          colour: COLOURS[each],
        }))}
        groups={months?.map((month) => ({
          id: month,
          name: formatMonths(month, month),
          cents: categories.map((category) =>
            parseCents(
              data?.find((row) => row.month === month && row.category === category)?.total ?? 0,
            ),
          ),
        }))}
      />
    </section>
  );
}
