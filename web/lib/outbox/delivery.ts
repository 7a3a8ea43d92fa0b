// Sends what users left behind on this device when they signed out, with a token that does nothing else (docs/decisions/0110).
import { z } from 'zod';
import { serverNow } from '../clock/server-now.ts';
import { backend, type Client } from '../supabase/client.ts';
import { watchedFetch } from '../supabase/online.ts';
import { type Delivery, dropDelivery, readDelivery, storeDelivery } from './delivery-token.ts';
import { currentUser } from './session-client.ts';
import { outboxStore } from './store.ts';

/** A token is renewed when it has less left than this: a phone may be without a signal for days. */
const RENEW_BEFORE_MS = 7 * 24 * 3_600_000;

const DEVICE = 'delivery-device';

async function deviceId(): Promise<string> {
  const store = await outboxStore();
  const known = z.uuid().safeParse(await store.getValue(DEVICE)).data;
  if (known) return known;
  const made = crypto.randomUUID();
  await store.setValue(DEVICE, made);
  return made;
}

let making: Promise<void> | undefined;

async function makeToken(): Promise<void> {
  const user = await currentUser();
  if (!user || (await outboxStore()).isVolatile) return;
  const known = await readDelivery(user.userId);
  if (known && known.expiresAt > serverNow() + RENEW_BEFORE_MS) return;
  const device = await deviceId();
  const { data } = await user.connection
    .rpc('make_delivery_token', { p_device_id: device })
    .single()
    .throwOnError();
  const { token, expires_at } = data;
  await storeDelivery(user.userId, { token, device, expiresAt: Date.parse(expires_at) });
}

/** Makes sure that the signed-in user's queue can be sent without them later. Never rejects; the next call tries again. */
export function keepDelivery(): Promise<void> {
  making ??= makeToken()
    .catch((error: unknown) => console.warn('No token to deliver a queue:', error))
    .finally(() => {
      making = undefined;
    });
  return making;
}

/** A response as PostgREST gives it. The values are those that this device has sent: the server returns none. */
const answer = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  });

const signedOut = () => answer(401, { code: 'PT401', message: 'Sign in again to send this.' });

const sentValues = z.record(z.string(), z.unknown());

/** What a sender asked for, read as a delivery; undefined for what waits for its owner, as files do. */
async function deliveryIn(request: Request) {
  const { pathname } = new URL(request.url);
  const call = /\/rest\/v1\/(?:rpc\/)?([a-z_]+)$/.exec(pathname)?.[1];
  if (call === undefined || request.method !== 'POST') return undefined;
  const values = sentValues.safeParse(await request.json()).data;
  return values && { call, values };
}

/** A client for the senders of the outbox, whose calls and inserts become deliveries. */
export async function deliveryClient({ token, device }: Delivery): Promise<Client> {
  const visitor = await backend.clientWith(watchedFetch);
  const deliver: typeof fetch = async (input, init) => {
    const delivery = await deliveryIn(new Request(input, init));
    if (!delivery) return signedOut();
    const { call, values } = delivery;
    const { data, error, status } = await visitor
      .rpc('deliver', {
        ...{ p_token: token, p_device_id: device, p_call: call },
        p_values: JSON.parse(JSON.stringify(values)),
      })
      .abortSignal(init?.signal ?? AbortSignal.timeout(30_000));
    if (error) {
      // As fetch does without a network.
      if (status === 0) throw new TypeError(error.message);
      const { message, code, details, hint } = error;
      return answer(status, { message, code, details, hint });
    }
    if (data !== true) return answer(502, {});
    return answer(200, { id: values.p_id ?? values.id, kind: values.p_kind ?? 'in' });
  };
  return backend.clientWith(deliver);
}

type LeftQueue = { userId: string; connection: Client };

/** Those whose entries of this kind wait on this device and can be sent without them. @param userId who is signed in */
export async function findLeftQueues(
  kind: string,
  userId: string | undefined,
): Promise<LeftQueue[]> {
  const store = await outboxStore();
  const left: LeftQueue[] = [];
  for (const owner of await store.listOwners()) {
    if (owner === userId) continue;
    const isWaiting = (await store.listOf(owner)).some(
      (entry) => entry.kind === kind && entry.state === 'waiting',
    );
    const delivery = isWaiting ? await readDelivery(owner) : undefined;
    if (!delivery || delivery.expiresAt < serverNow()) continue;
    left.push({ userId: owner, connection: await deliveryClient(delivery) });
  }
  return left;
}

/** Ends the tokens of users whose queue is empty. @param userId who is signed in, and keeps theirs */
export async function endFinished(owners: readonly string[], userId: string | undefined) {
  const store = await outboxStore();
  for (const owner of owners) {
    if (owner !== userId && (await store.listOf(owner)).length === 0) await dropDelivery(owner);
  }
}
