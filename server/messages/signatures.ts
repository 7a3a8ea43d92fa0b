// Who sent a message: the signatures of Twilio and of our own form.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** How far the clock of a gateway may be off. */
const WINDOW_MS = 5 * 60_000;

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Twilio's X-Twilio-Signature: HMAC-SHA1, in base64, of the address and of every field of the form, sorted by name (Twilio,
 * "Webhooks Security").
 * @param url the public address that Twilio calls, with its query
 */
export function twilioSignature(url: string, form: URLSearchParams, token: string): string {
  const names = [...new Set(form.keys())].sort();
  const fields = names.map((name) => [...new Set(form.getAll(name))].map((value) => name + value));
  return createHmac('sha1', token)
    .update(url + fields.flat().join(''))
    .digest('base64');
}

export const isFromTwilio = (
  given: string,
  url: string,
  form: URLSearchParams,
  token: string,
): boolean => isSame(given, twilioSignature(url, form, token));

/** HMAC-SHA256, in hex, of the timestamp, a full stop, and the body as sent. @param timestamp seconds since 1970 */
export function gatewaySignature(timestamp: string, body: string, secret: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
}

/** @returns why it is refused; undefined if it is signed */
export function gatewayProblem(
  headers: { timestamp: string; signature: string },
  body: string,
  { secret, now }: { secret: string; now: Date },
): string | undefined {
  const { timestamp, signature } = headers;
  if (!isSame(signature, gatewaySignature(timestamp, body, secret))) {
    return 'The signature is missing or wrong.';
  }
  const age = Math.abs(now.getTime() - Number(timestamp) * 1000);
  // Also when the timestamp is no number.
  return age <= WINDOW_MS ? undefined : 'The timestamp is more than 5 minutes off.';
}
