// Who carries text messages: the operator's own gateway (a hook), or Twilio. Without either there is no sender.
import type { Settings } from '../settings.ts';
import { StartError } from '../start-error.ts';
import { openHook } from './hook.ts';
import { openTwilio } from './twilio.ts';

export interface TextMessage {
  /** E.164 digits without the plus sign. */
  phone: string;
  text: string;
  code: string;
  /** Id of the account. */
  userId: string;
}

export interface SmsSender {
  /** As `/settings` shows it. */
  name: string;
  /** @throws Error with what the carrier said, never with the code */
  send(message: TextMessage): Promise<void>;
}

/** @throws StartError where one is enabled and not completely configured */
export function openSmsSender({ auth }: Settings): SmsSender | undefined {
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
