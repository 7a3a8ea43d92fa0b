import { Check, Phone, UserSearch } from 'lucide-react';
import { formatPhone } from '#shared/phone.ts';
import { CallButton } from '#web/components/records/call-button.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import { formatTime } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { ALERT_KIND_LABELS } from '#web/lib/vocabulary/kinds.ts';
import type { Alert } from './alert-api.ts';
import { OUTCOME_LABELS } from './close-alert-dialog.tsx';
import { runningFor } from './running-for.ts';

const ESCALATED = ['', 'Operations managers notified', 'Admins notified'];

function stateOf({ acknowledged_at, acknowledger, escalations }: Alert): string {
  if (acknowledged_at !== null) {
    return `Acknowledged by ${formatName(acknowledger)}, ${formatTime(acknowledged_at)}`;
  }
  return ESCALATED[Math.min(escalations, 2)] || 'Not acknowledged';
}

/** Of its row, to which the details of its post lead. */
export const alertPlace = (id: string) => `alert-${id}`;

type OpenAlertProps = {
  alert: Alert;
  now: number;
  isBusy: boolean;
  onAcknowledge: () => void;
  onClose: () => void;
  onOpen: (() => void) | undefined;
};

export function OpenAlert({ alert, now, isBusy, onAcknowledge, onClose, onOpen }: OpenAlertProps) {
  const { kind, acknowledged_at, detail, raised_at, sites, guard } = alert;
  const isNew = acknowledged_at === null;
  const subject = `${ALERT_KIND_LABELS[kind]}, ${detail ?? sites.name}`;
  const needsGuard = kind === 'cant_come' || kind === 'empty';
  return (
    <li
      id={alertPlace(alert.id)}
      tabIndex={-1}
      className={`border-l-4 -outline-offset-2 px-3 py-2.5 ${isNew ? 'border-l-danger bg-danger/6' : 'border-l-warning'}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <Badge tone={isNew ? 'red' : 'orange'}>{ALERT_KIND_LABELS[kind]}</Badge>
        <span className="text-sm tabular-nums">
          <span className="sr-only">Open for </span>
          <span className="font-semibold">{runningFor(raised_at, now)}</span>
        </span>
      </div>
      <div className="mt-1.5 text-sm [overflow-wrap:anywhere]">
        {onOpen ? (
          <button
            type="button"
            className="block min-h-11 text-left font-semibold underline decoration-accent/35 underline-offset-4 hover:decoration-accent md:min-h-6"
            onClick={onOpen}
          >
            <span className="sr-only">Open the post: </span>
            {sites.name}
          </button>
        ) : (
          <SiteLink id={alert.site_id} name={sites.name} className="font-semibold" />
        )}
        {detail && <span className="block whitespace-pre-line">{detail}</span>}
        <span className="block text-muted">
          Since {formatTime(raised_at)} ·{' '}
          <span className={isNew ? 'font-medium text-danger' : undefined}>{stateOf(alert)}</span>
        </span>
      </div>
      {needsGuard && onOpen && (
        <Button
          className="mt-2 w-full"
          aria-label={`Find Replacement: ${subject}`}
          onClick={onOpen}
        >
          <UserSearch aria-hidden="true" className="size-4" /> Find Replacement
        </Button>
      )}
      {kind === 'sos' && (
        <CallButton source={{ alertId: alert.id }} subject={subject} className="mt-2 w-full" />
      )}
      <div className="mt-2 flex gap-2 [&>button]:flex-1 [&>button]:px-3">
        {isNew && (
          <Button
            variant={needsGuard && onOpen ? 'secondary' : 'primary'}
            busy={isBusy}
            aria-label={`Acknowledge: ${subject}`}
            onClick={onAcknowledge}
          >
            <Check aria-hidden="true" className="size-4" /> Acknowledge
          </Button>
        )}
        <Button variant="secondary" aria-label={`Close: ${subject}`} onClick={onClose}>
          Close
        </Button>
        {guard?.phone && (
          <a
            href={`tel:${guard.phone}`}
            title={formatPhone(guard.phone)}
            aria-label={`Call ${formatName(guard)}, ${formatPhone(guard.phone)}`}
            className={buttonStyles({ variant: 'secondary', size: 'icon', className: 'shrink-0' })}
          >
            <Phone aria-hidden="true" className="size-4.5" />
          </a>
        )}
      </div>
    </li>
  );
}

export function ClosedAlert({ alert }: { alert: Alert }) {
  const { kind, detail, sites, closed_at, outcome, note, closer } = alert;
  return (
    <li className="px-3 py-2 text-sm [overflow-wrap:anywhere]">
      <span className="font-semibold">{ALERT_KIND_LABELS[kind]}</span>, {sites.name}
      <span className="block text-muted">
        {detail && `${detail}. `}
        {outcome && OUTCOME_LABELS[outcome]}
        {closed_at && ` ${formatTime(closed_at)}`}
        {closer && ` by ${formatName(closer)}`}
        {note && `: ${note}`}
      </span>
    </li>
  );
}
