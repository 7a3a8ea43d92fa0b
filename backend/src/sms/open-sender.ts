// The configured carrier of text messages: the operator's gateway (a hook) or Twilio; undefined without either.
import type { Settings } from '../settings/settings.ts';
import { StartError } from '../start-error.ts';
import { openHook } from './hook.ts';
import type { SmsSender } from './sender.ts';
import { openTwilio } from './twilio.ts';

/** @throws StartError if one is enabled but incomplete */
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
