import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { maySee } from '#shared/screens.ts';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { MORE_LINK } from '#web/components/ui/section-row.tsx';
import { WeekSteps } from '#web/components/ui/week-steps.tsx';
import { cn } from '#web/lib/cn.ts';
import { today } from '#web/lib/format/dates.ts';
import { daysOfWeek, findMonday, formatDayOfWeek } from '#web/lib/format/days.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import type { DayStaffing, PostWeek } from './post-weeks.ts';
import { useSiteWeek } from './site-week-api.ts';

/** On a phone of 360 px each day is 44 px wide, for a finger. */
const COLUMNS =
  'grid grid-cols-7 gap-0.5 sm:gap-1 sm:grid-cols-[minmax(7rem,1fr)_repeat(7,minmax(0,3.25rem))]';
const CELL =
  'relative flex min-h-11 items-center justify-center rounded-xs text-sm tabular-nums sm:min-h-9';

/** The day of the month, below the first letters of the weekday. */
function DayHead({ day }: { day: string }) {
  const [weekday = ''] = formatDayOfWeek(day).split(',');
  return (
    <span
      className={cn(
        'text-center text-xs leading-tight',
        day === today() ? 'font-semibold text-accent' : 'text-muted',
      )}
    >
      {weekday}
      <span className="block tabular-nums">{Number(day.slice(8))}</span>
    </span>
  );
}

type CellProps = { siteId: string; post: string; day: string; staffing: DayStaffing | undefined };

function DayCell({ siteId, post, day, staffing }: CellProps) {
  const { roles } = useAuth();
  if (!staffing) {
    return (
      <span className={`${CELL} text-muted`}>
        <span aria-hidden="true">·</span>
        <span className="sr-only">{formatDayOfWeek(day)}: not manned</span>
      </span>
    );
  }
  const { assigned, required, isOver } = staffing;
  const isOpen = assigned < required;
  const className = cn(
    CELL,
    isOpen
      ? isOver
        ? 'bg-warning/10 font-semibold text-warning'
        : 'bg-danger/10 font-semibold text-danger'
      : isOver
        ? 'bg-sunken text-muted'
        : 'bg-success/10 text-success',
  );
  const figures = (
    <>
      <span className="sr-only">{`${post}, ${formatDayOfWeek(day)}: ${assigned} of ${required} guards`}</span>
      <span aria-hidden="true">
        {assigned}/{required}
      </span>
    </>
  );
  if (!maySee(roles, 'shifts')) {
    return <span className={className}>{figures}</span>;
  }
  return (
    <Link
      to="/admin/shifts"
      search={{ site: siteId, day }}
      className={`${className} hover:outline-1 hover:outline-line-strong`}
    >
      {figures}
    </Link>
  );
}

function PostLine({ week, siteId, days }: { week: PostWeek; siteId: string; days: string[] }) {
  return (
    <li className={`${COLUMNS} items-center py-2`}>
      <span className="col-span-7 min-w-0 font-semibold max-sm:px-3.5 [overflow-wrap:anywhere] sm:col-span-1 sm:text-[0.9375rem]">
        {week.name}
      </span>
      {days.map((day) => (
        <DayCell key={day} {...{ siteId, day }} post={week.name} staffing={week.days.get(day)} />
      ))}
    </li>
  );
}

/** Open seats of shifts that are not over, for example "2 seats open". */
function describeOpen(weeks: readonly PostWeek[]): string {
  const cells = weeks.flatMap(({ days }) => [...days.values()]).filter(({ isOver }) => !isOver);
  const open = cells.reduce((sum, { assigned, required }) => sum + required - assigned, 0);
  if (open === 0) return 'No seat open';
  return open === 1 ? '1 seat open' : `${formatCount(open)} seats open`;
}

/** The posts of a site, and how many of the guards needed each has on each day of a week. */
export function SiteWeek({ siteId }: { siteId: string }) {
  const [monday, setMonday] = useState(() => findMonday(today()));
  const { roles } = useAuth();
  const days = daysOfWeek(monday);
  return (
    <LoadedCard
      title="Posts and Their Week"
      query={useSiteWeek(siteId, monday)}
      loadingText="Loading the week..."
      more={
        maySee(roles, 'roster') && (
          <span className="flex gap-x-5">
            <Link to="/admin/roster/posts" search={{ site: siteId }} className={MORE_LINK}>
              Posts
            </Link>
            <Link to="/admin/roster" search={{ site: siteId, week: monday }} className={MORE_LINK}>
              Roster
            </Link>
          </span>
        )
      }
    >
      {(weeks) => (
        <>
          <WeekSteps monday={monday} onChange={setMonday}>
            {describeOpen(weeks)}
          </WeekSteps>
          {weeks.length === 0 ? (
            <p className="px-4 py-8 text-center text-muted">No post yet.</p>
          ) : (
            <div className="px-0.5 pt-2 pb-1 sm:px-5">
              <div aria-hidden="true" className={COLUMNS}>
                <span className="max-sm:hidden" />
                {days.map((day) => (
                  <DayHead key={day} day={day} />
                ))}
              </div>
              <ul aria-label="Posts" className="divide-y divide-line">
                {weeks.map((week) => (
                  <PostLine key={week.id} {...{ week, siteId, days }} />
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </LoadedCard>
  );
}
