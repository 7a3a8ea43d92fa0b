import { createHmac } from 'node:crypto';
import type { Settings } from '../settings/settings.ts';
import { StartError } from '../start-error.ts';
import type { Tracing } from '../tracing/tracing.ts';

export interface TextMessage {
  /** E.164 digits without the plus sign. */
  phone: string;
  text: string;
  /** The one-time code in the text, if any. */
  code?: string;
  /** Id of the account. */
  userId: string;
}

export interface SmsSender {
  /** `sms_provider` in `/settings`. */
  name: string;
  /** @throws Error with the carrier's message, never with the code */
  send(message: TextMessage): Promise<void>;
}

// Sends through the operator's gateway: the payload of Supabase's Send SMS hook, signed by Standard Webhooks.
const HOOK_TIMEOUT_MS = 5_000;
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
        signal: AbortSignal.timeout(HOOK_TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The SMS gateway answered ${response.status}.`);
    },
  };
}

// Twilio's Messages API.
const TWILIO_TIMEOUT_MS = 10_000;

export interface TwilioAccount {
  account_sid: string;
  message_service_sid: string;
  auth_token: string;
}

export function openTwilio(account: TwilioAccount): SmsSender {
  const { account_sid: sid, auth_token: token, message_service_sid: from } = account;
  const uri = `https://api.twilio.com/2010-04-01/Accounts/${encodeURIComponent(sid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`;
  return {
    name: 'twilio',
    send: async ({ phone, text }) => {
      const response = await fetch(uri, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ To: `+${phone}`, MessagingServiceSid: from, Body: text }),
        signal: AbortSignal.timeout(TWILIO_TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`Twilio answered ${response.status}.`);
    },
  };
}

// The configured carrier of text messages: the operator's gateway (a hook) or Twilio; undefined without either.

/** @throws StartError if one is enabled but incomplete */
export function openSmsSender(settings: Settings, tracing?: Tracing): SmsSender | undefined {
  const sender = configuredSender(settings);
  if (sender === undefined || tracing === undefined) return sender;
  return {
    ...sender,
    send: (message) => tracing.outgoing('SMS send', () => sender.send(message)),
  };
}

function configuredSender({ auth }: Settings): SmsSender | undefined {
  const { send_sms: hook } = auth.hook;
  if (hook.enabled) {
    if (!/^https?:\/\//.test(hook.uri) || !hook.secrets.startsWith('v1,whsec_')) {
      throw new StartError(
        'supabase/config.toml: auth.hook.send_sms needs an http(s) uri and secrets that begin with v1,whsec_.',
      );
    }
    return openHook(hook.uri, hook.secrets);
  }
  const { twilio } = auth.sms;
  if (!twilio.enabled) return undefined;
  if (!twilio.account_sid || !twilio.message_service_sid || !twilio.auth_token) {
    throw new StartError(
      'supabase/config.toml: auth.sms.twilio needs account_sid, message_service_sid and auth_token.',
    );
  }
  return openTwilio(twilio);
}
