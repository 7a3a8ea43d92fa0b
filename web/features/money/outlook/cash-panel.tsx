// Cash of the next 13 weeks, each currency apart.
import { Link } from '@tanstack/react-router';
import { formatMoney, parseCents } from '#shared/money.ts';
import { MoneyBars } from '#web/components/charts/bars.tsx';
import { AMOUNT, type Column, moneyColumn, TOTAL } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDay, formatDayShort } from '#web/lib/format/dates.ts';
import { useCash } from './api.ts';
import {
  type Cash,
  currenciesOf,
  type Money,
  SOURCES,
  type SourceSum,
  sourcesOf,
  totalOf,
  type Week,
  weeksOf,
} from './outlook.ts';
import type { OutlookSearch } from './search.ts';
import { SOURCE_TEXTS } from './sources.ts';
import { WeekDialog } from './week-dialog.tsx';

const SERIES = [
  { name: 'Comes in', colour: 'var(--info)' },
  { name: 'Goes out', colour: 'var(--accent-fill)' },
  { name: 'Left at the end', colour: 'var(--success)', line: true },
];

const sourceColumns: Column<SourceSum>[] = [
  {
    header: 'Source',
    card: 'title',
    cell: ({ source }) => {
      const { name, how, place } = SOURCE_TEXTS[source];
      return (
        <>
          <Link to={place.to} search={place.search ?? {}} className={`${PAGE_LINK} font-semibold`}>
            {name}
          </Link>
          <SecondLine wraps>{how}</SecondLine>
        </>
      );
    },
  },
  { header: 'Documents', className: AMOUNT, cell: ({ documents }) => documents },
  moneyColumn('Amount', ({ cents }) => cents, { card: 'aside', className: TOTAL }),
];

const weekColumns = (currency: string): Column<Week>[] => {
  const money = (cents: bigint) => formatMoney(cents, currency);
  return [
    {
      header: 'Week from',
      card: 'title',
      className: 'font-semibold',
      cell: ({ begins }) => formatDay(begins),
    },
    { header: 'Comes in', className: AMOUNT, cell: ({ comes }) => money(comes) },
    { header: 'Goes out', className: AMOUNT, cell: ({ goes }) => money(-goes) },
    {
      header: 'Left at the end',
      card: 'aside',
      className: TOTAL,
      cell: ({ balance }) => (
        <span className={balance < 0n ? 'text-danger' : undefined}>{money(balance)}</span>
      ),
    },
  ];
};

/** Where the money of today was read, and what disagrees. */
function MoneySource({ money }: { money: Money | undefined }) {
  const link = (to: string, name: string, search = {}) => (
    <Link to={to} search={search} className={PAGE_LINK}>
      {name}
    </Link>
  );
  const accounts = link('/admin/bankaccounts', 'Bank Accounts');
  const books = link('/admin/invoices/accounting', 'Trial Balance', { tab: 'balances' });
  if (!money) {
    return (
      <p className="text-sm text-muted">
        Neither {accounts} nor the {books} have money in this currency.
      </p>
    );
  }
  const text = (amount: string | null) => formatMoney(amount, money.currency);
  if (money.statements === null || money.statements_on === null) {
    return (
      <p className="text-sm text-muted">
        Bank, cash and mobile money are those of the {books}: no active account of {accounts} has a
        balance.
      </p>
    );
  }
  const isDifferent = money.books !== null && parseCents(money.books) !== parseCents(money.bank);
  return (
    <p className="text-sm text-muted">
      Bank: {text(money.statements)} on {formatDay(money.statements_on)} by {accounts}, and{' '}
      {text(money.moved_since)} that the {books} moved since. Cash and mobile money are those of the
      books.
      {isDifferent && ` The books have ${text(money.books)} in the bank: reconcile them.`}
    </p>
  );
}

type CurrencyProps = { cash: Cash; currency: string; onOpen: (week: number) => void };

