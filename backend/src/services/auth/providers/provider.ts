import { z } from 'zod';
import type { ExternalProvider } from '../../../settings/external.ts';
import { errors } from '../errors.ts';
import { validEmail, withinLimit } from '../input/fields.ts';
import type { Service } from '../service.ts';
import { readIssuer } from '../sessions/tokens.ts';

/** Names in GoTrue's `/settings`; disabled unless configured. */
export const KNOWN_NAMES: readonly string[] = [
  'apple azure bitbucket discord facebook snapchat figma fly github gitlab google keycloak',
  'kakao linkedin linkedin_oidc notion spotify slack slack_oidc workos twitch twitter zoom',
].flatMap((line) => line.split(' '));

export type Provider = ExternalProvider;

/** @returns the enabled provider of this name; clients prefix names that they don't know with `custom:` */
export function enabledProvider({ context }: Service, wanted: string): Provider | undefined {
  const { external } = context.settings.auth;
  const name = wanted.replace(/^custom:/, '');
  return Object.hasOwn(external, name) ? external[name] : undefined;
}

/** @returns the enabled provider with this issuer */
export function providerOfIssuer({ context }: Service, issuer: string): Provider | undefined {
  const { external } = context.settings.auth;
  const bare = (address: string): string => address.replace(/\/+$/, '');
  return Object.values(external).find((provider) => bare(provider.issuer) === bare(issuer));
}

/** @throws AuthError 400 for an unknown or disabled provider */
export function requireProvider(service: Service, name: string): Provider {
  const provider = enabledProvider(service, name);
  if (provider !== undefined) return provider;
  throw errors.invalid(
    KNOWN_NAMES.includes(name)
      ? 'Unsupported provider: provider is not enabled'
      : `Unsupported provider: Provider ${name} could not be found`,
  );
}

/** The redirect URI; it must be registered with the provider. */
export function buildCallback({ context }: Service, provider: Provider): string {
  return provider.redirectUri || `${readIssuer(context)}/callback`;
}

// A user as described by a provider, in one form for OpenID Connect and SAML.
export interface ProviderUser {
  /** Name of the provider, or `sso:<uuid>`. */
  provider: string;
  /** The provider's id of the user. */
  subject: string;
  /** Canonical. */
  email: string | undefined;
  /** Whether the provider vouches for the address. Only then it may lead to an existing account. */
  emailVerified: boolean;
  /** Goes into the account's metadata and the identity. */
  metadata: Record<string, unknown>;
  isSso: boolean;
}

const optionalText = z.string().optional().catch(undefined);
const truth = z.union([z.boolean(), z.string(), z.number()]).optional().catch(undefined);

const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  email: optionalText,
  email_verified: truth,
  /** Microsoft's `xms_edov`: whether the owner of the domain verified the address. */
  xms_edov: truth,
  name: optionalText,
  given_name: optionalText,
  family_name: optionalText,
  nickname: optionalText,
  preferred_username: optionalText,
  picture: optionalText,
  locale: optionalText,
});

const isTrue = (value: boolean | string | number | undefined): boolean =>
  value === true || value === 1 || value === 'true' || value === '1';

/** @returns the canonical address; undefined if it is none */
export function cleanEmail(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  try {
    return validEmail(given);
  } catch {
    return undefined;
  }
}

/**
 * @param claims of a verified ID token and, if used, of the userinfo endpoint
 * @throws ZodError without a subject
 */
export function toProviderUser(provider: string, claims: object): ProviderUser {
  const known = Claims.parse(claims);
  const email = cleanEmail(known.email);
  const emailVerified =
    email !== undefined && (isTrue(known.email_verified) || isTrue(known.xms_edov));
  const name =
    known.name ?? ([known.given_name, known.family_name].filter(Boolean).join(' ') || undefined);
  const metadata = {
    iss: known.iss,
    sub: known.sub,
    provider_id: known.sub,
    ...(email === undefined ? {} : { email }),
    email_verified: emailVerified,
    phone_verified: false,
    ...(name === undefined ? {} : { name, full_name: name }),
    ...(known.picture === undefined ? {} : { picture: known.picture, avatar_url: known.picture }),
    ...present({
      nickname: known.nickname,
      preferred_username: known.preferred_username,
      locale: known.locale,
    }),
  };
  return {
    provider,
    subject: known.sub,
    email,
    emailVerified,
    metadata: withinLimit(metadata),
    isSso: false,
  };
}

function present(fields: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
