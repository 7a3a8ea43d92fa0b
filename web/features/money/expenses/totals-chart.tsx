import { EXPENSE_REPORTS_CATEGORY, EXPENSE_REPORTS_CURRENCY } from '#shared/database.values.ts';
import { formatMoney, parseCents, sumCents } from '#shared/money.ts';
import { MoneyBars } from '#web/components/charts/bars.tsx';
import { isKnown } from '#web/lib/cache/is-known.ts';
import { formatMonths } from '#web/lib/format/dates.ts';
import { EXPENSE_CATEGORY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { type ExpenseTotal, useExpenseTotals } from './api.ts';

const COLOURS = {
  operations: 'var(--info)',
  payroll: 'var(--accent-fill)',
  equipment: 'var(--success)',
  training: 'var(--warning)',
  transport: 'var(--chart-teal)',
  utilities: 'var(--chart-plum)',
  other: 'var(--ink-muted)',
};

type ChartProps = { currency: string; totals: ExpenseTotal[] | undefined };

function CurrencyChart({ currency, totals }: ChartProps) {
  const months = totals && [...new Set(totals.map((row) => row.month))];
  const categories = EXPENSE_REPORTS_CATEGORY.filter(
    (each) => !totals || totals.some((row) => row.category === each),
  );
  return (
    <MoneyBars
      stacked
      caption={`Expenses by month and category, ${currency}`}
      series={categories.map((each) => ({
        name: EXPENSE_CATEGORY_LABELS[each],
        colour: COLOURS[each],
      }))}
      groups={months?.map((month) => ({
        id: month,
        name: formatMonths(month, month),
        cents: categories.map((category) =>
          parseCents(
            totals?.find((row) => row.month === month && row.category === category)?.total ?? 0,
          ),
        ),
      }))}
    />
  );
}

export function TotalsChart() {
  const query = useExpenseTotals();
  const { data } = query;
  if (isKnown(query) && (!data || data.length === 0)) return null;
  const of = (currency: string) => data?.filter((row) => row.currency === currency);
  // US dollars while the totals load.
  const currencies = EXPENSE_REPORTS_CURRENCY.filter((each) =>
    data ? data.some((row) => row.currency === each) : each === 'USD',
  );
  return (
    <section aria-label="Expenses by month and category" className="mb-9 grid gap-4">
      <p>
        Last twelve months:{' '}
        <strong className="tabular-nums">
          {data &&
            currencies
              .map((each) => formatMoney(sumCents((of(each) ?? []).map((row) => row.total)), each))
              .join(' and ')}
        </strong>
      </p>
      {currencies.map((each) => (
        <CurrencyChart key={each} currency={each} totals={of(each)} />
      ))}
    </section>
  );
}
