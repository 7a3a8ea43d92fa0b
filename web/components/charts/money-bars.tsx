// Amounts side by side as bars, with the same figures in a table for whoever wants to read them.
import {
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { formatCents, numberOf } from '#shared/money.ts';
import { ScrollRegion } from '#web/components/ui/scroll-region.tsx';

export type Series = { name: string; colour: string };
/** Cents, in the order of the series; null where there is no figure. */
export type Group = { id: string; name: string; cents: (bigint | null)[] };

type MoneyBarsProps = {
  /** What is shown, for example "Revenue, expenses and profit by period, USD". */
  caption: string;
  series: Series[];
  groups: Group[];
  stacked?: boolean;
};

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const exact = (value: unknown) => formatCents(BigInt(Math.round(Number(value) * 100)));

export function MoneyBars({ caption, series, groups, stacked = false }: MoneyBarsProps) {
  const rows = groups.map(({ name, cents }) => ({
    name,
    ...Object.fromEntries(
      series.map((each, index) => {
        const value = cents[index];
        return [each.name, value === null || value === undefined ? null : numberOf(value)];
      }),
    ),
  }));
  return (
    <figure className="grid gap-3">
      <figcaption className="text-sm text-muted">{caption}</figcaption>
      <div aria-hidden="true" className="h-72 print:hidden">
        <ResponsiveContainer>
          <BarChart
            data={rows}
            accessibilityLayer={false}
            margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="name"
              tickLine={false}
              axisLine={{ stroke: 'var(--line-strong)' }}
              tick={{ fill: 'var(--ink-muted)', fontSize: 12 }}
            />
            <YAxis
              width={52}
              tickLine={false}
              axisLine={false}
              tick={{ fill: 'var(--ink-muted)', fontSize: 12 }}
              tickFormatter={(value: number) => compact.format(value)}
            />
            <Tooltip
              formatter={exact}
              cursor={{ fill: 'var(--ink)', fillOpacity: 0.05 }}
              contentStyle={{
                background: 'var(--surface-raised)',
                border: '1px solid var(--line-strong)',
                borderRadius: 4,
                color: 'var(--ink)',
                fontSize: 14,
              }}
            />
            <Legend itemSorter={null} wrapperStyle={{ fontSize: 14 }} />
            <ReferenceLine y={0} stroke="var(--line-strong)" />
            {series.map(({ name, colour }) => (
              <Bar
                key={name}
                dataKey={name}
                fill={colour}
                maxBarSize={44}
                isAnimationActive={false}
                {...(stacked ? { stackId: 'all' } : {})}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
      <details className="text-sm print:open">
        <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold text-accent">
          Figures as a table
        </summary>
        <ScrollRegion label={caption}>
          <table className="w-full text-left tabular-nums">
            <caption className="sr-only">{caption}</caption>
            <thead>
              <tr className="border-b border-line-strong">
                <td className="py-2 pr-4" />
                {series.map(({ name }) => (
                  <th key={name} scope="col" className="py-2 pl-4 text-right font-semibold">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {groups.map(({ id, name, cents }) => (
                <tr key={id} className="border-b border-line">
                  <th scope="row" className="py-2 pr-4 font-normal whitespace-nowrap">
                    {name}
                  </th>
                  {series.map((each, index) => {
                    const value = cents[index];
                    return (
                      <td key={each.name} className="py-2 pl-4 text-right whitespace-nowrap">
                        {value === null || value === undefined ? '-' : formatCents(value)}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      </details>
    </figure>
  );
}
