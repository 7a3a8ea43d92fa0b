// Trial balance, profit and loss, balance sheet: each in every currency in which accounts have moved.
import type { ReactNode } from 'react';
import { parseCents } from '#shared/money.ts';
import { MoneyBars } from '#web/components/charts/bars.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { formatDay, formatMonths } from '#web/lib/format/dates.ts';
import { BalanceTable } from './balance-table.tsx';
import { useBalances, useProfits } from './books-api.ts';
import type { Days } from './rules.ts';
import { StatementTable } from './statement-table.tsx';
import { type Balance, currenciesOf, profitOf, sheetOf } from './statements.ts';

type PanelProps = { days: Days };

type EachProps = PanelProps & { children: (balances: Balance[], currency: string) => ReactNode };

function EachCurrency({ days, children }: EachProps) {
  return (
    <Loaded query={useBalances(days)} loadingText="Loading the books...">
      {(balances) =>
        balances.length === 0 ? (
          <EmptyNote>
            Nothing has been booked up to {formatDay(days.to)}. Invoices, receipts, pay runs and
            expenses are booked by themselves; opening balances are added under Entries.
          </EmptyNote>
        ) : (
          <div className="grid gap-10">
            {currenciesOf(balances).map((currency) => (
              <div key={currency} className="min-w-0">
                {children(
                  balances.filter((each) => each.currency === currency),
                  currency,
                )}
              </div>
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

export const BalancesPanel = ({ days }: PanelProps) => (
  <EachCurrency days={days}>
    {(balances, currency) => <BalanceTable {...{ balances, currency, days }} />}
  </EachCurrency>
);

const SERIES = [
  { name: 'Income', colour: 'var(--info)' },
  { name: 'Expenses', colour: 'var(--accent-fill)' },
  { name: 'Profit', colour: 'var(--success)', line: true },
];

function ProfitChart({ days, currency }: PanelProps & { currency: string }) {
  const { data } = useProfits(days);
  const months = data?.filter((each) => each.currency === currency);
  // One month is no comparison. Without an error state: the statement shows one.
  if (months && months.length < 2) return null;
  return (
    <MoneyBars
      caption={`Income, expenses and profit by month, ${currency}`}
      series={SERIES}
      groups={months?.map(({ month, income, expenses }) => {
        const [earned, spent] = [parseCents(income), parseCents(expenses)];
        return {
          id: month,
          name: formatMonths(month, month),
          cents: [earned, spent, earned - spent],
        };
      })}
    />
  );
}

export const ProfitPanel = ({ days }: PanelProps) => (
  <EachCurrency days={days}>
    {(balances, currency) => {
      const { income, expenses, profit } = profitOf(balances);
      return (
        <section aria-label={`Profit and loss in ${currency}`} className="grid min-w-0 gap-5">
          <h3 className="font-display text-2xl">{currency}</h3>
          <ProfitChart days={days} currency={currency} />
          <StatementTable
            label={`Profit and loss in ${currency}`}
            parts={[income, expenses]}
            result={{ name: profit < 0n ? 'Loss' : 'Profit', cents: profit }}
            {...{ currency, days }}
          />
        </section>
      );
    }}
  </EachCurrency>
);

export const SheetPanel = ({ days }: PanelProps) => (
  <EachCurrency days={days}>
    {(balances, currency) => {
      const { assets, liabilities, equity, isBalanced } = sheetOf(balances);
      return (
        <section aria-label={`Balance sheet in ${currency}`} className="grid min-w-0 gap-5">
          <h3 className="font-display text-2xl">
            {currency}, {formatDay(days.to)}
          </h3>
          {isBalanced ? (
            <Alert tone="success" title="Assets equal liabilities and equity" />
          ) : (
            <Alert tone="danger" title="Assets differ from liabilities and equity" />
          )}
          <StatementTable
            label={`Balance sheet in ${currency}`}
            parts={[assets, liabilities, equity]}
            {...{ currency, days }}
          />
        </section>
      );
    }}
  </EachCurrency>
);
