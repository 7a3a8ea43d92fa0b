// The guard's own SOS: stays on every screen of the staff portal until the control room closes it.
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Siren } from 'lucide-react';
import { Spinner } from '#web/components/ui/loading.tsx';
import { formatTime } from '#web/lib/format/dates.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { profileQuery } from '#web/lib/session/session-queries.ts';
import { type OpenSos, openSosQuery } from './api.ts';
import { ControlRoom } from './control-room.tsx';
import { FALSE_ALARM, FalseAlarm } from './false-alarm.tsx';
import { type QueuedSos, queuedSos, type Sos, sosText } from './sos.ts';

type ShownSos = {
  /** The last press, which can still be called a false alarm. */
  press: Pick<Sos, 'sosId' | 'deviceAt' | 'offsetMs'>;
  /** Milliseconds since 1970 by the server's clock. */
  at: number;
  siteName: string | null | undefined;
  timezone: string | undefined;
  gps: string | null;
  isFalseAlarm: boolean;
  state: 'waiting' | 'refused' | 'sent' | 'answered';
  /** What has become of it, in a sentence. */
  status: string;
};

function ofQueue(queued: QueuedSos): ShownSos {
  const { sos, at, gps, isCancelled: isFalseAlarm, refusal } = queued;
  return {
    ...{ press: sos, at, gps, isFalseAlarm, siteName: sos.siteName },
    timezone: sos.timezone ?? undefined,
    ...(refusal === undefined
      ? { state: 'waiting', status: 'Waiting to be sent. It is tried again every few seconds.' }
      : { state: 'refused', status: `Not sent: ${refusal}` }),
  };
}

function ofServer(stored: OpenSos, queued: QueuedSos | undefined): ShownSos {
  const { last_id, last_at, site_name, gps, answered_at, answered_by } = stored;
  const timezone = stored.timezone ?? undefined;
  const isOwn = queued?.sos.sosId === last_id;
  return {
    // Its times are the server's, so the device's own clock needs its offset.
    press: { sosId: last_id, deviceAt: Date.parse(last_at), offsetMs: 0 },
    at: Date.parse(stored.raised_at),
    siteName: site_name,
    timezone,
    gps: (isOwn ? queued.gps : null) ?? gps,
    isFalseAlarm: stored.is_false_alarm || (isOwn && queued.isCancelled),
    ...(answered_at === null
      ? { state: 'sent', status: 'The control room has it. Nobody has answered yet.' }
      : {
          state: 'answered',
          status: `${answered_by ?? 'The control room'} answered at ${formatTime(answered_at, timezone)}.`,
        }),
  };
}

/** What waits on the phone comes before what the server has: it is newer. */
function shownSos(stored: OpenSos | undefined, queued: QueuedSos | undefined) {
  if (queued && (queued.isRaiseWaiting || (queued.refusal !== undefined && !stored))) {
    return ofQueue(queued);
  }
  return stored && ofServer(stored, queued);
}

const TITLES = {
  waiting: 'Sending your SOS',
  refused: 'SOS not sent',
  sent: 'SOS sent',
  answered: 'SOS answered',
};

export function SosCard({ userId }: { userId: string }) {
  const { data: stored = [] } = useQuery(openSosQuery(userId));
  const { data: profile } = useQuery(profileQuery(userId));
  const { waiting, refused } = useOutbox();
  const sos = shownSos(stored[0], queuedSos([...refused, ...waiting]));
  if (!sos) return null;
  const { at, siteName, timezone, gps } = sos;
  return (
    <div className="mx-auto w-full max-w-7xl px-4 sm:px-8">
      <section
        aria-label="SOS"
        className="mt-4 grid gap-4 rounded-sm border-2 border-danger bg-danger/8 p-4 sm:grid-cols-[1fr_18rem] sm:items-start sm:p-5"
      >
        <div className="flex items-start gap-3">
          <Siren aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-danger" />
          <div className="min-w-0">
            <p className="text-lg leading-snug font-semibold text-danger">{TITLES[sos.state]}</p>
            <p className="break-words tabular-nums">
              {[formatTime(new Date(at).toISOString(), timezone), siteName]
                .filter(Boolean)
                .join(', ')}
            </p>
            <p role="status" className="mt-2 flex items-start gap-2 font-semibold break-words">
              {sos.state === 'waiting' && <Spinner className="mt-0.5" />}
              {sos.state === 'answered' && (
                <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-success" />
              )}
              <span className="min-w-0">{sos.status}</span>
            </p>
            {sos.isFalseAlarm && <p className="mt-2">{FALSE_ALARM}</p>}
          </div>
        </div>
        <div className="grid gap-3">
          <ControlRoom text={sosText({ name: profile?.full_name, siteName, gps, at, timezone })} />
          {!sos.isFalseAlarm && (
            <FalseAlarm isShort key={sos.press.sosId} userId={userId} sos={sos.press} />
          )}
        </div>
      </section>
    </div>
  );
}
