import { Link } from '@tanstack/react-router';
import { formatMoney, parseCents } from '#shared/money.ts';
import { AMOUNT, type Column, TOTAL } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Pager } from '#web/components/list/pager.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { LEDGER_PAGE, useLedger } from './books-api.ts';
import { DocumentLink } from './document-link.tsx';
import type { Days } from './rules.ts';
import type { LedgerRow } from './statements.ts';

const columnsIn = (currency: string): Column<LedgerRow>[] => {
  const money = (amount: string) =>
    parseCents(amount) === 0n ? '' : formatMoney(amount, currency);
  return [
    { header: 'Date', className: 'whitespace-nowrap', cell: ({ day }) => formatDay(day) },
    { header: 'Document', card: 'title', cell: (row) => <DocumentLink row={row} /> },
    { header: 'Text', card: 'text', cell: ({ text }) => text },
    { header: 'Debit', className: AMOUNT, cell: ({ debit }) => money(debit) },
    { header: 'Credit', className: AMOUNT, cell: ({ credit }) => money(credit) },
    {
      header: 'Balance',
      card: 'aside',
      className: TOTAL,
      cell: ({ balance }) => formatMoney(balance, currency),
    },
  ];
};

type LedgerPanelProps = {
  account: string;
  currency: string;
  days: Days;
  page: number;
  onPage: (page: number) => void;
};

/** Every entry of one account, with the balance after it. */
export function LedgerPanel({ account, currency, days, page, onPage }: LedgerPanelProps) {
  return (
    <Loaded
      query={useLedger({ account, currency, days }, page)}
      loadingText="Loading the ledger..."
    >
      {({ code, name, opening, debit, credit, closing, lines, rows }) => (
        <div className="grid gap-6">
          <div>
            <Link
              to="/admin/invoices/accounting"
              search={{ tab: 'balances', ...days }}
              className={PAGE_LINK}
            >
              Trial Balance
            </Link>
            <h3 className="mt-3 font-display text-2xl">
              {code} {name}, {currency}
            </h3>
          </div>
          <Figures
            figures={[
              ['Before', formatMoney(opening, currency)],
              ['Debits', formatMoney(debit, currency)],
              ['Credits', formatMoney(credit, currency)],
              ['After', formatMoney(closing, currency)],
            ]}
          />
          {lines === 0 ? (
            <EmptyNote>Nothing was booked to this account in these days.</EmptyNote>
          ) : (
            <DataTable
              label={`Ledger of ${name}`}
              columns={columnsIn(currency)}
              rows={rows}
              rowId={({ place }) => String(place)}
              dense
              room={56}
            />
          )}
          <Pager page={page} pageSize={LEDGER_PAGE} total={lines} onPage={onPage} />
        </div>
      )}
    </Loaded>
  );
}