function Currency({ cash, currency, onOpen }: CurrencyProps) {
  const money = cash.money.find((each) => each.currency === currency);
  const weeks = weeksOf(cash, currency);
  const sources = sourcesOf(cash, currency);
  const later = cash.rows.filter((row) => row.currency === currency && row.week === null);
  const lowest = weeks.reduce<Week | undefined>(
    (found, each) => (found && found.balance <= each.balance ? found : each),
    undefined,
  );
  const short = weeks.find(({ balance }) => balance < 0n);
  const show = (amount: string | bigint | undefined) => formatMoney(amount, currency);
  return (
    <section aria-label={`Cash in ${currency}`} className="grid min-w-0 grid-cols-1 gap-5">
      <h3 className="font-display text-2xl">{currency}</h3>
      {short && (
        <Alert
          tone="danger"
          title={`Not enough ${currency} in the week from ${formatDay(short.begins)}`}
        >
          {show(-short.balance)} are missing at its end, if everything comes and goes as expected.
        </Alert>
      )}
      <Figures
        figures={[
          ['Bank', show(money?.bank)],
          ['Cash', show(money?.cash)],
          ['Mobile money', show(money?.mobile_money)],
          ['Today', show(totalOf(money))],
          [
            lowest ? `Lowest, week from ${formatDayShort(lowest.begins)}` : 'Lowest',
            show(lowest?.balance),
          ],
          [`After ${cash.weeks} weeks`, show(weeks.at(-1)?.balance)],
        ]}
      />
      <MoneySource money={money} />
      <MoneyBars
        caption={`Cash by week, ${currency}`}
        series={SERIES}
        groups={weeks.map(({ begins, comes, goes, balance }) => ({
          id: begins,
          name: formatDayShort(begins),
          cents: [comes, goes, balance],
        }))}
      />
      <DataTable
        label={`Weeks in ${currency}`}
        columns={weekColumns(currency)}
        rows={weeks}
        rowId={({ begins }) => begins}
        onOpen={({ week }) => onOpen(week)}
        dense
        room={34}
      />
      {sources.length > 0 && (
        <DataTable
          label={`Where the figures in ${currency} come from`}
          columns={sourceColumns}
          rows={sources}
          rowId={({ source }) => source}
          dense
          room={34}
        />
      )}
      {later.length > 0 && (
        <p className="text-sm text-muted">
          Not in these weeks: {later.length === 1 ? 'an invoice' : `${later.length} invoices`} of{' '}
          {show(later.reduce((sum, { amount }) => sum + parseCents(amount), 0n))}, so late that{' '}
          {later.length === 1 ? 'it is' : 'they are'} expected after them, or not at all.
        </p>
      )}
    </section>
  );
}

type CashPanelProps = { search: OutlookSearch; onChange: ChangeSearch<OutlookSearch> };

export function CashPanel({ search, onChange }: CashPanelProps) {
  const query = useCash();
  return (
    <Loaded query={query} loadingText="Loading cash...">
      {(cash) => {
        const missing = SOURCES.filter((source) => !cash.rows.some((row) => row.source === source));
        const currencies = currenciesOf(cash);
        return (
          <div className="grid gap-10">
            {currencies.length === 0 && (
              <EmptyNote>
                There is no money in the books or in Bank Accounts yet, and none is expected
              </EmptyNote>
            )}
            {currencies.map((each) => (
              <Currency
                key={each}
                cash={cash}
                currency={each}
                onOpen={(week) => onChange({ open: `${each}-${week}` })}
              />
            ))}
            {missing.length > 0 && (
              <section aria-labelledby="missing-figures">
                <h3 id="missing-figures" className="font-display text-xl">
                  Not in these figures
                </h3>
                <ul className="mt-2 grid gap-1 text-muted">
                  {missing.map((source) => {
                    const { name, missing: why, place } = SOURCE_TEXTS[source];
                    return (
                      <li key={source}>
                        {why}{' '}
                        <Link to={place.to} search={place.search ?? {}} className={PAGE_LINK}>
                          {name}
                        </Link>
                      </li>
                    );
                  })}
                </ul>
              </section>
            )}
            {search.open && (
              <WeekDialog
                cash={cash}
                currency={search.open.slice(0, 3)}
                week={Number(search.open.slice(4))}
                onClose={() => onChange({ open: undefined })}
              />
            )}
          </div>
        );
      }}
    </Loaded>
  );
}
