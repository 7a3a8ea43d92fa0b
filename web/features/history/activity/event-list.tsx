import { z } from 'zod';
import type { Column } from '#web/components/list/columns.tsx';
import { choice } from '#web/components/list/filters.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { deviceName } from '#web/lib/format/device-name.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { useEvents } from './api.ts';
import { EVENT_LABELS, eventLabel, eventTone } from './labels.ts';
import { LogList, whenAndWho } from './log-list.tsx';
import { type ActivitySearch, EVENTS, type SecurityEvent } from './schema.ts';

const detailsSchema = z.object({ user_agent: z.string().optional() }).catch({});

function deviceOf({ details }: SecurityEvent): string {
  const { user_agent } = detailsSchema.parse(details);
  return user_agent ? deviceName(user_agent) : '-';
}

const eventColumns: Column<SecurityEvent>[] = [
  ...whenAndWho<SecurityEvent>('-'),
  {
    header: 'Event',
    card: 'aside',
    cell: (row) => <Badge tone={eventTone(row.action)}>{eventLabel(row.action)}</Badge>,
  },
  { header: 'Device', cell: (row) => deviceOf(row) },
  { header: 'Address', className: 'tabular-nums', cell: (row) => row.ip_address ?? '-' },
];

const FILTERS = [choice('event', 'Event', 'All events', toOptions(EVENTS, EVENT_LABELS))] as const;

type EventListProps = { search: ActivitySearch; onChange: ChangeSearch<ActivitySearch> };

export function EventList({ search, onChange }: EventListProps) {
  const { person, event, from, to, before } = search;
  return (
    <LogList
      search={search}
      onChange={onChange}
      filters={FILTERS}
      query={useEvents({ person, event, from, to }, before)}
      loading="Loading security events..."
      label="Security events"
      columns={eventColumns}
    />
  );
}
