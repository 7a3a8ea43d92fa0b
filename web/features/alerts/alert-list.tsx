import { Check, Phone, Siren } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { formatPhone } from '#shared/phone.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import { nameOf } from '#web/lib/format/person-name.ts';
import { ALERT_KIND_LABELS } from '#web/lib/vocabulary/kinds.ts';
import {
  type Alert,
  type AlertPart,
  CLOSED_HOURS,
  useAcknowledgeAlert,
  useAlerts,
  useReopenAlert,
} from './alert-api.ts';
import { CloseAlertDialog, OUTCOME_LABELS } from './close-alert-dialog.tsx';
import { runningFor } from './running-for.ts';

type AlertListProps = {
  /** The server's time, milliseconds. */
  now: number;
  /** For the filters of the board; without it, every alert that the user may read. */
  isShown?: (alert: Pick<Alert, 'site_id' | 'shift_id'>) => boolean;
  onOpenShift: (shiftId: string) => void;
};

/** Open alerts at first, and per press. */
const SHOWN_STEP = 30;

const ESCALATED = ['', 'Operations managers notified', 'Admins notified'];

function stateOf({ acknowledged_at, acknowledger, escalations }: Alert): string {
  if (acknowledged_at !== null) {
    return `Acknowledged by ${nameOf(acknowledger)}, ${formatTime(acknowledged_at)}`;
  }
  return ESCALATED[Math.min(escalations, 2)] || 'Not acknowledged';
}

type OpenAlertProps = {
  alert: Alert;
  now: number;
  isBusy: boolean;
  onAcknowledge: () => void;
  onClose: () => void;
  onOpen: (() => void) | undefined;
};

function OpenAlert({ alert, now, isBusy, onAcknowledge, onClose, onOpen }: OpenAlertProps) {
  const { kind, acknowledged_at, detail, raised_at, sites, guard } = alert;
  const isNew = acknowledged_at === null;
  const subject = `${ALERT_KIND_LABELS[kind]}, ${detail ?? sites.name}`;
  const place = <span className="block font-semibold">{sites.name}</span>;
  return (
    <li
      className={`border-l-4 px-3 py-2.5 ${isNew ? 'border-l-danger bg-danger/6' : 'border-l-warning'}`}
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
            className="block min-h-11 text-left hover:underline md:min-h-6"
            onClick={onOpen}
          >
            {place}
          </button>
        ) : (
          place
        )}
        {detail && <span className="block whitespace-pre-line">{detail}</span>}
        <span className="block text-muted">
          Since {formatTime(raised_at)} ·{' '}
          <span className={isNew ? 'font-medium text-danger' : undefined}>{stateOf(alert)}</span>
        </span>
      </div>
      <div className="mt-2 flex gap-2 [&>button]:flex-1 [&>button]:px-3">
        {isNew && (
          <Button busy={isBusy} aria-label={`Acknowledge: ${subject}`} onClick={onAcknowledge}>
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
            aria-label={`Call ${nameOf(guard)}, ${formatPhone(guard.phone)}`}
            className={buttonStyles({ variant: 'secondary', size: 'icon', className: 'shrink-0' })}
          >
            <Phone aria-hidden="true" className="size-4.5" />
          </a>
        )}
      </div>
    </li>
  );
}

function ClosedAlert({ alert }: { alert: Alert }) {
  const { kind, detail, sites, closed_at, outcome, note, closer } = alert;
  return (
    <li className="px-3 py-2 text-sm [overflow-wrap:anywhere]">
      <span className="font-semibold">{ALERT_KIND_LABELS[kind]}</span>, {sites.name}
      <span className="block text-muted">
        {detail && `${detail}. `}
        {outcome && OUTCOME_LABELS[outcome]}
        {closed_at && ` ${formatTime(closed_at)}`}
        {closer && ` by ${nameOf(closer)}`}
        {note && `: ${note}`}
      </span>
    </li>
  );
}

function ClosedAlerts({ alerts, total }: { alerts: Alert[]; total: number }) {
  return (
    <>
      <ul className="divide-y divide-line rounded-sm border border-line bg-raised">
        {alerts.map((alert) => (
          <ClosedAlert key={alert.id} alert={alert} />
        ))}
      </ul>
      {total > alerts.length && (
        <p className="py-2 text-sm text-muted">The latest {formatCount(alerts.length)}.</p>
      )}
    </>
  );
}

