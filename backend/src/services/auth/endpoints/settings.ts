// GET /settings: what this instance offers, for sign-in screens.
import { KNOWN_NAMES } from '../providers/provider.ts';
import type { Endpoint } from '../service.ts';

export const settings: Endpoint = async ({ context, sms }) => {
  const { auth } = context.settings;
  return {
    external: {
      anonymous_users: auth.enable_anonymous_sign_ins,
      ...Object.fromEntries(KNOWN_NAMES.map((name) => [name, false])),
      ...Object.fromEntries(Object.keys(auth.external).map((name) => [name, true])),
      email: auth.email.enable_signup,
      phone: auth.sms.enable_signup,
    },
    disable_signup: !auth.enable_signup,
    mailer_autoconfirm: !auth.email.enable_confirmations,
    phone_autoconfirm: !auth.sms.enable_confirmations,
    sms_provider: sms?.name ?? '',
    saml_enabled: auth.saml.enabled,
    passkeys_enabled: auth.passkey.enabled,
  };
};
