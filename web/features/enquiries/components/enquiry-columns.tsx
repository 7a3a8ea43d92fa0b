// The columns of the enquiries.
import { columnsOf } from '#web/components/list/columns.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { type Enquiry, STATE_LABELS, STATE_TONES } from '../schema.ts';

export const enquiryColumns = columnsOf<Enquiry>((column) => [
  column.display({
    id: 'from',
    header: 'From',
    meta: { card: 'title', className: 'w-[24%]' },
    cell: ({ row: { original } }) => (
      <span className="break-words">
        {original.name}
        {original.company && (
          <span className="block text-sm font-normal text-muted">{original.company}</span>
        )}
      </span>
    ),
  }),
  column.display({
    id: 'message',
    header: 'Message',
    meta: { card: 'text', className: 'min-w-48' },
    cell: ({ row: { original } }) => (
      <span className="line-clamp-2 text-muted [overflow-wrap:anywhere]">{original.message}</span>
    ),
  }),
  column.display({
    id: 'received',
    header: 'Received',
    meta: { className: 'whitespace-nowrap' },
    cell: ({ row: { original } }) => (
      <time dateTime={original.created_at}>{formatDateTime(original.created_at)}</time>
    ),
  }),
  column.display({
    id: 'state',
    header: 'State',
    meta: { card: 'aside', className: 'w-32' },
    cell: ({ row: { original } }) => (
      <Badge tone={STATE_TONES[original.state]}>{STATE_LABELS[original.state]}</Badge>
    ),
  }),
]);
