import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { mayReadOfOthers } from '#shared/permissions.ts';
import { maySee } from '#shared/screens.ts';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { ITEM, ITEM_LINK } from '#web/components/ui/section-row.tsx';
import { WeekSteps } from '#web/components/ui/week-steps.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatMinutes, formatTime, formatWeekday, toDay, today } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { sumHours } from './presence.ts';
import { type Duty, thisMonday, useWeek } from './sections-api.ts';

function worked(attendance: Duty['attendance'], zone: string): string {
  return attendance
    .map(({ clock_in_at, clock_out_at }) => {
      const out = clock_out_at === null ? 'now' : formatTime(clock_out_at, zone);
      return `${formatTime(clock_in_at, zone)} - ${out}`;
    })
    .join(', ');
}

function DutyItem({ duty }: { duty: Duty }) {
  const { roles } = useAuth();
  const { shift, status, attendance, on_leave, no_show_reason } = duty;
  const { start_time, end_time, site } = shift;
  const isToday = toDay(start_time) === today();
  const content = (
    <>
      <span className="flex w-full shrink-0 gap-3 sm:block sm:w-26">
        <span className={cn('block', isToday ? 'font-semibold' : 'text-muted')}>
          {formatWeekday(start_time, site.timezone)}
        </span>
        {isToday && <span className="block text-accent sm:text-sm">Today</span>}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-semibold [overflow-wrap:anywhere]">{site.name}</span>
        <span className="block text-sm text-muted tabular-nums">
          {formatTime(start_time, site.timezone)} - {formatTime(end_time, site.timezone)}
          {attendance.length > 0 && (
            <span className="block">Worked {worked(attendance, site.timezone)}</span>
          )}
          {on_leave && <span className="block text-warning">On approved leave</span>}
          {no_show_reason && (
            <span className="block text-warning">Did not come: {no_show_reason}</span>
          )}
        </span>
      </span>
      <StatusBadge status={status} />
    </>
  );
  return (
    <li>
      {maySee(roles, 'shifts') ? (
        <Link
          to="/admin/shifts"
          search={{ open: shift.id }}
          className={`${ITEM_LINK} flex-wrap sm:flex-nowrap`}
        >
          {content}
        </Link>
      ) : (
        <div className={`${ITEM} flex-wrap sm:flex-nowrap`}>{content}</div>
      )}
    </li>
  );
}

export function DutiesSection({ id }: { id: string }) {
  const [monday, setMonday] = useState(thisMonday);
  const { roles } = useAuth();
  const query = useWeek(id, monday);
  const { planned, worked: done } = sumHours(query.data ?? []);
  return (
    <div className="relative">
      <LoadedCard title="Duties" query={query} loadingText="Loading duties...">
        {(duties) => (
          <>
            <WeekSteps monday={monday} onChange={setMonday}>
              {formatMinutes(planned)} planned
              {mayReadOfOthers(roles, 'attendance') && `, ${formatMinutes(done)} worked`}
            </WeekSteps>
            {duties.length === 0 ? (
              <p className="px-4 py-8 text-center text-muted">No duties in this week.</p>
            ) : (
              <ul className="divide-y divide-line">
                {duties.map((duty) => (
                  <DutyItem key={duty.id} duty={duty} />
                ))}
              </ul>
            )}
          </>
        )}
      </LoadedCard>
    </div>
  );
}
