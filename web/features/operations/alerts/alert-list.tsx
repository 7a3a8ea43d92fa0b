import { Siren } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { Button } from '#web/components/ui/button.tsx';
import { keepFocus } from '#web/components/ui/focus-places.ts';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import type { Page } from '#web/lib/data/pages.ts';
import type { Place } from '#web/lib/data/place.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import {
  type Alert,
  CLOSED_HOURS,
  useAcknowledgeAlert,
  useAlerts,
  useReopenAlert,
} from './alert-api.ts';
import { alertPlace, ClosedAlert, OpenAlert } from './alert-row.tsx';
import { CloseAlertDialog } from './close-alert-dialog.tsx';

type AlertListProps = {
  /** The server's time, milliseconds. */
  now: number;
  /** Without it, every alert that the user may read. */
  place?: Place;
  /** For the filters of the board. */
  isShown?: (alert: Pick<Alert, 'site_id' | 'shift_id'>) => boolean;
  /** The alert to which another place leads. */
  wantedId?: string | undefined;
  onOpenShift: (shiftId: string) => void;
};

/** Open alerts at first: on a phone the posts are below them. */
const FIRST_SHOWN = 10;
const MORE_SHOWN = 30;

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

const buttonsFrom = (list: HTMLElement | null, place: number) => [
  ...(list?.querySelectorAll<HTMLElement>(`li:nth-child(n + ${place + 1}) button`) ?? []),
];

/** @returns all that there are, unless a filter leaves some out */
const countOf = ({ rows, total }: Page<Alert>, shown: Alert[]): number =>
  shown.length === rows.length ? total : shown.length;

/** Alerts to act on, and those handled in the last hours. */
export function AlertList(props: AlertListProps) {
  const { now, place, isShown = () => true, wantedId, onOpenShift } = props;
  const query = useAlerts(place);
  const acknowledge = useAcknowledgeAlert();
  const reopen = useReopenAlert();
  const [closingId, setClosingId] = useState<string>();
  const [limit, setLimit] = useState(FIRST_SHOWN);
  const [showsClosed, setShowsClosed] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const firstNew = useRef(0);
  const hasActed = useRef(false);
  const { data } = query;
  // The pressed button disappears with the answer: from the heading, the next stop is the gravest alert.
  useEffect(() => {
    if (!data || !hasActed.current || document.activeElement !== document.body) return;
    hasActed.current = false;
    heading.current?.focus({ preventScroll: true });
  }, [data]);

  const hasData = data !== undefined;
  useEffect(() => {
    if (wantedId === undefined || !hasData) return undefined;
    // After the dialog of the post has returned the focus to where it was opened.
    const timer = setTimeout(() => {
      const row = document.getElementById(alertPlace(wantedId)) ?? heading.current;
      row?.focus();
    });
    return () => clearTimeout(timer);
  }, [wantedId, hasData]);

  const undoOf = (id: string) => ({
    label: 'Undo',
    onPress: () => {
      reopen.mutateAsync(id).then(
        () => showSuccess('Alert restored'),
        (error: unknown) => showError('The alert was not restored', describeError(error)),
      );
    },
  });
  async function take(id: string) {
    hasActed.current = true;
    try {
      await acknowledge.mutateAsync(id);
      showSuccess('Alert acknowledged', undefined, undoOf(id));
    } catch (error) {
      showError('The alert was not acknowledged', describeError(error));
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
          const placeOf = (id: string | undefined) => shownOpen.findIndex((each) => each.id === id);
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
                {/* The zero of the display face looks like the letter. */}
                {openCount === 0 ? 'No' : formatCount(openCount)}{' '}
                {openCount === 1 ? 'open alert' : 'open alerts'}
              </h3>
              {shownOpen.length > 0 && (
                <ul
                  ref={list}
                  className="divide-y divide-line overflow-hidden rounded-sm border border-line bg-raised"
                >
                  {shownOpen.slice(0, Math.max(limit, placeOf(wantedId) + 1)).map((alert) => (
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
                  onClick={({ currentTarget }) => {
                    // The last press removes the button.
                    firstNew.current = limit;
                    keepFocus(currentTarget, () => buttonsFrom(list.current, firstNew.current));
                    setLimit(limit + MORE_SHOWN);
                  }}
                >
                  Show more ({formatCount(shownOpen.length - limit)})
                </Button>
              )}
              {openCount > shownOpen.length && (
                <p className="py-2 text-sm text-muted">
                  The {formatCount(shownOpen.length)} most serious of {formatCount(openCount)}. The
                  others follow as these are acknowledged.
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
