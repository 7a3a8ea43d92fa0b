// How long clients take to pay, each currency apart.
import { Link } from '@tanstack/react-router';
import { formatMoney, parseCents, sumCents } from '#shared/money.ts';
import { Bars } from '#web/components/charts/bars.tsx';
import { AMOUNT, type Column, moneyColumn } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { formatMonths } from '#web/lib/format/dates.ts';
import { useDebtors } from './api.ts';
import { type Debtor, type Debtors, debtorMonths } from './outlook.ts';

const SERIES = [{ name: 'Debtors’ days', colour: 'var(--info)' }];

const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`;

const columns: Column<Debtor>[] = [
  {
    header: 'Client',
    card: 'title',
    className: 'font-semibold',
    cell: ({ client_id, client }) => (
      <Link to="/admin/invoices/statements" search={{ client: client_id }} className={PAGE_LINK}>
        {client}
      </Link>
    ),
  },
  moneyColumn('Open', ({ open }) => open),
  moneyColumn('Overdue', ({ overdue }) => overdue, {
    card: 'aside',
    cell: ({ overdue, currency }) => (
      <span className={parseCents(overdue) > 0n ? 'font-semibold text-danger' : undefined}>
        {formatMoney(overdue, currency)}
      </span>
    ),
  }),
  { header: 'Terms', className: AMOUNT, cell: ({ terms }) => days(terms) },
  {
    header: 'Usually pays after',
    className: AMOUNT,
    cell: ({ habit, terms }) =>
      habit === null ? (
        <span className="text-muted">No payment yet</span>
      ) : (
        <span className={habit > terms ? 'text-danger' : undefined}>{days(habit)}</span>
      ),
  },
];

function Currency({ debtors, currency }: { debtors: Debtors; currency: string }) {
  const months = debtorMonths(debtors, currency);
  const clients = debtors.clients.filter((each) => each.currency === currency);
  const last = months.at(-1);
  const sum = (key: 'open' | 'overdue') =>
    formatMoney(sumCents(clients.map((each) => each[key])), currency);
  return (
    <section aria-label={`Debtors in ${currency}`} className="grid min-w-0 grid-cols-1 gap-5">
      <h3 className="font-display text-2xl">{currency}</h3>
      <Figures
        figures={[
          [
            last
              ? `Debtors’ days, end of ${formatMonths(last.month, last.month)}`
              : 'Debtors’ days',
            last?.days == null ? 'Nothing billed' : days(last.days),
          ],
          ['Open today', sum('open')],
          ['Overdue today', sum('overdue')],
        ]}
      />
      {months.length > 1 && (
        <Bars
          caption={`Debtors’ days at the end of each month, ${currency}`}
          series={SERIES}
          groups={months.map((each) => ({
            id: each.month,
            name: formatMonths(each.month, each.month),
            values: [each.days],
          }))}
          format={String}
        />
      )}
      {clients.length === 0 ? (
        <EmptyNote>No invoice is open</EmptyNote>
      ) : (
        <DataTable
          label={`Clients that owe ${currency}`}
          columns={columns}
          rows={clients}
          rowId={({ client_id }) => client_id}
          dense
          room={44}
        />
      )}
    </section>
  );
}

export const DebtorsPanel = () => (
  <Loaded query={useDebtors()} loadingText="Loading debtors...">
    {(debtors) => {
      const currencies = [
        ...new Set([...debtors.months, ...debtors.clients].map(({ currency }) => currency)),
      ].filter(
        (each) =>
          debtorMonths(debtors, each).length > 0 ||
          debtors.clients.some(({ currency }) => currency === each),
      );
      return (
        <>
          <p className="mb-6 max-w-prose text-sm text-muted">
            Debtors’ days: what clients owe at the end of a month by the books, in days of what was
            billed in the three months before, with tax. Clients pay by the days from issue to
            receipt in the last year, weighted by amount.
          </p>
          {currencies.length === 0 ? (
            <EmptyNote>No invoice has been issued yet, so nobody owes anything</EmptyNote>
          ) : (
            <div className="grid gap-10">
              {currencies.map((currency) => (
                <Currency key={currency} {...{ debtors, currency }} />
              ))}
            </div>
          )}
        </>
      );
    }}
  </Loaded>
);
