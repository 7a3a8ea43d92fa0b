import { Link } from '@tanstack/react-router';
import { formatMoney, parseCents } from '#shared/money.ts';
import { type Column, moneyColumn, TOTAL } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { EmptyNote } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { formatDay, formatPeriod } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import type { Cash, Expected } from './outlook.ts';
import { placeOfExpected, SOURCE_TEXTS } from './sources.ts';

const columns: Column<Expected>[] = [
  {
    header: 'Document',
    card: 'title',
    cell: (row) => {
      const { to, search = {} } = placeOfExpected(row);
      return (
        <>
          <Link to={to} search={search} className={`${PAGE_LINK} font-semibold`}>
            {row.document}
          </Link>
          <SecondLine wraps>{row.reason}</SecondLine>
        </>
      );
    },
  },
  { header: 'Source', cell: ({ source }) => SOURCE_TEXTS[source].name },
  { header: 'Date', className: 'whitespace-nowrap', cell: ({ day }) => formatDay(day) },
  moneyColumn('Amount', ({ amount }) => amount, { card: 'aside', className: TOTAL }),
];

type WeekDialogProps = { cash: Cash; week: number; currency: string; onClose: () => void };

/** What is expected to come and to go in a week, document by document, the largest first. */
export function WeekDialog({ cash, week, currency, onClose }: WeekDialogProps) {
  const size = ({ amount }: Expected) => Math.abs(Number(amount));
  const rows = cash.rows
    .filter((row) => row.week === week && row.currency === currency)
    .sort((a, b) => size(b) - size(a));
  const first = dayAfter(cash.today, 7 * (week - 1));
  const sum = rows.reduce((total, { amount }) => total + parseCents(amount), 0n);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${formatPeriod(first, dayAfter(first, 6))}, ${currency}`}
      description="What is expected in this week, the largest amounts first."
      className="sm:max-w-4xl"
    >
      {rows.length === 0 ? (
        <EmptyNote>Nothing is expected in this week</EmptyNote>
      ) : (
        <DataTable
          label="Documents of the week"
          columns={columns}
          rows={rows}
          rowId={({ source, document, day }) => `${source} ${document} ${day}`}
          totals={{ label: 'Comes in less goes out', sums: { Amount: formatMoney(sum, currency) } }}
          dense
          room={40}
        />
      )}
    </Dialog>
  );
}
