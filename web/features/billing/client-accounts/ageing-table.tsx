import { Link } from '@tanstack/react-router';
import { INVOICES_CURRENCY } from '#shared/database.values.ts';
import { formatMoney, parseCents } from '#shared/money.ts';
import { DisputeBadge } from '#web/components/disputes/disputes.tsx';
import { placesOfScreen } from '#web/components/layout/use-screen-focus.ts';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { keepFocus } from '#web/components/ui/focus-places.ts';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { type Ageing, useAgeing } from '#web/lib/data/ageing.ts';
import { useOpenDisputes } from '#web/lib/data/disputes.ts';

const FIGURES = [
  ['Not due', 'not_due'],
  ['1 to 30', 'days_30'],
  ['31 to 60', 'days_60'],
  ['61 to 90', 'days_90'],
  ['Over 90', 'over_90'],
  ['On account', 'on_account'],
] as const;

const columnsOf = (disputed: ReadonlySet<string>): Column<Ageing>[] => [
  {
    header: 'Client',
    card: 'title',
    className: 'font-semibold',
    cell: ({ client_id, client_name, currency }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to="/admin/invoices/statements"
          search={{
            client: client_id,
            currency: INVOICES_CURRENCY.find((each) => each === currency),
          }}
          className={PAGE_LINK}
          // The statement replaces the table.
          onClick={({ currentTarget }) => keepFocus(currentTarget, placesOfScreen)}
        >
          {client_name}
        </Link>
        {disputed.has(client_id) && <DisputeBadge />}
      </span>
    ),
  },
  ...FIGURES.map(([header, key]) => ({
    header,
    className: AMOUNT,
    cell: (row: Ageing) => (parseCents(row[key]) === 0n ? '' : formatMoney(row[key], row.currency)),
  })),
  {
    header: 'Open',
    card: 'aside',
    className: `${AMOUNT} font-semibold`,
    cell: (row) => formatMoney(row.total, row.currency),
  },
];

/** A client opens to its statement. */
export function AgeingTable({ currency }: { currency: string | undefined }) {
  const { data: disputes = [] } = useOpenDisputes();
  const disputed = new Set(disputes.map(({ client_id }) => client_id));
  return (
    <Loaded query={useAgeing()} loadingText="Loading what is open...">
      {(all) => {
        const rows = all.filter((row) => currency === undefined || row.currency === currency);
        if (rows.length === 0)
          return (
            <EmptyNote>Nothing is open. Invoices appear here from issuing until payment.</EmptyNote>
          );
        return (
          <DataTable
            label="Open by client"
            columns={columnsOf(disputed)}
            rows={rows}
            rowId={(row) => `${row.client_id} ${row.currency}`}
            dense
            room={56}
          />
        );
      }}
    </Loaded>
  );
}
