// What a leave collides with: the shifts that it empties, and who else of their sites is away then.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { maySee } from '#shared/permissions.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { formatPeriod, formatTimeRange } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { type Collisions, upcomingOf, useCollisions } from '../api/get-leave.ts';
import type { LeaveRow } from '../schema.ts';

const SHOWN = 8;

/** Leads to the guards of the shift, for those who may see shifts. */
function ToShift({ id, children }: { id: string; children: ReactNode }) {
  const { roles } = useAuth();
  const style = 'inline-flex min-h-11 flex-wrap items-center gap-x-2';
  if (!maySee(roles, 'shifts')) return <span className={style}>{children}</span>;
  return (
    <Link
      to="/admin/shifts"
      search={{ open: id, tab: 'guards' }}
      className={`${style} underline decoration-accent/45 underline-offset-4 hover:decoration-accent`}
    >
      {children}
    </Link>
  );
}

/** @returns what the leave does to the shifts that are not over */
function effectOf(shifts: Collisions['shifts'], status: LeaveRow['status']): string | undefined {
  if (shifts.length === 0) return 'None assigned.';
  const { length } = upcomingOf(shifts);
  if (length === 0) return undefined;
  const them = length === 1 ? 'this shift' : 'these shifts';
  if (status === 'pending') return `Approving leaves ${them} without this guard.`;
  if (status === 'approved') return `This guard no longer counts on ${them}. Assign somebody else.`;
  return undefined;
}

type CollisionsProps = Pick<LeaveRow, 'id' | 'status'>;

export function LeaveCollisions({ id, status }: CollisionsProps) {
  const query = useCollisions(id);
  return (
    <Loaded query={query} loadingText="Looking for shifts...">
      {({ shifts, colleagues }) => {
        const effect = effectOf(shifts, status);
        return (
          <div className="grid gap-5 border-t border-line pt-5 text-[0.9375rem]">
            <section aria-label="Shifts in this time">
              <h3 className="mb-1 font-semibold">Shifts in this time</h3>
              {effect && <p className="text-muted">{effect}</p>}
              <ul className="grid max-sm:gap-2">
                {shifts.slice(0, SHOWN).map((shift) => (
                  <li key={shift.assignment_id}>
                    <ToShift id={shift.shift_id}>
                      {formatTimeRange(shift.start_time, shift.end_time, shift.timezone)}
                      <span className="text-muted">{shift.site_name}</span>
                    </ToShift>{' '}
                    {(status === 'pending' || status === 'approved') && (
                      <Badge tone={shift.staffed_without < shift.required ? 'orange' : 'grey'}>
                        {`${shift.staffed_without}/${shift.required} ${status === 'pending' ? 'without them' : 'now'}`}
                      </Badge>
                    )}
                  </li>
                ))}
              </ul>
              {shifts.length > SHOWN && (
                <p className="text-sm text-muted">and {shifts.length - SHOWN} more</p>
              )}
            </section>
            <section aria-label="Away from the same sites">
              <h3 className="mb-1 font-semibold">Away from the same sites then</h3>
              {colleagues.length === 0 && <p className="text-muted">Nobody else.</p>}
              <ul className="grid gap-2">
                {colleagues.slice(0, SHOWN).map((colleague) => (
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
              {colleagues.length > SHOWN && (
                <p className="text-sm text-muted">and {colleagues.length - SHOWN} more</p>
              )}
            </section>
          </div>
        );
      }}
    </Loaded>
  );
}
