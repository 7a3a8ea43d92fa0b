import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { nameOfEntry } from '#shared/documents/statement-entries.ts';
import { formatMoney, parseCents } from '#shared/money.ts';
import { PdfButton } from '#web/components/form/pdf-button.tsx';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { ExportButton, PrintButton } from '#web/components/list/list-buttons.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { formatDay } from '#web/lib/format/dates.ts';
import { buildFileName, exportStatement } from './api.ts';
import {
  type Entry,
  isBalance,
  listVoidable,
  type Statement,
  sumEntries,
  toPrintedStatement,
} from './rules.ts';
import { type VoidedReceipt, VoidReceiptDialog } from './void-receipt-dialog.tsx';

function Document({ entry }: { entry: Entry }) {
  if (entry.kind !== 'invoice' || entry.id === null) return entry.document;
  return (
    <Link to="/admin/invoices/$id" params={{ id: entry.id }} className={PAGE_LINK}>
      {entry.document}
    </Link>
  );
}

type Voiding = {
  /** Ids of the receipts that can be voided. */
  voidable: ReadonlySet<string>;
  onVoid: (receipt: VoidedReceipt) => void;
};

function VoidButton({ entry, voidable, onVoid }: Voiding & { entry: Entry }) {
  const { kind, id, document, payment } = entry;
  if (kind !== 'receipt' || id === null || !voidable.has(id)) return null;
  return (
    <Button
      variant="link"
      className="-ml-1.5 min-w-11 justify-start md:min-h-7 print:hidden"
      aria-label={`Void receipt ${document}`}
      onClick={() => onVoid({ id, payment })}
    >
      Void
    </Button>
  );
}

const columnsOf = (currency: string, voiding: Voiding): Column<Entry>[] => {
  const moneyOrNothing = (amount: number) =>
    parseCents(amount) === 0n ? '' : formatMoney(amount, currency);
  return [
    {
      header: 'Day',
      card: 'aside',
      className: 'whitespace-nowrap tabular-nums',
      cell: (entry) => formatDay(entry.day),
    },
    {
      header: 'Entry',
      card: 'title',
      className: 'font-semibold',
      cell: (entry) => (
        <>
          {nameOfEntry(entry)} <Document entry={entry} />
          <SecondLine wraps>{entry.text}</SecondLine>
          <VoidButton entry={entry} {...voiding} />
        </>
      ),
    },
    { header: 'Charge', className: AMOUNT, cell: (entry) => moneyOrNothing(entry.charge) },
    { header: 'Payment', className: AMOUNT, cell: (entry) => moneyOrNothing(entry.payment) },
    {
      header: 'Balance',
      className: AMOUNT,
      cell: (entry) => (
        <span className={isBalance(entry) ? 'font-semibold' : undefined}>
          {formatMoney(entry.balance, currency)}
        </span>
      ),
    },
  ];
};

export function StatementButtons({ statement }: { statement: Statement }) {
  return (
    <>
      <PrintButton />
      <ExportButton exportRecords={(format) => exportStatement(statement, format)} />
      <PdfButton
        variant="primary"
        name={buildFileName(statement)}
        load={async () => {
          const { statementPdf } = await import('#shared/documents/statement-pdf.ts');
          return () => statementPdf(toPrintedStatement(statement));
        }}
      />
    </>
  );
}

/** Every document of the client in the period, between the opening and the closing balance. */
export function StatementTable({
  statement: { entries, period, client },
}: {
  statement: Statement;
}) {
  const { currency } = period;
  const { opening, charges, payments, closing } = sumEntries(entries);
  const [voiding, setVoiding] = useState<VoidedReceipt>();
  return (
    <div className="grid gap-6">
      <Figures
        figures={[
          ['Opening balance', formatMoney(opening, currency)],
          ['Charged', formatMoney(charges, currency)],
          ['Paid or credited', formatMoney(payments, currency)],
          ['Closing balance', formatMoney(closing, currency)],
        ]}
      />
      <DataTable
        label={`Statement of ${client.name}`}
        columns={columnsOf(currency, { voidable: listVoidable(entries), onVoid: setVoiding })}
        rows={entries}
        rowId={({ kind, id }) => `${kind} ${id}`}
        room={46}
      />
      {voiding && (
        <VoidReceiptDialog
          receipt={voiding}
          currency={currency}
          onClose={() => setVoiding(undefined)}
        />
      )}
    </div>
  );
}
