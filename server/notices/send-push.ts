import webPush from 'web-push';
import { company } from '#company';
import type { Subscription } from './deliveries.ts';
import type { PushKeys } from './push-keys.ts';

const TIMEOUT_MS = 10_000;
/** Seconds that the push service keeps a message for a phone that is off. */
const TTL = 24 * 3600;
/** The subscription has ended (RFC 8030 section 7.3). */
const ENDED = new Set([404, 410]);

/**
 * Encrypts and sends one message (RFC 8291). Only to the origins in `private.settings`, so that no caller can make the
 * server send requests elsewhere; redirects are not followed for the same reason.
 * @returns whether the subscription still exists
 * @throws Error with the service's status when it should be tried again
 */
export async function sendPush(
  { endpoint, p256dh, auth }: Subscription,
  payload: string,
  keys: PushKeys,
): Promise<boolean> {
  const { method, headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    payload,
    { TTL, urgency: 'high', vapidDetails: { subject: `mailto:${company.email}`, ...keys } },
  );
  const response = await fetch(endpoint, {
    method,
    headers: Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => name.toLowerCase() !== 'content-length')
        .map(([name, value]) => [name, String(value)]),
    ),
    body: body === null ? null : new Uint8Array(body),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (ENDED.has(response.status)) return false;
  if (!response.ok) throw new Error(`The push service answered ${response.status}.`);
  return true;
}
