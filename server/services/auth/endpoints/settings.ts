// GET /settings: what this instance offers, for sign-in screens (PROTOCOL.md 1.19).
import type { Endpoint } from '../service.ts';

/** Names that clients know; each is off until it is configured. */
export const PROVIDERS = [
  'apple',
  'azure',
  'bitbucket',
  'discord',
  'facebook',
  'snapchat',
  'figma',
  'fly',
  'github',
  'gitlab',
  'google',
  'keycloak',
  'kakao',
  'linkedin',
  'linkedin_oidc',
  'notion',
  'spotify',
  'slack',
  'slack_oidc',
  'workos',
  'twitch',
  'twitter',
  'zoom',
];

export const settings: Endpoint = async ({ context }) => {
  const { auth } = context.settings;
  return {
    external: {
      anonymous_users: auth.enable_anonymous_sign_ins,
      ...Object.fromEntries(PROVIDERS.map((provider) => [provider, false])),
      email: auth.email.enable_signup,
      phone: false,
    },
    disable_signup: context.config.signupPolicy === 'closed' || !auth.enable_signup,
    mailer_autoconfirm: !auth.email.enable_confirmations,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
    passkeys_enabled: false,
  };
};