/** @returns all that there are, unless a filter leaves some out */
const countOf = ({ rows, total }: AlertPart, shown: Alert[]): number =>
  shown.length === rows.length ? total : shown.length;

/** What the control room must act on, and what it dealt with in the last hours. */
export function AlertList({ now, isShown = () => true, onOpenShift }: AlertListProps) {
  const query = useAlerts();
  const acknowledge = useAcknowledgeAlert();
  const reopen = useReopenAlert();
  const [closingId, setClosingId] = useState<string>();
  const [limit, setLimit] = useState(SHOWN_STEP);
  const [showsClosed, setShowsClosed] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const hasActed = useRef(false);
  const { data } = query;
  // The pressed button disappears with the answer: from the heading, the next stop is the gravest alert.
  useEffect(() => {
    if (!data || !hasActed.current || document.activeElement !== document.body) return;
    hasActed.current = false;
    heading.current?.focus({ preventScroll: true });
  }, [data]);

  const undoOf = (id: string) => ({
    label: 'Undo',
    onPress: () => {
      reopen.mutateAsync(id).then(
        () => showSuccess('Alert restored'),
        (error: unknown) => showError('The alert was not restored', messageOf(error)),
      );
    },
  });
  async function take(id: string) {
    hasActed.current = true;
    try {
      await acknowledge.mutateAsync(id);
      showSuccess('Alert acknowledged', undefined, undoOf(id));
    } catch (error) {
      showError('The alert was not acknowledged', messageOf(error));
    }
  }
  return (
    <section aria-label="Alerts" className="shrink-0">
      <Loaded
        query={query}
        loadingText="Loading alerts..."
        missing="The alerts could not be loaded"
      >
        {({ open, closed }) => {
          const shownOpen = open.rows.filter(isShown);
          const shownClosed = closed.rows.filter(isShown);
          const openCount = countOf(open, shownOpen);
          const closing = open.rows.find(({ id }) => id === closingId);
          return (
            <>
              <h3
                ref={heading}
                tabIndex={-1}
                className="flex items-center gap-2 pb-2 font-display text-lg leading-tight outline-none"
              >
                <Siren aria-hidden="true" className="size-4.5" />
                {openCount === 1 ? '1 open alert' : `${formatCount(openCount)} open alerts`}
              </h3>
              {shownOpen.length > 0 && (
                <ul className="divide-y divide-line overflow-hidden rounded-sm border border-line bg-raised">
                  {shownOpen.slice(0, limit).map((alert) => (
                    <OpenAlert
                      key={alert.id}
                      alert={alert}
                      now={now}
                      isBusy={acknowledge.isPending && acknowledge.variables === alert.id}
                      onAcknowledge={() => void take(alert.id)}
                      onClose={() => setClosingId(alert.id)}
                      onOpen={
                        alert.shift_id === null
                          ? undefined
                          : () => alert.shift_id !== null && onOpenShift(alert.shift_id)
                      }
                    />
                  ))}
                </ul>
              )}
              {shownOpen.length > limit && (
                <Button
                  variant="ghost"
                  className="w-full"
                  onClick={() => setLimit(limit + SHOWN_STEP)}
                >
                  Show more ({formatCount(shownOpen.length - limit)})
                </Button>
              )}
              {openCount > shownOpen.length && (
                <p className="py-2 text-sm text-muted">
                  The {formatCount(shownOpen.length)} most serious of {formatCount(openCount)}. The
                  others follow as these are closed.
                </p>
              )}
              {shownClosed.length > 0 && (
                <details
                  className="mt-2"
                  onToggle={({ currentTarget }) => setShowsClosed(currentTarget.open)}
                >
                  <summary className="flex min-h-11 cursor-pointer items-center text-sm font-semibold">
                    {formatCount(countOf(closed, shownClosed))} closed in the last {CLOSED_HOURS}{' '}
                    hours
                  </summary>
                  {showsClosed && (
                    <ClosedAlerts alerts={shownClosed} total={countOf(closed, shownClosed)} />
                  )}
                </details>
              )}
              {closing && (
                <CloseAlertDialog
                  alert={closing}
                  onClosed={(outcome) => {
                    hasActed.current = true;
                    showSuccess(`Alert ${outcome}`, undefined, undoOf(closing.id));
                  }}
                  onDismiss={() => setClosingId(undefined)}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}
