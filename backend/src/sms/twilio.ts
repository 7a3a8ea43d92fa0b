// Twilio's Messages API.
import type { SmsSender } from './sender.ts';

const TIMEOUT_MS = 10_000;

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
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`Twilio answered ${response.status}.`);
    },
  };
}
