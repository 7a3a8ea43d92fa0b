// Figures side by side as bars, with the same figures in a table for whoever wants to read them.
import { useState } from 'react';
import { cn } from '#web/lib/cn.ts';
import { Later } from '#web/lib/render/later.tsx';
import { BarDrawing } from './bar-drawing.tsx';
import type { BarsProps } from './figures.ts';
import { FiguresTable } from './figures-table.tsx';
import { labelStep } from './scale.ts';

/** Pixels that a chart has at least on a phone and on a desk, beside its scale. */
const WIDTHS = { phone: 270, desk: 460 };

/** Drawn after the rest of its screen: the rows come first. */
export function Bars(props: BarsProps) {
  return (
    <Later placeholder={<div className="h-80" />}>
      <Chart {...props} />
    </Later>
  );
}

function Chart(props: BarsProps) {
  const { caption, series, groups, format } = props;
  const [pointed, setPointed] = useState<number>();
  const names = groups.map(({ name }) => name);
  const steps = { phone: labelStep(names, WIDTHS.phone), desk: labelStep(names, WIDTHS.desk) };
  const group = pointed === undefined ? undefined : groups[pointed];
  /** Whether a name stands under a group; one at the very end would reach beyond the chart. */
  const isNamed = (index: number, step: number) =>
    index % step === 0 && (step === 1 || index + 0.5 < 0.94 * groups.length);
  const share = (index: number) => `${((index + 0.5) / groups.length) * 100}%`;
  return (
    <figure className="grid min-w-0 gap-3">
      <figcaption className="text-sm text-muted">{caption}</figcaption>
      <div aria-hidden="true" className="print:hidden">
        <div className="relative ml-13 h-60">
          <BarDrawing {...props} pointed={pointed} onPoint={setPointed} />
          {group && pointed !== undefined && (
            <div
              className={cn(
                'pointer-events-none absolute top-2 z-10 rounded-sm border border-line-strong bg-raised px-3 py-2 text-sm whitespace-nowrap shadow-overlay',
                pointed < groups.length / 2 ? 'ml-3' : '-translate-x-full -ml-3',
              )}
              style={{ left: share(pointed) }}
            >
              <p className="font-semibold">{group.name}</p>
              {series.map(({ name }, index) => (
                <p key={name}>
                  {name}: {format(group.values[index] ?? 0)}
                </p>
              ))}
            </div>
          )}
        </div>
        <div className="relative ml-13 h-6 text-xs text-muted">
          {groups.map(({ id, name }, index) => (
            <span
              key={id}
              className={cn(
                'absolute top-1.5 -translate-x-1/2 whitespace-nowrap',
                !isNamed(index, steps.phone) && 'max-sm:hidden',
                !isNamed(index, steps.desk) && 'sm:hidden',
              )}
              style={{ left: share(index) }}
            >
              {name}
            </span>
          ))}
        </div>
        <ul className="mt-2 flex flex-wrap justify-center gap-x-5 gap-y-1 text-sm">
          {series.map(({ name, colour, line }) => (
            <li key={name} className="flex items-center gap-2">
              <span
                className={cn('w-3.5 rounded-xs', line ? 'h-0.75' : 'h-3.5')}
                style={{ background: colour }}
              />
              {name}
            </li>
          ))}
        </ul>
      </div>
      <FiguresTable caption={caption} series={series} groups={groups} format={format} />
    </figure>
  );
}
