import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Below } from '#web/components/ui/below.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { periodText, RETENTION_KINDS } from '#web/lib/vocabulary/retention.ts';
import { type RetentionRow, useErasures, useRetention } from './api.ts';
import { ErasuresPanel } from './erasures-panel.tsx';
import { PeriodDialog } from './period-dialog.tsx';

/** Kept without a period, with the reason. */
const KEPT: readonly [what: string, why: string][] = [
  [
    'Hours, timesheets, payslips, payments and loans of staff',
    'The books and the law need them for years; a person can be erased from them when they are over.',
  ],
  ['Contracts, invoices, credit notes and receipts', 'They are the books.'],
  ['Clock events, rounds and reports of incidents', 'Clients and insurers ask for them.'],
];

/** In the order of the vocabulary. */
const placeOf = ({ kind }: RetentionRow) => Object.keys(RETENTION_KINDS).indexOf(kind);

const labelOf = ({ kind }: RetentionRow) => RETENTION_KINDS[kind]?.label ?? kind;

function What({ row }: { row: RetentionRow }) {
  const words = RETENTION_KINDS[row.kind];
  return (
    <div className="max-w-prose py-1">
      <p className="font-semibold">{labelOf(row)}</p>
      <p className="mt-0.5 text-sm font-normal text-pretty text-muted">
        {words?.end}
        {words?.longer && ` ${words.longer}`}
      </p>
    </div>
  );
}

function LastRun({ row }: { row: RetentionRow }) {
  if (row.last_run_at === null) return <span className="text-muted">Not yet</span>;
  if (row.last_error !== null) {
    return (
      <span className="grid justify-items-start gap-1">
        <Badge tone="red">Failed</Badge>
        <span className="text-sm">{row.last_error}</span>
      </span>
    );
  }
  return (
    <span className="grid">
      <span>{row.last_ended === 0 ? 'Nothing' : formatCount(row.last_ended ?? 0)}</span>
      <span className="text-sm whitespace-nowrap text-muted">
        {formatDateTime(row.last_run_at)}
      </span>
    </span>
  );
}

const columnsFor = (onEdit: (row: RetentionRow) => void): Column<RetentionRow>[] => [
  { header: 'Records', card: 'title', cell: (row) => <What row={row} /> },
  {
    header: 'Kept for',
    className: 'whitespace-nowrap font-semibold',
    cell: ({ days }) => periodText(days),
  },
  {
    header: 'Due next night',
    className: AMOUNT,
    cell: ({ due }) => (due === 0 ? <span className="text-muted">0</span> : formatCount(due)),
  },
  { header: 'Ended last night', cell: (row) => <LastRun row={row} /> },
  {
    header: 'Ended in 30 days',
    className: AMOUNT,
    cell: (row) => formatCount(row.ended_in_30_days),
  },
  {
    header: 'Actions',
    card: 'actions',
    className: 'text-right',
    cell: (row) => (
      <IconButton
        title="Change"
        label={`Change the period: ${labelOf(row)}`}
        Icon={Pencil}
        onClick={() => onEdit(row)}
      />
    ),
  },
];

export function RetentionScreen() {
  const [edited, setEdited] = useState<RetentionRow>();
  const query = useRetention();
  const erasures = useErasures();
  const failed = query.data?.some((row) => row.last_error !== null);
  return (
    <>
      <ScreenHeading
        title="Data Retention"
        subtitle="How long records about people are kept. After 2 each night, those past their period are removed; what is under dispute stays."
      ></ScreenHeading>
      {failed && (
        <Alert tone="danger" title="Some records were not deleted last night" className="mb-5">
          The next night tries again. If it fails again, show this page to the operator of the
          server.
        </Alert>
      )}
      <div className="grid gap-6">
        <Loaded query={query} loadingText="Loading the periods..." failure="Error">
          {(rows) => (
            <DataTable
              label="Periods"
              columns={columnsFor(setEdited)}
              rows={rows.toSorted((a, b) => placeOf(a) - placeOf(b))}
              rowId={({ id }) => id}
              room={52}
            />
          )}
        </Loaded>
        <Below queries={[query, erasures]}>
          <ErasuresPanel query={erasures} />
          <Panel title="Kept without a period">
            <dl className="grid gap-4 sm:grid-cols-3 sm:gap-8">
              {KEPT.map(([what, why]) => (
                <div key={what}>
                  <dt className="font-semibold">{what}</dt>
                  <dd className="mt-1 text-sm text-pretty text-muted">{why}</dd>
                </div>
              ))}
            </dl>
          </Panel>
        </Below>
      </div>
      {edited && <PeriodDialog row={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}
