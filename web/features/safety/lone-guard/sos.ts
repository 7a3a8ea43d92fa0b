// An SOS as outbox entries: the call for help at once, the position when the phone knows it, a false alarm.

import { z } from 'zod';
import { deviceNow } from '#web/lib/clock/server-now.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { SOS_KIND } from '#web/lib/outbox/kinds.ts';
import { deviceTime } from '#web/lib/outbox/outbox.ts';
import { type SubmitOutcome, submit } from '#web/lib/outbox/submit.ts';
import { gpsText, type Position } from '#web/lib/position/locate.ts';

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
});
type SosStep = z.infer<typeof sosSchema>;

/** An SOS that was raised on this device. */
export type Sos = Pick<SosStep, 'sosId' | 'deviceAt' | 'offsetMs'>;

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

const placeOf = (position: Position | undefined) => ({
  gps: position ? gpsText(position) : null,
  accuracyM: position ? Math.round(position.accuracy) : null,
});

export async function startSos(): Promise<Sos> {
  // Without storage, fall back to the device's clock.
  const { at, offsetMs } = await deviceTime().catch(() => ({ at: deviceNow(), offsetMs: null }));
  return { sosId: crypto.randomUUID(), deviceAt: at, offsetMs };
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
  { sosId }: Sos,
  note: string,
): Promise<SubmitOutcome> {
  const { at, offsetMs } = await deviceTime();
  const cancelled = { sosId, deviceAt: at, offsetMs, ...placeOf(undefined) };
  return submitStep(userId, { ...cancelled, step: 'cancel', note: note.trim() || null });
}

/** Whether these outbox entries contain the SOS itself. */
export const hasSos = (entries: readonly OutboxEntry[], { sosId }: Sos): boolean =>
  entries.some(({ id, kind }) => kind === SOS_KIND && id === sosId);
