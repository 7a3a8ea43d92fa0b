import { Phone, Siren } from 'lucide-react';
import type { ReactNode } from 'react';
import { flagLabel } from '#shared/attendance-flags.ts';
import { formatPhone } from '#shared/phone.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatMinutes, formatTime, formatTimeRange } from '#web/lib/format/dates.ts';
import { ALERT_KIND_LABELS, clockWayLabel } from '#web/lib/vocabulary/kinds.ts';
import type { Guard, Shift, Site } from './operations-schema.ts';
import { holdsSeat, stateOfGuard } from './seat-states.ts';
import { StateMark } from './state-marks.tsx';

/** What makes a distance doubtful. */
const LOCATION_FLAGS = ['location_imprecise', 'location_old'];

function factsOf(guard: Guard, isOver: boolean, zone: string): string {
  const { clock_in, clock_out, way, late_minutes, early_minutes, distance_m, heard, waiting } =
    guard;
  const facts = [
    clock_in
      ? `In ${formatTime(clock_in, zone)}`
      : guard.joins
        ? `On the way, ${formatTime(guard.joins, zone)}`
        : 'Not clocked in',
    late_minutes > 0 && `${formatMinutes(late_minutes)} late`,
    clock_out && `out ${formatTime(clock_out, zone)}`,
    isOver && clock_in && !clock_out && 'not clocked out',
    early_minutes > 0 && `${formatMinutes(early_minutes)} early`,
    distance_m !== null && `${distance_m} m from the site`,
    clock_in && distance_m === null && 'no location',
    ...LOCATION_FLAGS.filter((flag) => guard.flags.includes(flag)).map((flag) =>
      flagLabel(flag).toLowerCase(),
    ),
    way && way !== 'phone' && clockWayLabel(way),
    heard && `phone heard ${formatTime(heard, zone)}`,
    heard && waiting > 0 && `${waiting} waiting to send`,
  ];
  return facts.filter(Boolean).join(' · ');
}

type GuardLineProps = {
  guard: Guard;
  shift: Shift;
  site: Site;
  now: number;
  /** Beside other columns: the number is in the title of the call button. */
  isNarrow?: boolean;
  children?: ReactNode;
};

export function GuardLine({ guard, shift, site, now, isNarrow, children }: GuardLineProps) {
  const state = stateOfGuard(guard, { shift, site }, now);
  const hasBegun = Date.parse(shift.starts) <= now;
  const { user_id, name, phone, role, on_leave, status, notice } = guard;
  return (
    <li className={cn('flex items-center gap-x-3 gap-y-2 py-3', !isNarrow && 'flex-wrap')}>
      <div className={cn('flex-1', isNarrow ? 'min-w-0' : 'min-w-40')}>
        <p className="flex flex-wrap items-center gap-x-2">
          <PersonLink id={user_id} name={name} className="font-semibold" />
          {role && <span className="text-sm text-muted">{role}</span>}
        </p>
        <p className="text-sm text-muted">
          {factsOf(guard, Date.parse(shift.ends) <= now, site.timezone)}
        </p>
        {notice && (
          <p className="text-sm font-semibold break-words text-warning first-letter:uppercase">
            {notice.said} · {formatTime(notice.at, site.timezone)}
          </p>
        )}
      </div>
      {holdsSeat(guard) ? (
        // Nothing is expected yet of a guard who comes in some hours: that is no state.
        (hasBegun || state !== 'done') && <StateMark state={state} className="text-sm" />
      ) : (
        <Badge tone={status === 'no_show' ? 'red' : 'orange'}>
          {on_leave ? 'On leave' : 'No show'}
        </Badge>
      )}
      {phone && (
        <a
          href={`tel:${phone}`}
          title={isNarrow ? formatPhone(phone) : undefined}
          aria-label={`Call ${name}, ${formatPhone(phone)}`}
          className={buttonStyles({
            variant: 'secondary',
            ...(isNarrow && { size: 'icon', className: 'shrink-0' }),
          })}
        >
          <Phone aria-hidden="true" className="size-4.5" />
          {!isNarrow && <span className="tabular-nums">{formatPhone(phone)}</span>}
        </a>
      )}
      {children}
    </li>
  );
}

type ShiftDetailProps = {
  shift: Shift;
  site: Site;
  now: number;
  onClose: () => void;
  /** Goes to an open alert of the shift. */
  onOpenAlert: (id: string) => void;
  /** In the guard's line. */
  guardAction: (guard: Guard) => ReactNode;
  children?: ReactNode;
};

export function ShiftDetail(props: ShiftDetailProps) {
  const { shift, site, now, onClose, onOpenAlert, guardAction, children } = props;
  // Some sites are named after their client.
  const client = site.client === site.name ? undefined : site.client;
  const place = [client, shift.post]
    .filter(Boolean)
    .map((name) => `${name} · `)
    .join('');
  const guardsNeeded = `${shift.needed} ${shift.needed === 1 ? 'guard' : 'guards'} needed`;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={site.name}
      description={`${place}${formatTimeRange(shift.starts, shift.ends, site.timezone)} · ${guardsNeeded}`}
      className="sm:max-w-2xl"
    >
      <ul aria-label="Guards" className="-my-3 divide-y divide-line">
        {shift.guards.map((guard) => (
          <GuardLine key={guard.assignment_id} guard={guard} shift={shift} site={site} now={now}>
            {guardAction(guard)}
          </GuardLine>
        ))}
        {shift.empty > 0 && (
          <li className="flex items-center gap-2 py-3">
            <StateMark state="empty" />
            <span className="tabular-nums">
              {shift.empty} of {shift.needed}
            </span>
          </li>
        )}
      </ul>
      {shift.alerts.length > 0 && (
        <ul aria-label="Open alerts" className="mt-4 flex flex-wrap gap-2">
          {shift.alerts.map(({ id, kind }) => (
            <li key={id}>
              <Button variant="secondary" className="px-3" onClick={() => onOpenAlert(id)}>
                <Siren aria-hidden="true" className="size-4" />
                {ALERT_KIND_LABELS[kind]}: go to the alert
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-4 text-sm">
        <SiteLink id={site.id} name="All about this site" />
      </p>
      {children && <div className="mt-6">{children}</div>}
    </Dialog>
  );
}
