import { formatMoney, sumCents } from '#shared/money.ts';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Pager } from '#web/components/list/pager.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { formatDay } from '#web/lib/format/dates.ts';
import { BOOK_ENTRY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { type BookEntry, ENTRIES_PAGE, useEntries } from './entries-api.ts';
import { AddEntryDialog, ShowEntryDialog } from './entry-dialogs.tsx';

/** @returns the debits of each currency */
function amountsOf({ lines }: BookEntry): string {
  const currencies = [...new Set(lines.map(({ currency }) => currency))].sort().reverse();
  return currencies
    .map((currency) => {
      const debits = lines.filter((line) => line.currency === currency && line.amount > 0);
      return formatMoney(sumCents(debits.map(({ amount }) => amount)), currency);
    })
    .join(', ');
}

const COLUMNS: Column<BookEntry>[] = [
  { header: 'Day', className: 'whitespace-nowrap', cell: ({ day }) => formatDay(day) },
  {
    header: 'Entry',
    card: 'title',
    className: 'font-semibold',
    cell: ({ description, voided_at }) => (
      <>
        {description}
        {voided_at && (
          <Badge tone="grey" className="ml-2">
            Voided
          </Badge>
        )}
      </>
    ),
  },
  { header: 'Kind', cell: ({ kind }) => BOOK_ENTRY_LABELS[kind] },
  { header: 'Amount', card: 'aside', className: AMOUNT, cell: amountsOf },
];

type EntriesPanelProps = {
  page: number;
  /** Id of the entry that is open, or "new". */
  open: string | undefined;
  onPage: (page: number) => void;
  onOpen: (open: string | undefined) => void;
};

/** Entries by hand: opening balances, loans, transfers, exchanges, corrections. */
export function EntriesPanel({ page, open, onPage, onOpen }: EntriesPanelProps) {
  const close = () => onOpen(undefined);
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-4">
        <p className="text-pretty text-muted">
          Opening balances, loans of the company, money moved or exchanged, corrections.
        </p>
        <Button onClick={() => onOpen('new')}>Add Entry</Button>
      </div>
      <Loaded query={useEntries(page)} loadingText="Loading the entries...">
        {({ rows, total }) =>
          total === 0 ? (
            <EmptyNote>
              No entries yet. Begin with the opening balances: what the company had and owed when it
              began to keep its books here.
            </EmptyNote>
          ) : (
            <>
              <DataTable
                label="Entries by hand"
                columns={COLUMNS}
                rows={rows}
                rowId={({ id }) => id}
                room={48}
                onOpen={({ id }) => onOpen(id)}
              />
              <Pager page={page} pageSize={ENTRIES_PAGE} total={total} onPage={onPage} />
            </>
          )
        }
      </Loaded>
      {open === 'new' && <AddEntryDialog onClose={close} />}
      {open && open !== 'new' && <ShowEntryDialog id={open} onClose={close} />}
    </>
  );
}
