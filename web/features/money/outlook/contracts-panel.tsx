// Margin by client with its trend, and the contracts that lose money.
import { Link } from '@tanstack/react-router';
import { formatMoney } from '#shared/money.ts';
import { MoneyBars } from '#web/components/charts/bars.tsx';
import { AMOUNT, type Column, moneyColumn, TOTAL } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { formatMonths } from '#web/lib/format/dates.ts';
import { useMargins } from './api.ts';
import {
  type ClientMargin,
  type Margins,
  marginByClient,
  monthsBetween,
  sumMonths,
} from './outlook.ts';

const SERIES = [
  { name: 'Billed', colour: 'var(--info)' },
  { name: 'Wages, employer’s share, direct costs', colour: 'var(--accent-fill)' },
  { name: 'Margin', colour: 'var(--success)', line: true },
];

const monthOf = (month: string) => formatMonths(month, month);

type Row = ClientMargin & { currency: string };

const redBelowZero = (cents: bigint, currency: string) => (
  <span className={cents < 0n ? 'text-danger' : undefined}>{formatMoney(cents, currency)}</span>
);

/** More columns don't fit a desk beside the sidebar. */
const SHOWN_MONTHS = 3;

/** The margin of the last months is the trend. */
const columnsOf = (
  months: readonly string[],
  isOf: { from: string; to: string },
): Column<Row>[] => [
  {
    header: 'Client',
    card: 'title',
    cell: ({ client_id, name, contracts }) => {
      const losing = contracts.filter(({ newest }) => newest !== null).length;
      return (
        <>
          <Link
            to="/admin/invoices/margin"
            search={{ ...isOf, client: client_id ?? 'none' }}
            className={`${PAGE_LINK} font-semibold`}
          >
            {name}
          </Link>
          <SecondLine>{losing > 0 && <span className="text-danger">Loses money</span>}</SecondLine>
        </>
      );
    },
  },
  moneyColumn('Billed', ({ billed }) => billed),
  moneyColumn('Costs', ({ cost }) => cost),
  ...months.slice(-SHOWN_MONTHS).map(
    (month): Column<Row> => ({
      header: monthOf(month),
      className: AMOUNT,
      cell: (row) => {
        const sum = row.months.find((each) => each.month === month);
        if (!sum || (sum.billed === 0n && sum.cost === 0n)) return '-';
        if (sum.billed !== 0n) return redBelowZero(sum.margin, row.currency);
        return <span className="text-muted">{formatMoney(sum.margin, row.currency)}</span>;
      },
    }),
  ),
  {
    header: 'Margin',
    card: 'aside',
    className: TOTAL,
    cell: ({ margin, currency }) => redBelowZero(margin, currency),
  },
];

function LosingContracts({ margins }: { margins: Margins }) {
  const losing = margins.contracts.filter(({ newest }) => newest !== null);
  if (losing.length === 0) return null;
  return (
    <Alert
      tone="danger"
      title={
        losing.length === 1 ? 'A contract loses money' : `${losing.length} contracts lose money`
      }
    >
      <ul className="grid gap-1">
        {losing.map(({ contract_id, contract, client, newest, since, months }) => {
          const newestMonth = months.find(({ month }) => month === newest);
          return (
            <li key={contract_id}>
              <Link
                to="/admin/contracts/$id"
                params={{ id: contract_id ?? '' }}
                search={{}}
                className={`${PAGE_LINK} font-semibold text-ink`}
              >
                {client}, {contract}
              </Link>
              : {formatMoney(newestMonth?.margin, margins.currency)} in {monthOf(newest ?? '')}
              {since && since !== newest && `, with a loss since ${monthOf(since)}`}.
            </li>
          );
        })}
      </ul>
    </Alert>
  );
}

function Sums({ margins }: { margins: Margins }) {
  const { currency, first, last, contracts } = margins;
  const all = monthsBetween(first, last);
  const sums = sumMonths(contracts, all);
  const begun = sums.findIndex(({ billed, cost }) => billed !== 0n || cost !== 0n);
  const months = all.slice(Math.max(begun, 0));
  const rows = marginByClient(margins, months).map((row) => ({ ...row, currency }));
  return (
    <section aria-label="Margin by client" className="grid min-w-0 grid-cols-1 gap-5">
      <LosingContracts margins={margins} />
      <MoneyBars
        caption={`Billed, costs and margin by month, ${currency}`}
        series={SERIES}
        groups={sums.slice(Math.max(begun, 0)).map(({ month, billed, cost, margin }) => ({
          id: month,
          name: monthOf(month),
          cents: [billed, cost, margin],
        }))}
      />
      <DataTable
        label={`Margin by client in ${currency}, worst first`}
        columns={columnsOf(months, { from: first, to: last })}
        rows={rows}
        rowId={({ client_id }) => client_id ?? 'none'}
        dense
        room={44}
      />
    </section>
  );
}

export const ContractsPanel = () => (
  <Loaded query={useMargins()} loadingText="Loading margins...">
    {(margins) => (
      <>
        <p className="mb-6 max-w-prose text-sm text-muted">
          Issued invoices without tax, less wages and the employer’s share of locked pay runs and
          expenses of sites, in US dollars at the rates that <strong>Margin</strong> names. Costs of
          a site are shared by what each contract billed there. A contract loses money if its newest
          month that is both billed and paid costs more than it bills. A month in grey is not
          billed.
        </p>
        {margins.contracts.length === 0 ? (
          <EmptyNote>Nothing was billed or paid in the last six months</EmptyNote>
        ) : (
          <Sums margins={margins} />
        )}
      </>
    )}
  </Loaded>
);
