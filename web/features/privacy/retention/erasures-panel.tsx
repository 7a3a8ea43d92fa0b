import type { UseQueryResult } from '@tanstack/react-query';
import { z } from 'zod';
import type { Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { nameInWords } from '#web/lib/format/letter-case.ts';
import type { ErasureRow } from './api.ts';

/** Messages of the database by table. */
const failuresSchema = z.record(z.string(), z.string()).catch({});

const failuresOf = (row: ErasureRow) => Object.entries(failuresSchema.parse(row.failures));

const hasFailed = (row: ErasureRow) => row.attempts > 0 && row.finished_at === null;

function State({ row }: { row: ErasureRow }) {
  if (row.finished_at !== null) return <span>{formatDateTime(row.finished_at)}</span>;
  if (!hasFailed(row)) return <Badge tone="blue">In progress</Badge>;
  return (
    <span className="grid justify-items-start gap-1">
      <Badge tone="red">Failed</Badge>
      {failuresOf(row).map(([table, message]) => (
        <span key={table} className="text-sm">
          {nameInWords(table.replace(/^.*\./, ''))}: {message}
        </span>
      ))}
      <span className="text-sm text-muted">Tried again {formatDateTime(row.next_at)}</span>
    </span>
  );
}

const COLUMNS: Column<ErasureRow>[] = [
  { header: 'Now named', card: 'title', cell: ({ alias }) => alias },
  {
    header: 'Erased',
    className: 'whitespace-nowrap',
    cell: ({ created_at }) => formatDateTime(created_at),
  },
  { header: 'Texts changed', cell: (row) => <State row={row} /> },
  {
    header: 'What stays in texts',
    cell: ({ refused }) =>
      refused.length === 0 ? (
        <span className="text-muted">Nothing</span>
      ) : (
        <span className="text-sm">{refused.join(' ')}</span>
      ),
  },
];

export function ErasuresPanel({ query }: { query: UseQueryResult<ErasureRow[]> }) {
  const failed = query.data?.some(hasFailed);
  return (
    <Panel title="Erased people">
      {failed && (
        <Alert
          tone="danger"
          title="The texts of an erased person could not all be changed"
          className="mb-5"
        >
          The server tries again every hour. If it fails again, show this page to the operator of
          the server.
        </Alert>
      )}
      <Loaded query={query} loadingText="Loading the erasures..." failure="Error">
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-sm text-muted">Nobody was erased in the last year.</p>
          ) : (
            <DataTable label="Erased people" columns={COLUMNS} rows={rows} rowId={({ id }) => id} />
          )
        }
      </Loaded>
    </Panel>
  );
}
