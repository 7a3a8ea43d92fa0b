// The columns of the activity log.
import { columnsOf } from '#web/components/list/columns.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { changesOf, recordName } from '../changes.ts';
import { ACTION_LABELS, ACTION_TONES, words } from '../labels.ts';
import type { Entry } from '../schema.ts';

/** Fields named in a row; the dialog tells the rest. */
const NAMED = 4;

function changedFields(entry: Entry): string {
  if (entry.action !== 'update') return '';
  const fields = changesOf(entry).map(({ field }) => words(field));
  const further = fields.length > NAMED ? ` and ${fields.length - NAMED} more` : '';
  return `${fields.slice(0, NAMED).join(', ')}${further}`;
}

export const entryColumns = columnsOf<Entry>((column) => [
  column.display({
    id: 'at',
    header: 'When',
    meta: { card: 'title', className: 'whitespace-nowrap' },
    cell: ({ row }) => <time dateTime={row.original.at}>{formatDateTime(row.original.at)}</time>,
  }),
  column.display({
    id: 'person',
    header: 'Person',
    meta: { className: '[overflow-wrap:anywhere]' },
    cell: ({ row }) => row.original.actor_email ?? 'The system',
  }),
  column.display({
    id: 'action',
    header: 'Action',
    meta: { card: 'aside' },
    cell: ({ row: { original } }) => (
      <Badge tone={ACTION_TONES[original.action]}>{ACTION_LABELS[original.action]}</Badge>
    ),
  }),
  column.display({
    id: 'table',
    header: 'Table',
    meta: { className: 'whitespace-nowrap' },
    cell: ({ row }) => words(row.original.table_name),
  }),
  column.display({
    id: 'record',
    header: 'Record',
    meta: { card: 'text', className: 'min-w-48 text-muted' },
    cell: ({ row: { original } }) => (
      <span className="line-clamp-2 [overflow-wrap:anywhere]">
        {recordName(original)}
        {recordName(original) && changedFields(original) && ': '}
        {changedFields(original)}
      </span>
    ),
  }),
]);
