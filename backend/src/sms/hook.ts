// Sends through the operator's gateway: the payload of Supabase's Send SMS hook, signed by Standard Webhooks.
import { createHmac } from 'node:crypto';
import type { SmsSender } from './sender.ts';

const TIMEOUT_MS = 5_000;
const PREFIX = 'v1,whsec_';

/** @param secrets `v1,whsec_<base64>`, several separated by `|` */
export function openHook(uri: string, secrets: string): SmsSender {
  const [secret = ''] = secrets.split('|');
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return {
    name: 'hook',
    send: async ({ phone, text, code, userId }) => {
      const body = JSON.stringify({
        user: { id: userId, phone },
        sms: { otp: code, message: text },
      });
      const id = crypto.randomUUID();
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
      const response = await fetch(uri, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${signature.digest('base64')}`,
        },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The SMS gateway answered ${response.status}.`);
    },
  };
}
