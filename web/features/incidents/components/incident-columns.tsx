// The columns of the incidents.
import { Paperclip } from 'lucide-react';
import { columnsOf } from '#web/components/list/columns.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { CATEGORY_LABELS } from '../labels.ts';
import type { IncidentRow } from '../schema.ts';
import { IncidentActions } from './incident-actions.tsx';
import { SeverityBadge, StatusBadge } from './incident-badges.tsx';

function EvidenceCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="ml-2 inline-flex items-center gap-1 align-middle text-sm font-normal text-muted">
      <Paperclip aria-hidden="true" className="size-3.5" />
      {count}
      <span className="sr-only">{count === 1 ? ' piece of evidence' : ' pieces of evidence'}</span>
    </span>
  );
}

export const incidentColumns = (onView: (row: IncidentRow) => void) =>
  columnsOf<IncidentRow>((column) => [
    column.display({
      id: 'title',
      header: 'Title',
      meta: { card: 'title', className: 'min-w-44', sort: 'title' },
      cell: ({ row: { original } }) => (
        <span className="[overflow-wrap:anywhere]">
          {original.title}
          <EvidenceCount count={original.evidence.length} />
        </span>
      ),
    }),
    column.display({
      id: 'site',
      header: 'Site',
      meta: { className: 'w-[18%]', sort: 'site' },
      cell: ({ row: { original } }) => original.sites.name,
    }),
    column.display({
      id: 'category',
      header: 'Category',
      cell: ({ row: { original } }) => CATEGORY_LABELS[original.category],
    }),
    column.display({
      id: 'severity',
      header: 'Severity',
      meta: { card: 'aside', sort: 'severity' },
      cell: ({ row: { original } }) => <SeverityBadge severity={original.severity} />,
    }),
    column.display({
      id: 'status',
      header: 'Status',
      meta: { sort: 'status' },
      cell: ({ row: { original } }) => <StatusBadge status={original.status} />,
    }),
    column.display({
      id: 'reported',
      header: 'Reported',
      meta: { className: 'whitespace-nowrap', sort: 'reported' },
      cell: ({ row: { original } }) => (
        <time dateTime={original.created_at}>{formatDateTime(original.created_at)}</time>
      ),
    }),
    column.display({
      id: 'actions',
      header: 'Actions',
      meta: { card: 'actions', className: 'w-px text-right' },
      cell: ({ row: { original } }) => (
        <IncidentActions incident={original} onView={() => onView(original)} />
      ),
    }),
  ]);
