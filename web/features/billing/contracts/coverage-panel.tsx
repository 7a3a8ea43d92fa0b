import { Bars } from '#web/components/charts/bars.tsx';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { Steps } from '#web/components/ui/steps.tsx';
import { formatDayShort, formatMonths, today } from '#web/lib/format/dates.ts';
import { findPeriod, stepPeriod } from '#web/lib/format/pay-periods.ts';
import { useCoverage } from './api.ts';
import { byDay, byPost, COVERAGE_SERIES, hours, type PostCoverage } from './rules.ts';
import type { Contract } from './schema.ts';

const columns: Column<PostCoverage>[] = [
  { header: 'Post', card: 'title', className: 'font-semibold', cell: (row) => row.post },
  { header: 'Site', cell: (row) => row.site },
  { header: 'Required', className: AMOUNT, cell: (row) => hours(row.required) },
  { header: 'Worked', className: AMOUNT, cell: (row) => hours(row.worked) },
  { header: 'Late', className: AMOUNT, cell: (row) => hours(row.late) },
  {
    header: 'Uncovered',
    className: AMOUNT,
    cell: (row) => (
      <span className={row.absent > 0 ? 'font-semibold text-danger' : undefined}>
        {hours(row.absent)}
      </span>
    ),
  },
  { header: 'Overstaffed', className: AMOUNT, cell: (row) => hours(row.overstaffed) },
  {
    header: 'Covered',
    card: 'aside',
    className: `${AMOUNT} font-semibold`,
    cell: (row) => row.share,
  },
];

type CoveragePanelProps = {
  contract: Contract;
  /** A day of the shown month; this month without it. */
  day: string | undefined;
  onDay: (day: string) => void;
};

export function CoveragePanel({ contract, day = today(), onDay }: CoveragePanelProps) {
  const { start, end } = findPeriod('monthly', day);
  const query = useCoverage(contract.client_id, { start, end });
  return (
    <div className="grid gap-6">
      <div className="-ml-2 flex items-center">
        <Steps
          unit="month"
          iconClass="size-5"
          onStep={(step) => onDay(stepPeriod('monthly', day, step))}
        >
          <p aria-live="polite" className="min-w-28 px-1 text-center text-lg font-semibold">
            {formatMonths(start, end)}
          </p>
        </Steps>
      </div>
      <Loaded query={query} loadingText="Loading coverage...">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyNote>No shifts at the sites of {contract.clients.name} in this month.</EmptyNote>
          ) : (
            <>
              <Bars
                caption={`Hours at the sites of ${contract.clients.name} by day: covered, late and uncovered`}
                layout="stacked"
                series={COVERAGE_SERIES}
                groups={byDay(rows).map(({ day: of, covered, late, absent }) => ({
                  id: of,
                  name: formatDayShort(of),
                  values: [covered, late, absent].map((minutes) => minutes / 60),
                }))}
                format={(value) => hours(value * 60)}
              />
              <DataTable
                label="Coverage by post"
                columns={columns}
                rows={byPost(rows)}
                rowId={({ id }) => id}
                room={56}
              />
            </>
          )
        }
      </Loaded>
    </div>
  );
}
