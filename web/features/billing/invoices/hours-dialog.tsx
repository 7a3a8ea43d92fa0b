import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { formatDateTime, formatMinutes, formatTime } from '#web/lib/format/dates.ts';
import { type BilledPiece, useHours } from './api.ts';
import type { InvoiceLine } from './schema.ts';

const columns: Column<BilledPiece>[] = [
  { header: 'Guard', card: 'title', className: 'font-semibold', cell: (row) => row.full_name },
  {
    header: 'Worked',
    className: 'whitespace-nowrap',
    cell: (row) => `${formatDateTime(row.starts_at)} to ${formatTime(row.ends_at)}`,
  },
  {
    header: 'Clocked in',
    className: 'whitespace-nowrap',
    cell: (row) => (row.clock_in_at ? formatTime(row.clock_in_at) : '-'),
  },
  {
    header: 'Clocked out',
    className: 'whitespace-nowrap',
    cell: (row) => (
      <>
        {row.clock_out_at ? formatTime(row.clock_out_at) : '-'}
        {row.corrected && (
          <Badge tone="grey" className="ml-2">
            Corrected
          </Badge>
        )}
      </>
    ),
  },
  {
    header: 'Time',
    card: 'aside',
    className: AMOUNT,
    cell: (row) => formatMinutes(row.minutes),
  },
];

function descriptionOf({ kind, minutes, explanation }: InvoiceLine): string {
  return kind === 'fixed'
    ? explanation
    : `${formatMinutes(minutes ?? 0)} billed. ${explanation}`.trim();
}

export function HoursDialog({ line, onClose }: { line: InvoiceLine; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={line.description}
      description={descriptionOf(line)}
      className="sm:max-w-4xl"
    >
      <Loaded query={useHours(line.id)} loadingText="Loading hours...">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyNote>
              {line.kind === 'fixed'
                ? 'Nobody worked at this post in this month.'
                : 'These hours were credited, and can be billed again.'}
            </EmptyNote>
          ) : (
            <div className="grid gap-4">
              {line.kind === 'fixed' && (
                <p className="tabular-nums">
                  <strong>
                    {formatMinutes(rows.reduce((sum, { minutes }) => sum + minutes, 0))}
                  </strong>{' '}
                  worked, included in the fixed amount.
                </p>
              )}
              <DataTable
                label="Hours"
                columns={columns}
                rows={rows}
                rowId={({ full_name, starts_at }) => `${full_name} ${starts_at}`}
                dense
                room={46}
              />
            </div>
          )
        }
      </Loaded>
    </Dialog>
  );
}
