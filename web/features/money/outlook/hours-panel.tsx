// What overtime and uncovered hours cost, each currency apart.
import { Link } from '@tanstack/react-router';
import { formatMoney, parseCents, sumCents } from '#shared/money.ts';
import { MoneyBars } from '#web/components/charts/bars.tsx';
import { AMOUNT, type Column, moneyColumn, TOTAL } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { ClientLink } from '#web/components/ui/place-links.tsx';
import { formatMonths } from '#web/lib/format/dates.ts';
import { formatHours } from '#web/lib/format/hours.ts';
import { useHoursCost } from './api.ts';
import { type Hours, shareOf } from './outlook.ts';

const monthOf = (month: string) => formatMonths(month, month);

type Overtime = Hours['overtime'][number];

const overtimeColumns: Column<Overtime>[] = [
  {
    header: 'Month',
    card: 'title',
    className: 'font-semibold',
    cell: ({ month }) => monthOf(month),
  },
  { header: 'Overtime', className: AMOUNT, cell: ({ minutes }) => formatHours(minutes) },
  moneyColumn('Gross pay', ({ gross }) => gross),
  {
    header: 'Share of gross pay',
    className: AMOUNT,
    cell: ({ amount, gross }) => shareOf(amount, gross) ?? '-',
  },
  moneyColumn('Overtime pay', ({ amount }) => amount, { card: 'aside', className: TOTAL }),
];

type Gap = Hours['clients'][number] & { currency: string };

const costOf = ({ unbilled, credited }: { unbilled: string; credited: string }) =>
  sumCents([unbilled, credited]);

const gapColumns: Column<Gap>[] = [
  {
    header: 'Client',
    card: 'title',
    className: 'font-semibold',
    cell: ({ client_id, client }) => <ClientLink id={client_id} name={client ?? 'No client'} />,
  },
  { header: 'Uncovered', className: AMOUNT, cell: ({ minutes }) => formatHours(minutes) },
  moneyColumn('Not billed', ({ unbilled }) => unbilled),
  moneyColumn('Credited', ({ credited }) => credited),
  moneyColumn<Gap>('Cost', costOf, { card: 'aside', className: TOTAL }),
];

const OVERTIME = [{ name: 'Overtime pay', colour: 'var(--accent-fill)' }];
const GAPS = [
  { name: 'Not billed', colour: 'var(--accent-fill)' },
  { name: 'Credited on invoices', colour: 'var(--info)' },
];

const isOf =
  (currency: string) =>
  <Row extends { currency: string | null }>(row: Row): row is Row & { currency: string } =>
    row.currency === currency;

function Currency({ hours, currency }: { hours: Hours; currency: string }) {
  const overtime = hours.overtime.filter(isOf(currency));
  const gaps = hours.gaps.filter(isOf(currency));
  const clients = hours.clients.filter(isOf(currency));
  return (
    <section aria-label={`Hours in ${currency}`} className="grid min-w-0 grid-cols-1 gap-5">
      <h3 className="font-display text-2xl">{currency}</h3>
      {overtime.length > 0 && (
        <>
          <MoneyBars
            caption={`Overtime pay by month, ${currency}`}
            series={OVERTIME}
            groups={overtime.map(({ month, amount }) => ({
              id: month,
              name: monthOf(month),
              cents: [parseCents(amount)],
            }))}
          />
          <DataTable
            label={`Overtime in ${currency}`}
            columns={overtimeColumns}
            rows={overtime}
            rowId={({ month }) => month}
            dense
            room={40}
          />
        </>
      )}
      {gaps.length > 0 && (
        <>
          <MoneyBars
            caption={`Cost of uncovered hours by month, ${currency}`}
            series={GAPS}
            stacked
            groups={gaps.map(({ month, unbilled, credited }) => ({
              id: month,
              name: monthOf(month),
              cents: [parseCents(unbilled), parseCents(credited)],
            }))}
          />
          <DataTable
            label={`Uncovered hours by client in ${currency}`}
            columns={gapColumns}
            rows={clients}
            rowId={({ client_id }) => client_id ?? 'none'}
            totals={{
              label: 'Total',
              sums: {
                Uncovered: formatHours(clients.reduce((sum, { minutes }) => sum + minutes, 0)),
                Cost: formatMoney(
                  clients.reduce((sum, each) => sum + costOf(each), 0n),
                  currency,
                ),
              },
            }}
            dense
            room={40}
          />
        </>
      )}
    </section>
  );
}

export const HoursPanel = () => (
  <Loaded query={useHoursCost()} loadingText="Loading hours...">
    {(hours) => {
      const currencies = [
        ...new Set([...hours.overtime, ...hours.gaps].flatMap(({ currency }) => currency ?? [])),
      ];
      const without = hours.gaps
        .filter(({ currency }) => currency === null)
        .reduce((sum, { minutes }) => sum + minutes, 0);
      return (
        <>
          <p className="mb-6 max-w-prose text-sm text-muted">
            {formatMonths(hours.first, hours.last)}. Overtime is that of locked{' '}
            <Link to="/admin/payruns" className={PAGE_LINK}>
              Pay Runs
            </Link>
            , in the month in which their period ends. An uncovered hour costs its price where it is
            billed by the hour, and what invoices credited for it elsewhere.
          </p>
          {currencies.length === 0 ? (
            <EmptyNote>No pay run was locked in these months, and no hour was uncovered</EmptyNote>
          ) : (
            <div className="grid gap-10">
              {currencies.map((currency) => (
                <Currency key={currency} {...{ hours, currency }} />
              ))}
              {without > 0 && (
                <p className="text-sm text-muted">
                  {formatHours(without)} were uncovered where no contract has a price, so they cost
                  nothing here.{' '}
                  <Link to="/admin/contracts" className={PAGE_LINK}>
                    Contracts
                  </Link>
                </p>
              )}
            </div>
          )}
        </>
      );
    }}
  </Loaded>
);
