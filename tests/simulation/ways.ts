// Ways to clock besides a guard's own phone: the shared device of the site, the supervisor's muster, and text messages.
import { z } from 'zod';
import { Random } from '#demo/random.ts';
import { gatewaySignature } from '#server/messages/signatures.ts';
import type { Guard, Site } from './company.ts';
import { accepted, Refused } from './door.ts';
import { uuidFrom } from './lists.ts';
import { MESSAGES_SECRET } from './product.ts';
import type { Kiosk, World } from './world.ts';

export type Way = 'device' | 'muster' | 'message';

/** One press of a button, or one message. */
export interface Clocking {
  /** From the seed, so that it is sent again as the same. */
  id: string;
  kind: 'in' | 'out';
  at: number;
  assignmentId: string;
  guard: Guard;
  site: Site;
}

const LATE_MS = 60_000;
const iso = (ms: number) => new Date(ms).toISOString();
const answerSchema = z.object({ outcome: z.string(), message: z.string().nullish() });
const messageAnswerSchema = z.object({
  outcome: z.string().nullable(),
  reply: z.string().nullable(),
});

async function kioskOf(world: World, site: Site): Promise<Kiosk> {
  const known = world.kiosks.get(site.id);
  if (known) return known;
  const { admin } = world.company;
  const random = new Random(`simulation/${world.size.seed}/kiosk/${site.name}`);
  const secret = Array.from({ length: 8 }, () =>
    random
      .int(0, 16 ** 8 - 1)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
  const { data } = accepted(
    await admin.client.rpc('add_device', { p_site_id: site.id, p_name: 'Guardhouse' }).single(),
  );
  const client = world.door.client();
  accepted(await client.rpc('device_bind', { p_code: data?.code ?? '', p_secret: secret }));
  const kiosk = { client, secret };
  world.kiosks.set(site.id, kiosk);
  return kiosk;
}

async function pinOf(world: World, { id, number, client }: Guard): Promise<string> {
  const known = world.pins.get(id);
  if (known !== undefined) return known;
  const pin = String(702_814 + number * 37);
  accepted(await client.rpc('set_own_pin', { p_pin: pin }));
  world.pins.set(id, pin);
  return pin;
}

async function onDevice(world: World, { id, kind, at, assignmentId, guard, site }: Clocking) {
  const { client, secret } = await kioskOf(world, site);
  const now = Date.now();
  const { data } = accepted(
    await client.rpc('device_clock', {
      p_secret: secret,
      p_id: id,
      p_assignment_id: assignmentId,
      p_user_id: guard.id,
      p_kind: kind,
      p_pin: await pinOf(world, guard),
      p_device_at: iso(at),
      p_sent_at: iso(now),
      p_gps: site.gps,
      p_accuracy_m: 9,
      p_queued: now - at > LATE_MS,
    }),
  );
  // Its screen goes dark after the guard.
  accepted(await client.rpc('device_away', { p_secret: secret }));
  const { outcome, message } = answerSchema.parse(data);
  return outcome === 'recorded' ? undefined : `${outcome}: ${message}`;
}

/** A text message, through the gateway. @param id of the gateway @returns what came of it, and the answer to the phone */
export async function sendText(
  { product }: World,
  guard: Guard,
  text: string,
  id: string,
  at: number,
) {
  const body = JSON.stringify({ id, from: guard.login, text, sent_at: iso(at) });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const response = await fetch(`${product.url}/messages/in`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-timestamp': timestamp,
      'x-signature': `sha256=${gatewaySignature(timestamp, body, MESSAGES_SECRET)}`,
    },
    body,
  });
  return messageAnswerSchema.parse(await response.json());
}

async function byMessage(world: World, { id, kind, at, guard }: Clocking) {
  const text = kind === 'in' ? 'In' : ' out.';
  const { outcome, reply } = await sendText(world, guard, text, id, at);
  return outcome === `clocked_${kind}` || outcome === 'repeated'
    ? undefined
    : `${outcome}: ${reply}`;
}

/** By the supervisor of the site, or operations; there is none for leaving. */
async function atMuster(world: World, { id, at, assignmentId, site }: Clocking) {
  const { supervisor, operations, sites } = world.company;
  const { client } = site.id === sites[0]?.id ? supervisor : operations;
  accepted(
    await client
      .rpc('record_muster', {
        p_assignment_id: assignmentId,
        p_id: id,
        p_kind: 'in',
        p_device_at: iso(at),
        p_sent_at: iso(Date.now()),
        p_gps: site.gps,
        p_accuracy_m: 9,
      })
      .select('kind'),
  );
  return undefined;
}

/** @returns why it was refused, undefined if it was stored */
export async function clock(
  world: World,
  way: Way,
  clocking: Clocking,
): Promise<string | undefined> {
  try {
    if (way === 'device') return await onDevice(world, clocking);
    if (way === 'message') return await byMessage(world, clocking);
    return await atMuster(world, clocking);
  } catch (error) {
    if (!(error instanceof Refused) || error.status >= 500) throw error;
    return `${error.status} ${error.message}`;
  }
}

export const clockingOf = (random: Random, clocking: Omit<Clocking, 'id'>): Clocking => ({
  ...clocking,
  id: uuidFrom(random),
});
