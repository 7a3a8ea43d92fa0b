// `[auth.external.<name>]` of config.toml: external OpenID Connect providers. Disabled unless configured.
import { z } from 'zod';
import { isSafeAddress } from '../config.ts';

const NAME = /^[a-z0-9][\w-]{0,62}$/i;
/** Names of our own ways to sign in. */
const RESERVED = new Set(['email', 'phone', 'anonymous_users', 'sso']);
const DEFAULT_SCOPES = 'openid email profile';

/** Issuers that need no `url`. */
export const WELL_KNOWN_ISSUERS: Readonly<Record<string, string>> = {
  google: 'https://accounts.google.com',
  azure: 'https://login.microsoftonline.com/common/v2.0',
};

const Written = z.object({
  enabled: z.boolean().default(false),
  client_id: z.string().default(''),
  secret: z.string().default(''),
  redirect_uri: z.string().default(''),
  url: z.string().default(''),
  skip_nonce_check: z.boolean().default(false),
  email_optional: z.boolean().default(false),
  scopes: z.string().default(DEFAULT_SCOPES),
});

export interface ExternalProvider {
  name: string;
  /** Address whose `/.well-known/openid-configuration` describes the provider. */
  issuer: string;
  /** The first is used for redirects; ID tokens may have any of them as audience. */
  clientIds: [string, ...string[]];
  /** Empty for a public client. */
  secret: string;
  /** Empty for our own callback. */
  redirectUri: string;
  skipNonceCheck: boolean;
  emailOptional: boolean;
  scopes: string[];
}

const MICROSOFT_TENANT = /^https:\/\/login\.microsoftonline\.(com|us)\/[^/]+\/*$/;

/** @returns the issuer from `url` or the name; undefined if neither is known */
function issuerOf(name: string, url: string): string | undefined {
  if (url === '') return WELL_KNOWN_ISSUERS[name];
  const issuer = url.replace(/\/\.well-known\/openid-configuration\/*$/, '');
  // The CLI's key for Microsoft is the tenant's address without a version.
  return MICROSOFT_TENANT.test(issuer) ? `${issuer.replace(/\/+$/, '')}/v2.0` : issuer;
}

/** Enabled providers by name. An invalid one stops the start: otherwise its button would never work. */
export const ExternalProviders = z
  .record(z.string(), Written)
  .default({})
  .transform((written, context) => {
    const providers: Record<string, ExternalProvider> = {};
    for (const [name, provider] of Object.entries(written)) {
      if (!provider.enabled) continue;
      const refuse = (key: string, message: string): void => {
        context.addIssue({ code: 'custom', path: [name, key], message });
      };
      const [clientId, ...others] = provider.client_id.split(',').map((id) => id.trim());
      const issuer = issuerOf(name, provider.url);
      if (!NAME.test(name) || RESERVED.has(name)) refuse('enabled', 'the name is not allowed');
      else if (!clientId) refuse('client_id', 'an enabled provider needs it');
      else if (issuer === undefined) refuse('url', 'give the address of the OpenID Connect issuer');
      else if (!isSafeAddress(issuer)) refuse('url', 'it must begin with https://');
      else if (provider.redirect_uri !== '' && !URL.canParse(provider.redirect_uri)) {
        refuse('redirect_uri', 'it must be a whole address');
      } else {
        providers[name] = {
          name,
          issuer,
          clientIds: [clientId, ...others.filter((id) => id !== '')],
          secret: provider.secret,
          redirectUri: provider.redirect_uri,
          skipNonceCheck: provider.skip_nonce_check,
          emailOptional: provider.email_optional,
          scopes: [...new Set(['openid', ...provider.scopes.split(/[\s,]+/).filter(Boolean)])],
        };
      }
    }
    return providers;
  });
