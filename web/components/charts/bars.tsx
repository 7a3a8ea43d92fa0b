import { useState } from 'react';
import { centsToNumber, formatCents } from '#shared/money.ts';
import { Spinner } from '#web/components/ui/loading.tsx';
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import { cn } from '#web/lib/cn.ts';
import { Later } from '#web/lib/render/later.tsx';
import { BarDrawing } from './bar-drawing.tsx';
import { type BarsProps, type Group, labelStep } from './scale.ts';

/** Minimum pixels of a chart beside its scale. */
const WIDTHS = { phone: 270, desk: 460, small: 190 };

type LoadedBarsProps = Omit<BarsProps, 'groups'> & {
  /** Undefined while they load: the caption, the legend and the place of the bars are shown. */
  groups: Group[] | undefined;
};

const HEIGHTS = { usual: 'h-48', small: 'h-28' };
/** As high as the bars with their names. */
const PLACES = { usual: 'h-54', small: 'h-34' };

/** Bars with the same figures in a table. Drawn after the rest of the screen: rows come first. */
export function Bars({ groups, ...props }: LoadedBarsProps) {
  const { caption, series, isSmall } = props;
  const place = PLACES[isSmall ? 'small' : 'usual'];
  return (
    <figure className={cn('grid min-w-0', isSmall ? 'gap-1.5' : 'gap-3')}>
      <figcaption className="text-sm text-muted">{caption}</figcaption>
      <div aria-hidden="true" className="print:hidden">
        {groups ? (
          <Later placeholder={<div className={place} />}>
            <Chart {...props} groups={groups} />
          </Later>
        ) : (
          <div className={cn('grid place-items-center text-muted', place)}>
            <Spinner />
          </div>
        )}
        <ul
          className={cn(
            'mt-2 flex flex-wrap justify-center gap-y-1',
            isSmall ? 'gap-x-3 text-xs' : 'gap-x-5 text-sm',
          )}
        >
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
      {groups ? (
        <Later placeholder={<div className="h-11 pointer-fine:h-8" />}>
          <FiguresTable {...props} groups={groups} />
        </Later>
      ) : (
        <div className="h-11 pointer-fine:h-8" />
      )}
    </figure>
  );
}

function Chart(props: BarsProps) {
  const { series, groups, format, isSmall } = props;
  const [pointed, setPointed] = useState<number>();
  const names = groups.map(({ name }) => name);
  const steps = {
    phone: labelStep(names, WIDTHS.phone),
    desk: labelStep(names, isSmall ? WIDTHS.small : WIDTHS.desk),
  };
  const group = pointed === undefined ? undefined : groups[pointed];
  /** A label at the very end would overflow the chart. */
  const isNamed = (index: number, step: number) =>
    index % step === 0 && (step === 1 || index + 0.5 < 0.94 * groups.length);
  const share = (index: number) => `${((index + 0.5) / groups.length) * 100}%`;
  return (
    <>
      <div className={cn('relative ml-13', HEIGHTS[isSmall ? 'small' : 'usual'])}>
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
    </>
  );
}

export function FiguresTable({ caption, series, groups, format }: Omit<BarsProps, 'layout'>) {
  return (
    <details className="text-sm print:[&::details-content]:[content-visibility:visible]">
      <summary className="print:hidden inline-flex min-h-11 cursor-pointer items-center font-semibold text-accent pointer-fine:min-h-8">
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
            {groups.map(({ id, name, values }) => (
              <tr key={id} className="border-b border-line">
                <th scope="row" className="py-2 pr-4 font-normal whitespace-nowrap">
                  {name}
                </th>
                {series.map((each, index) => {
                  const value = values[index];
                  return (
                    <td key={each.name} className="py-2 pl-4 text-right whitespace-nowrap">
                      {value === null || value === undefined ? '-' : format(value)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  );
}

/** In the order of the series. */
type Amounts = Omit<Group, 'values'> & { cents: (bigint | null)[] };

type MoneyBarsProps = Pick<BarsProps, 'caption' | 'series'> & {
  /** See `Bars`. */
  groups: Amounts[] | undefined;
  stacked?: boolean;
};

/** Exact for every amount that a database column can hold. */
const formatExact = (value: number) => formatCents(BigInt(Math.round(value * 100)));

export function MoneyBars({ groups, stacked = false, ...rest }: MoneyBarsProps) {
  return (
    <Bars
      {...rest}
      layout={stacked ? 'stacked' : 'beside'}
      format={formatExact}
      groups={groups?.map(({ id, name, cents }) => ({
        id,
        name,
        values: cents.map((each) => (each === null ? null : centsToNumber(each))),
      }))}
    />
  );
}
