import { Link } from '@tanstack/react-router';
import { INVOICES_CURRENCY } from '#shared/database.values.ts';
import { formatMoney, parseCents, sumCents } from '#shared/money.ts';
import { SizeBars } from '#web/components/charts/size-bars.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { isKnown } from '#web/lib/cache/is-known.ts';
import { type Ageing, useAgeing } from '#web/lib/data/ageing.ts';

const AGES = [
  { name: 'Not due', key: 'not_due', colour: 'var(--info)' },
  { name: '1 to 30', key: 'days_30', colour: 'var(--caution-fill)' },
  { name: '31 to 60', key: 'days_60', colour: 'var(--warning)' },
  { name: '61 to 90', key: 'days_90', colour: 'var(--danger)' },
  { name: 'Over 90', key: 'over_90', colour: 'var(--danger)' },
] as const;

type CurrencyProps = {
  currency: string;
  /** Undefined while they load. */
  rows: Ageing[] | undefined;
};

/** Open amounts in one currency, by days after the due day. */
function Currency({ currency, rows }: CurrencyProps) {
  const bars = AGES.map(({ name, key, colour }) => ({
    name,
    colour,
    cents: sumCents(rows?.map((row) => row[key]) ?? []),
  }));
  return (
    <Panel title={`Open in ${currency}`}>
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="text-2xl leading-tight font-semibold tabular-nums">
          {rows ? formatMoney(sumCents(rows.map(({ total }) => total)), currency) : '\u00a0'}
        </p>
        <Link
          to="/admin/invoices/statements"
          search={{ currency: INVOICES_CURRENCY.find((each) => each === currency) }}
          className={buttonStyles({ variant: 'link', className: 'print:hidden' })}
          aria-label={`Open in ${currency} by client`}
        >
          By client
        </Link>
      </div>
      <div className="grid grid-cols-[1fr_auto] gap-x-4">
        <SizeBars bars={bars} />
        <ul aria-hidden="true" className="grid gap-2 text-right text-sm tabular-nums">
          {bars.map(({ name, cents }) => (
            <li key={name}>{rows && (cents === 0n ? '-' : formatMoney(cents, currency))}</li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}

/** Above the list; its own failure is not shown, because the list shows one. */
export function AgeingTotals() {
  const query = useAgeing();
  const open = query.data?.filter(({ total }) => parseCents(total) !== 0n);
  const currencies = isKnown(query)
    ? [...new Set(open?.map(({ currency }) => currency))].sort().reverse()
    : INVOICES_CURRENCY;
  if (currencies.length === 0) return null;
  return (
    <section
      aria-label="What is open, by days after it was due"
      className="mb-7 grid gap-4 lg:grid-cols-2"
    >
      {currencies.map((currency) => (
        <Currency
          key={currency}
          currency={currency}
          rows={open?.filter((row) => row.currency === currency)}
        />
      ))}
    </section>
  );
}
