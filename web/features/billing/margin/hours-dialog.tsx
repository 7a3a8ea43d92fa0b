import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { formatMonths } from '#web/lib/format/dates.ts';
import { formatHours } from '#web/lib/format/hours.ts';
import { type GuardHours, useMarginHours } from './api.ts';
import type { Months } from './rules.ts';

const columns: Column<GuardHours>[] = [
  {
    header: 'Guard',
    card: 'title',
    className: 'font-semibold',
    cell: (row) => <PersonLink id={row.user_id} name={row.full_name} />,
  },
  { header: 'Worked', className: AMOUNT, cell: (row) => formatHours(row.worked_minutes) },
  { header: 'Paid', className: AMOUNT, cell: (row) => formatHours(row.paid_minutes) },
  {
    header: 'Billed',
    card: 'aside',
    className: AMOUNT,
    cell: (row) => formatHours(row.billed_minutes),
  },
];

const sumOf = (rows: GuardHours[], key: 'worked_minutes' | 'paid_minutes' | 'billed_minutes') =>
  formatHours(rows.reduce((sum, row) => sum + row[key], 0));

type HoursDialogProps = { site: string; title: string; months: Months; onClose: () => void };

/** The hours behind the margin of a site: who worked them, and whether they were paid and billed. */
export function HoursDialog({ site, title, months, onClose }: HoursDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={`${formatMonths(months.from, months.to)}. Paid: in the period of a locked pay run. Billed: by the hour on issued invoices; a monthly amount bills none.`}
      className="sm:max-w-3xl"
    >
      <Loaded query={useMarginHours(months, site)} loadingText="Loading hours...">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyNote>No hours in these months</EmptyNote>
          ) : (
            <DataTable
              label="Hours by guard"
              columns={columns}
              rows={rows}
              rowId={({ user_id }) => user_id}
              totals={{
                label: 'Total',
                sums: {
                  Worked: sumOf(rows, 'worked_minutes'),
                  Paid: sumOf(rows, 'paid_minutes'),
                  Billed: sumOf(rows, 'billed_minutes'),
                },
              }}
              dense
              room={34}
            />
          )
        }
      </Loaded>
    </Dialog>
  );
}
