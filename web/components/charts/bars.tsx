// Figures side by side as bars, with the same figures in a table for whoever wants to read them.
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Legend,
  Line,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { BarsProps } from './figures.ts';
import { FiguresTable } from './figures-table.tsx';

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const TICK = { fill: 'var(--ink-muted)', fontSize: 12 };

export function Bars({ caption, series, groups, layout = 'beside', format }: BarsProps) {
  const rows = groups.map(({ name, values }) => ({
    name,
    ...Object.fromEntries(series.map((each, index) => [each.name, values[index] ?? null])),
  }));
  return (
    <figure className="grid min-w-0 gap-3">
      <figcaption className="text-sm text-muted">{caption}</figcaption>
      <div aria-hidden="true" className="h-72 print:hidden">
        <ResponsiveContainer>
          <ComposedChart
            data={rows}
            accessibilityLayer={false}
            margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
            {...(layout === 'overlaid' ? { barGap: '-100%' } : {})}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="name"
              tickLine={false}
              axisLine={{ stroke: 'var(--line-strong)' }}
              tick={TICK}
            />
            <YAxis
              width={52}
              tickLine={false}
              axisLine={false}
              tick={TICK}
              tickFormatter={(value: number) => compact.format(value)}
            />
            <Tooltip
              formatter={(value) => format(Number(value))}
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
            {series.map(({ name, colour, line }) =>
              line ? (
                <Line
                  key={name}
                  dataKey={name}
                  type="step"
                  stroke={colour}
                  strokeWidth={2.5}
                  dot={false}
                  isAnimationActive={false}
                />
              ) : (
                <Bar
                  key={name}
                  dataKey={name}
                  fill={colour}
                  maxBarSize={44}
                  isAnimationActive={false}
                  {...(layout === 'stacked' ? { stackId: 'all' } : {})}
                />
              ),
            )}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <FiguresTable caption={caption} series={series} groups={groups} format={format} />
    </figure>
  );
}
