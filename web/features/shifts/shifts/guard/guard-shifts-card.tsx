import { MapPin, Navigation } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { ShowAll } from '#web/components/ui/show-all.tsx';
import { useMediaQuery } from '#web/lib/app/media-query.ts';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { useServerNow } from '#web/lib/clock/use-server-now.ts';
import { cn } from '#web/lib/cn.ts';
import { foreignZone } from '#web/lib/format/dates.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { directionsTo } from '#web/lib/position/directions.ts';
import { type GuardShift, useGuardShifts } from './api.ts';
import { ShiftAnswer } from './shift-answer.tsx';
import { formatHours, type ShiftDay, shiftDays } from './shift-days.ts';
import { ShiftNotice } from './shift-notice.tsx';

/** On the home screen of a desk. */
const SHOWN = 4;

type ShiftRowProps = { shift: GuardShift; hasDirections: boolean; children: ReactNode };

function ShiftRow({ shift: assigned, hasDirections, children }: ShiftRowProps) {
  const { shift, status, role_at_shift } = assigned;
  const { site } = shift;
  const zone = foreignZone(site.timezone);
  return (
    <li className="px-4 py-3 sm:px-5 sm:py-3.5">
      {/* On a phone below a long time: a longer word of another status would move the buttons under the thumb. */}
      <div
        className={cn(
          'flex flex-wrap items-start justify-between gap-x-3 gap-y-1',
          zone && 'max-sm:flex-col',
        )}
      >
        <p className="min-w-0 font-semibold tabular-nums">
          <time dateTime={shift.start_time}>{formatHours(shift)}</time>
          {zone && ` (${zone})`}
        </p>
        <StatusBadge status={status} />
      </div>
      <p className="mt-0.5 break-words">{site.name}</p>
      <p className="text-sm break-words text-muted">
        {[site.client_name, role_at_shift && `Role: ${role_at_shift}`].filter(Boolean).join(' · ')}
      </p>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-muted">
        <p className="flex min-w-0 flex-1 basis-32 gap-2">
          <MapPin aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent" />
          <span className="min-w-0 break-words">{site.address}</span>
        </p>
        {hasDirections && (
          <a
            href={directionsTo(site)}
            target="_blank"
            rel="noreferrer"
            className={buttonStyles({ variant: 'secondary', className: 'px-3.5' })}
          >
            <Navigation aria-hidden="true" className="size-4" /> Directions
            <span className="sr-only"> to {site.name} (opens in a new tab)</span>
          </a>
        )}
      </div>
      {children}
    </li>
  );
}

type DayProps = {
  day: ShiftDay;
  withDirections: ReadonlySet<string>;
  /** One below the card's. */
  level: 2 | 3;
  actionsOf: (shift: GuardShift) => ReactNode;
};

function Day({ day: { day, title, isToday, shifts }, withDirections, level, actionsOf }: DayProps) {
  const Heading = `h${level}` as const;
  const headingId = useId();
  return (
    <li>
      <Heading
        id={headingId}
        className={cn(
          'border-y border-line bg-sunken px-4 py-1 text-sm font-semibold sm:px-5 sm:py-1.5',
          isToday ? 'text-accent' : 'text-muted',
        )}
      >
        <time dateTime={day}>{title}</time>
      </Heading>
      <ul aria-labelledby={headingId} className="divide-y divide-line">
        {shifts.map((shift) => (
          <ShiftRow key={shift.id} shift={shift} hasDirections={withDirections.has(shift.id)}>
            {actionsOf(shift)}
          </ShiftRow>
        ))}
      </ul>
    </li>
  );
}

/** @returns the ids of the first shift at each site: the link is not repeated */
function firstAtEachSite(shifts: readonly GuardShift[]): ReadonlySet<string> {
  const first = new Map<string, string>();
  for (const { id, shift } of shifts) {
    const key = `${shift.site.name}\n${shift.site.address}`;
    if (!first.has(key)) first.set(key, id);
  }
  return new Set(first.values());
}

/**
 * What runs, and the next one. While the guard is clocked in, the duty card above shows what runs.
 * @param now milliseconds since 1970
 */
function firstOnPhone(shifts: readonly GuardShift[], atPost: string | undefined, now: number) {
  const next = shifts.findIndex(({ shift }) => Date.parse(shift.start_time) > now);
  if (next < 0) return shifts;
  return shifts.slice(0, next + 1).filter(({ id }) => id !== atPost);
}

type GuardShiftsCardProps = {
  userId: string;
  /** The whole screen: every shift is shown. */
  isScreen?: boolean;
  /** The assignment that the guard is clocked in for. */
  atPost?: string | undefined;
  /** Further buttons of a shift to come. */
  moreActions?: (shift: GuardShift) => ReactNode;
};

export function GuardShiftsCard({
  userId,
  isScreen = false,
  atPost,
  moreActions,
}: GuardShiftsCardProps) {
  const { waiting } = useOutbox();
  const now = useServerNow() ?? serverNow();
  const [isExpanded, setExpanded] = useState(isScreen);
  const isPhone = useMediaQuery('(width < 40rem)');
  const query = useGuardShifts(userId);
  const listId = useId();
  return (
    <LoadedCard
      title="My Shifts"
      level={isScreen ? 1 : 2}
      query={query}
      loadingText="Loading shifts..."
      emptyText="No upcoming shifts"
    >
      {(shifts) => {
        const first = isPhone ? firstOnPhone(shifts, atPost, now) : shifts.slice(0, SHOWN);
        const shown = isExpanded ? shifts : first;
        const withDirections = firstAtEachSite(shown);
        return (
          <>
            <ul id={listId} aria-label="My Shifts" className="-mt-px">
              {shiftDays(shown, now).map((day) => (
                <Day
                  key={day.day}
                  day={day}
                  withDirections={withDirections}
                  level={isScreen ? 2 : 3}
                  actionsOf={(shift) => (
                    <>
                      <ShiftAnswer userId={userId} shift={shift} now={now} waiting={waiting}>
                        {moreActions?.(shift)}
                      </ShiftAnswer>
                      <ShiftNotice userId={userId} shift={shift} now={now} waiting={waiting} />
                    </>
                  )}
                />
              ))}
            </ul>
            {shifts.length > first.length && !isScreen && (
              <ShowAll
                isExpanded={isExpanded}
                controls={listId}
                all={`${shifts.length} shifts`}
                onToggle={() => setExpanded(!isExpanded)}
              />
            )}
          </>
        );
      }}
    </LoadedCard>
  );
}
