import { KNOWN_NAMES } from '../providers/provider.ts';
import type { Endpoint } from '../service.ts';
import { readIssuer } from '../sessions/tokens.ts';

/** The release of GoTrue whose API this is. */
const VERSION = 'v2.196.0';

export const health: Endpoint = async () => ({
  version: VERSION,
  name: 'GoTrue',
  description: 'GoTrue is a user registration and authentication API',
});

// GET /.well-known/jwks.json
export const jwks: Endpoint = async ({ context, reply }) => {
  reply.header('cache-control', 'public, max-age=600');
  return context.keys.jwks;
};

// GET /.well-known/openid-configuration: issuer and keys for programs that verify our tokens. We are not an OpenID provider.
export const openidConfiguration: Endpoint = async ({ context, reply }) => {
  const issuer = readIssuer(context);
  reply.header('cache-control', 'public, max-age=600');
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [
      ...new Set(context.keys.jwks.keys.map((key) => key.alg)),
    ],
  };
};

// GET /settings: what this instance offers, for sign-in screens.
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
