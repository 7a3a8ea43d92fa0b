import { MapPin } from 'lucide-react';
import { useId, useState } from 'react';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { foreignZone, formatTimeRange } from '#web/lib/format/dates.ts';
import { type GuardShift, useGuardShifts } from './api.ts';

/** Fits on a phone without much scrolling. */
const SHOWN = 4;

function ShiftRow({ shift: { shift, status, role_at_shift } }: { shift: GuardShift }) {
  const { site } = shift;
  const zone = foreignZone(site.timezone);
  return (
    <li className="px-4 py-4 sm:px-5">
      <div className="flex items-start justify-between gap-3">
        <h3 className="min-w-0 font-semibold break-words">{site.name}</h3>
        <StatusBadge status={status} />
      </div>
      <p className="text-sm break-words text-muted">{site.client_name}</p>
      <p className="mt-2 tabular-nums">
        <time dateTime={shift.start_time}>
          {formatTimeRange(shift.start_time, shift.end_time, site.timezone)}
        </time>
        {zone && ` (${zone})`}
      </p>
      <p className="mt-1 flex gap-2 text-sm text-muted">
        <MapPin aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent" />
        <span className="min-w-0 break-words">{site.address}</span>
      </p>
      {role_at_shift && <p className="mt-1 text-sm text-muted">Role: {role_at_shift}</p>}
    </li>
  );
}

export function GuardShiftsCard({ userId }: { userId: string }) {
  const [isExpanded, setExpanded] = useState(false);
  const query = useGuardShifts(userId);
  const listId = useId();
  return (
    <LoadedCard
      title="My Shifts"
      query={query}
      loadingText="Loading shifts..."
      isEmpty={(shifts) => shifts.length === 0}
      emptyText="No upcoming shifts"
    >
      {(shifts) => (
        <>
          <ul id={listId} aria-label="My Shifts" className="divide-y divide-line">
            {(isExpanded ? shifts : shifts.slice(0, SHOWN)).map((shift) => (
              <ShiftRow key={shift.id} shift={shift} />
            ))}
          </ul>
          {shifts.length > SHOWN && (
            <div className="border-t border-line px-2 py-1">
              <Button
                variant="ghost"
                aria-expanded={isExpanded}
                aria-controls={listId}
                className="w-full"
                onClick={() => setExpanded(!isExpanded)}
              >
                {isExpanded ? 'Show fewer' : `Show all ${shifts.length} shifts`}
              </Button>
            </div>
          )}
        </>
      )}
    </LoadedCard>
  );
}
