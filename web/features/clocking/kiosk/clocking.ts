// Clocking on this device: stored first, then sent in order, each once. A guard who still stands here gets the answer.

import * as z from 'zod/mini';
import { deviceNow } from '#web/lib/clock/server-now.ts';
import { accepted, NotSent } from '#web/lib/outbox/answers.ts';
import { deviceTimes } from '#web/lib/outbox/device-times.ts';
import { waitingEntry } from '#web/lib/outbox/entry.ts';
import { requestPersistence } from '#web/lib/outbox/persistence.ts';
import { retryLoop } from '#web/lib/outbox/retry-loop.ts';
import { type Send, sendWaiting } from '#web/lib/outbox/sender.ts';
import { learnServerOffset, serverOffset } from '#web/lib/outbox/server-clock.ts';
import { outboxStore } from '#web/lib/outbox/store.ts';
import { timeOrderedId } from '#web/lib/outbox/time-ordered-id.ts';
import { toBase64 } from '#web/lib/photos/small-picture.ts';
import { type KioskClient, kioskClient, readSecret, requireSecret } from './binding.ts';
import { eventSchema, type KioskEvent } from './event.ts';
import { openPin, sealPin } from './pin-box.ts';
import { cacheState } from './site-cache.ts';

/** Owner of the queue: the browser, whatever site it is bound to. */
const OWNER = 'kiosk';
const TIMEOUT_MS = 20_000;
/** How long a guard waits for the answer before the event counts as waiting. */
const LIVE_MS = 8_000;

const answerSchema = z.object({
  outcome: z.enum(['recorded', 'wrong', 'locked', 'none', 'refused', 'exception']),
  message: z.nullish(z.string()),
  /** Before the PIN is locked. */
  tries_left: z.nullish(z.number()),
  /** Whether those who decide about exceptions see the attempt. */
  is_recorded: z.nullish(z.boolean()),
});
export type Answer = z.infer<typeof answerSchema>;

/** Events whose guard waits for the answer. */
const live = new Map<string, (answer: Answer) => void>();
const listeners = new Set<() => void>();
const notify = () => {
  for (const listener of listeners) listener();
};

/** Called after each change of the queue. @returns the function that unsubscribes */
export function onQueueChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Events that are not sent yet, oldest first; `refused` ones need an administrator. */
export async function readQueue() {
  return (await outboxStore()).listOf(OWNER);
}

const sendEvent: Send<KioskClient> = async (entry, { connection, files }) => {
  const { data: event } = eventSchema.safeParse(entry.payload);
  if (!event) throw new NotSent('refused', 'This version can’t read the event.');
  const pin = await openPin(event.pin);
  const [photo] = await files();
  const picture = photo && (await toBase64(photo.blob));
  const ask = async (isQueued: boolean): Promise<Answer> => {
    const { data } = accepted(
      await connection
        .rpc('device_clock', {
          p_secret: await requireSecret(),
          p_id: entry.id,
          p_assignment_id: event.assignmentId,
          p_user_id: event.userId,
          p_kind: event.kind,
          p_pin: pin,
          ...deviceTimes(entry.madeAt, entry.offsetMs),
          ...(event.gps !== null && { p_gps: event.gps }),
          ...(event.accuracyM !== null && { p_accuracy_m: event.accuracyM }),
          ...(picture && { p_photo: picture }),
          p_queued: isQueued,
        })
        .abortSignal(AbortSignal.timeout(TIMEOUT_MS)),
    );
    return answerSchema.parse(data);
  };
  const wasLive = live.has(entry.id);
  let answer = await ask(!wasLive);
  // The guard has read "waiting to be sent" and left, so nobody would learn of it.
  if (wasLive && !live.has(entry.id) && answer.outcome !== 'recorded') answer = await ask(true);
  if (answer.outcome === 'recorded') await cacheState(event.assignmentId, event.kind);
  live.get(entry.id)?.(answer);
};

/** Without the Web Locks API two tabs may send the same event; the server stores it once. */
const locked = <T>(work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request('outbox:kiosk', work) : work();

async function sendAll(): Promise<boolean> {
  const store = await outboxStore();
  if (!(await readSecret()) || (await readQueue()).every(({ state }) => state !== 'waiting'))
    return true;
  const result = await locked(() =>
    sendWaiting<KioskClient>({
      store,
      kind: OWNER,
      isOrdered: true,
      currentUser: async () => ({ userId: OWNER, connection: await kioskClient() }),
      refreshToken: async () => false,
      loadSender: async () => sendEvent,
      onChange: notify,
    }),
  );
  void learnServerOffset(store).catch(console.warn);
  return result !== 'later';
}

/** Sends what waits. Resolves when all was tried; never rejects. */
export const sendQueue = retryLoop(sendAll);

export type Clocking = Omit<KioskEvent, 'pin'> & { pin: string; picture: Blob | undefined };

/** @returns the server's answer, or `waiting` if there is none yet @throws OutboxFull */
export async function clockOnDevice({
  pin,
  picture,
  ...event
}: Clocking): Promise<Answer | { outcome: 'waiting' }> {
  const store = await outboxStore();
  void requestPersistence().catch(console.warn);
  const id = timeOrderedId();
  const payload: KioskEvent = { ...event, pin: await sealPin(pin) };
  const made = { id, userId: OWNER, kind: OWNER, title: `Clock ${event.kind}`, payload };
  const answered = new Promise<Answer>((resolve) => live.set(id, resolve));
  try {
    const photo = picture ? [{ name: 'picture', label: 'Picture', blob: picture }] : [];
    await store.add(waitingEntry(made, deviceNow(), await serverOffset(store)), photo);
    notify();
    const patience = new Promise<undefined>((resolve) => setTimeout(resolve, LIVE_MS));
    const pass = sendQueue().then(() => undefined);
    return (await Promise.race([answered, pass, patience])) ?? { outcome: 'waiting' };
  } finally {
    live.delete(id);
  }
}
