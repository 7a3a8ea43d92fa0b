// The security events: sign-ins and failures, passwords, second steps, disabled accounts.
import { FilterSelect } from '#web/components/list/filter-select.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useEvents } from '../api/list-events.ts';
import { EVENT_LABELS } from '../labels.ts';
import { type ActivitySearch, EVENTS } from '../schema.ts';
import { eventColumns } from './event-columns.tsx';
import { LogFilters } from './log-filters.tsx';
import { LogTable } from './log-table.tsx';

const EVENT_OPTIONS = EVENTS.map((event) => [event, EVENT_LABELS[event]] as const);

type EventListProps = { search: ActivitySearch; onChange: ChangeSearch<ActivitySearch> };

export function EventList({ search, onChange }: EventListProps) {
  const { person, event, from, to, before } = search;
  const query = useEvents({ person, event, from, to }, before);
  const filter: ChangeSearch<ActivitySearch> = (change) =>
    onChange({ ...change, before: undefined });
  return (
    <>
      <LogFilters search={search} onFilter={filter}>
        <FilterSelect
          label="Event"
          all="All events"
          options={EVENT_OPTIONS}
          value={event}
          onChange={(value) => filter({ event: value })}
        />
      </LogFilters>
      <LogTable
        label="Security events"
        columns={eventColumns}
        query={query}
        loading="Loading security events..."
        before={before}
        onPage={(next) => onChange({ before: next })}
      />
    </>
  );
}
