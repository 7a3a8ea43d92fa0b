// Amounts of money as bars.
import { formatCents, numberOf } from '#shared/money.ts';
import { Bars } from './bars.tsx';
import type { BarsProps, Group } from './figures.ts';

/** Cents, in the order of the series; null where there is no figure. */
type Amounts = Omit<Group, 'values'> & { cents: (bigint | null)[] };

type MoneyBarsProps = Pick<BarsProps, 'caption' | 'series'> & {
  groups: Amounts[];
  stacked?: boolean;
};

/** A chart's figures are numbers; every amount that a column can hold comes back to the cent. */
const exact = (value: number) => formatCents(BigInt(Math.round(value * 100)));

export function MoneyBars({ groups, stacked = false, ...rest }: MoneyBarsProps) {
  return (
    <Bars
      {...rest}
      layout={stacked ? 'stacked' : 'beside'}
      format={exact}
      groups={groups.map(({ id, name, cents }) => ({
        id,
        name,
        values: cents.map((each) => (each === null ? null : numberOf(each))),
      }))}
    />
  );
}
