// The columns of the security events.
import { z } from 'zod';
import { columnsOf } from '#web/components/list/columns.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { deviceName } from '#web/lib/format/device-name.ts';
import { eventLabel, eventTone } from '../labels.ts';
import type { SecurityEvent } from '../schema.ts';

const detailsSchema = z.object({ user_agent: z.string().optional() }).catch({});

function deviceOf({ details }: SecurityEvent): string {
  const { user_agent } = detailsSchema.parse(details);
  return user_agent ? deviceName(user_agent) : '-';
}

export const eventColumns = columnsOf<SecurityEvent>((column) => [
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
    cell: ({ row }) => row.original.actor_email ?? '-',
  }),
  column.display({
    id: 'event',
    header: 'Event',
    meta: { card: 'aside' },
    cell: ({ row: { original } }) => (
      <Badge tone={eventTone(original.action)}>{eventLabel(original.action)}</Badge>
    ),
  }),
  column.display({
    id: 'device',
    header: 'Device',
    cell: ({ row }) => deviceOf(row.original),
  }),
  column.display({
    id: 'address',
    header: 'Address',
    meta: { className: 'tabular-nums' },
    cell: ({ row }) => row.original.ip_address ?? '-',
  }),
]);
