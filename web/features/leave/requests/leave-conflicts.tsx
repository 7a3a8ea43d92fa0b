import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { maySee } from '#shared/screens.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { formatPeriod, formatTimeRange } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { type Conflicts, useConflicts } from './api.ts';
import { filterUpcoming } from './rules.ts';
import type { LeaveRow } from './schema.ts';

const MAX_ROWS = 8;

/** Links to the shift's guards if the user may see shifts. */
function ShiftLink({ id, children }: { id: string; children: ReactNode }) {
  const { roles } = useAuth();
  const style = 'inline-flex min-h-11 flex-wrap items-center gap-x-2';
  if (!maySee(roles, 'shifts')) return <span className={style}>{children}</span>;
  return (
    <Link
      to="/admin/shifts"
      search={{ open: id }}
      className={`${style} underline decoration-accent/45 underline-offset-4 hover:decoration-accent`}
    >
      {children}
    </Link>
  );
}

function describeEffect(
  shifts: Conflicts['shifts'],
  status: LeaveRow['status'],
): string | undefined {
  if (shifts.length === 0) return 'None assigned.';
  const { length } = filterUpcoming(shifts);
  if (length === 0) return undefined;
  const them = length === 1 ? 'this shift' : 'these shifts';
  if (status === 'pending') return `Approving leaves ${them} without this guard.`;
  if (status === 'approved') return `This guard no longer counts on ${them}. Assign another guard.`;
  return undefined;
}

type ConflictsProps = Pick<LeaveRow, 'id' | 'status'>;

export function LeaveConflicts({ id, status }: ConflictsProps) {
  const query = useConflicts(id);
  return (
    <Loaded query={query} loadingText="Loading shifts...">
      {({ shifts, colleagues }) => {
        const effect = describeEffect(shifts, status);
        return (
          <div className="grid gap-5 border-t border-line pt-5 text-[0.9375rem]">
            <section aria-label="Shifts in this time">
              <h3 className="mb-1 font-semibold">Shifts in this time</h3>
              {effect && <p className="text-muted">{effect}</p>}
              <ul className="grid max-sm:gap-2">
                {shifts.slice(0, MAX_ROWS).map((shift) => (
                  <li key={shift.assignment_id}>
                    <ShiftLink id={shift.shift_id}>
                      {formatTimeRange(shift.start_time, shift.end_time, shift.timezone)}
                      <span className="text-muted">{shift.site_name}</span>
                    </ShiftLink>{' '}
                    {(status === 'pending' || status === 'approved') && (
                      <Badge tone={shift.staffed_without < shift.required ? 'orange' : 'grey'}>
                        {`${shift.staffed_without}/${shift.required} ${status === 'pending' ? 'without them' : 'now'}`}
                      </Badge>
                    )}
                  </li>
                ))}
              </ul>
              {shifts.length > MAX_ROWS && (
                <p className="text-sm text-muted">and {shifts.length - MAX_ROWS} more</p>
              )}
            </section>
            <section aria-label="Away from the same sites">
              <h3 className="mb-1 font-semibold">Away from the same sites then</h3>
              {colleagues.length === 0 && <p className="text-muted">No one else.</p>}
              <ul className="grid gap-2">
                {colleagues.slice(0, MAX_ROWS).map((colleague) => (
                  <li key={colleague.leave_id} className="flex flex-wrap items-baseline gap-x-2">
                    <span>{colleague.person_name}</span>
                    <span className="text-sm text-muted">
                      {formatPeriod(colleague.start_date, colleague.end_date)},{' '}
                      {colleague.site_names.join(', ')}
                    </span>
                    {colleague.status === 'pending' && <Badge tone="orange">Pending</Badge>}
                  </li>
                ))}
              </ul>
              {colleagues.length > MAX_ROWS && (
                <p className="text-sm text-muted">and {colleagues.length - MAX_ROWS} more</p>
              )}
            </section>
          </div>
        );
      }}
    </Loaded>
  );
}
