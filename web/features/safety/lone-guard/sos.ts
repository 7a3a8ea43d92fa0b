// An SOS as outbox entries: the call for help at once, the position when the phone knows it, a false alarm.
import { z } from 'zod';
import { deviceNow } from '#web/lib/clock/server-now.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { SOS_KIND } from '#web/lib/outbox/kinds.ts';
import { deviceTime } from '#web/lib/outbox/outbox.ts';
import { type SubmitOutcome, submit } from '#web/lib/outbox/submit.ts';
import { type Position, placeOf } from '#web/lib/position/locate.ts';

export const sosSchema = z.object({
  /** `place` repeats `raise` with a position. */
  step: z.enum(['raise', 'place', 'cancel']),
  sosId: z.uuid(),
  /** Milliseconds since 1970 by the device's clock. */
  deviceAt: z.number(),
  /** How far the server's clock is ahead of the device's, milliseconds; null when never measured. */
  offsetMs: z.number().nullable(),
  /** 'lat,lng' in degrees. */
  gps: z.string().nullable(),
  /** Metres. */
  accuracyM: z.number().nullable(),
  note: z.string().nullable(),
  /** For the text message: where the guard is on duty. */
  siteName: z.string().nullish(),
  /** IANA zone of the site. */
  timezone: z.string().nullish(),
});
type SosStep = z.infer<typeof sosSchema>;

/** Of SOS and False alarm, which take each other back. */
export const SOS_SPOT = 'sos';

/** An SOS that was raised on this device. */
export type Sos = Pick<SosStep, 'sosId' | 'deviceAt' | 'offsetMs' | 'siteName' | 'timezone'>;

/** Where the guard is on duty, as far as this device knows. */
export type SosSite = { name: string; timezone: string };

const TITLES: Record<SosStep['step'], string> = {
  raise: 'SOS',
  place: 'Position of the SOS',
  cancel: 'SOS was a false alarm',
};

const submitStep = (userId: string, step: SosStep): Promise<SubmitOutcome> =>
  submit({
    // The event's own id for its first entry, so that a second press can't store it twice.
    id: step.step === 'raise' ? step.sosId : crypto.randomUUID(),
    userId,
    kind: SOS_KIND,
    title: TITLES[step.step],
    payload: step,
  });

export async function startSos(findSite: () => Promise<SosSite | undefined>): Promise<Sos> {
  const [{ at, offsetMs }, site] = await Promise.all([
    // Without storage, fall back to the device's clock.
    deviceTime().catch(() => ({ at: deviceNow(), offsetMs: null })),
    findSite().catch(() => undefined),
  ]);
  const place = { siteName: site?.name ?? null, timezone: site?.timezone ?? null };
  return { sosId: crypto.randomUUID(), deviceAt: at, offsetMs, ...place };
}

/** Sends at once, and the position later if it is not known yet. @throws OutboxFull */
export async function raiseSos(
  userId: string,
  sos: Sos,
  position: Promise<Position | undefined>,
): Promise<void> {
  const known = await Promise.race([position, Promise.resolve(undefined)]);
  const raised = submitStep(userId, { ...sos, ...placeOf(known), step: 'raise', note: null });
  if (!known) {
    void position
      .then((found) => {
        if (!found) return undefined;
        return submitStep(userId, { ...sos, ...placeOf(found), step: 'place', note: null });
      })
      .catch(console.warn);
  }
  await raised;
}

/** @param note why; empty for none @throws OutboxFull */
export async function cancelSos(
  userId: string,
  { sosId }: Pick<Sos, 'sosId'>,
  note: string,
): Promise<SubmitOutcome> {
  const { at, offsetMs } = await deviceTime();
  const cancelled = { sosId, deviceAt: at, offsetMs, ...placeOf(undefined) };
  return submitStep(userId, { ...cancelled, step: 'cancel', note: note.trim() || null });
}

/** What the outbox holds of the caller's SOS; undefined if nothing. */
export type QueuedSos = {
  sos: Sos;
  /** Milliseconds since 1970 by the server's clock, as far as the device knows it. */
  at: number;
  gps: string | null;
  /** The call for help itself has not arrived. */
  isRaiseWaiting: boolean;
  isCancelled: boolean;
  /** Why the server refused it. */
  refusal: string | undefined;
};

/** The newest SOS among these entries, or that with this id. */
export function queuedSos(entries: readonly OutboxEntry[], sosId?: string): QueuedSos | undefined {
  const steps = entries.flatMap((entry) => {
    const step = entry.kind === SOS_KIND ? sosSchema.safeParse(entry.payload).data : undefined;
    return step && (sosId === undefined || step.sosId === sosId) ? [{ entry, step }] : [];
  });
  const raises = steps.filter(({ step }) => step.step === 'raise');
  const raised = raises.at(-1) ?? steps.at(-1);
  if (!raised) return undefined;
  const { step: sos, entry } = raised;
  const own = steps.filter(({ step }) => step.sosId === sos.sosId);
  return {
    sos,
    at: sos.deviceAt + (sos.offsetMs ?? 0),
    gps: own.findLast(({ step }) => step.gps !== null)?.step.gps ?? null,
    isRaiseWaiting: sos.step === 'raise' && entry.state === 'waiting',
    isCancelled: own.some(({ step }) => step.step === 'cancel'),
    refusal:
      sos.step === 'raise' && entry.state === 'refused' ? (entry.reason ?? 'refused') : undefined,
  };
}

type SosFacts = {
  name: string | null | undefined;
  siteName: string | null | undefined;
  /** 'lat,lng' in degrees. */
  gps: string | null | undefined;
  /** Milliseconds since 1970 by the server's clock. */
  at: number;
  timezone: string | null | undefined;
};

/** The text message to the control room: a person and `private.take_message` read it. */
export function sosText({ name, siteName, gps, at, timezone }: SosFacts): string {
  const time = formatTime(new Date(at).toISOString(), timezone ?? undefined);
  const place = gps ? `https://maps.google.com/?q=${gps}` : 'position unknown';
  return [['SOS', name].filter(Boolean).join(' '), siteName, time, place]
    .filter(Boolean)
    .join(', ');
}
