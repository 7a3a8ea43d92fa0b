// The outside providers of this instance, by the names that config.toml gives them.
import type { ExternalProvider } from '../../../settings/external.ts';
import { refusals } from '../errors/catalogue.ts';
import type { Service } from '../service.ts';
import { issuerOf } from '../tokens/access-token.ts';

/** Names that clients know from GoTrue; each is off until it is configured (PROTOCOL.md 1.19). */
export const KNOWN_NAMES: readonly string[] = [
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

export type Provider = ExternalProvider;

/** @returns the enabled provider of this name; clients may write `custom:` before names that they do not know */
export function enabledProvider({ context }: Service, wanted: string): Provider | undefined {
  const { external } = context.settings.auth;
  const name = wanted.replace(/^custom:/, '');
  return Object.hasOwn(external, name) ? external[name] : undefined;
}

/** @returns the enabled provider that signs as this issuer */
export function providerOfIssuer({ context }: Service, issuer: string): Provider | undefined {
  const { external } = context.settings.auth;
  const bare = (address: string): string => address.replace(/\/+$/, '');
  return Object.values(external).find((provider) => bare(provider.issuer) === bare(issuer));
}

/** @throws AuthError 400 for a name that nobody knows, and for a provider that is off */
export function requireProvider(service: Service, name: string): Provider {
  const provider = enabledProvider(service, name);
  if (provider !== undefined) return provider;
  throw refusals.invalid(
    KNOWN_NAMES.includes(name)
      ? 'Unsupported provider: provider is not enabled'
      : `Unsupported provider: Provider ${name} could not be found`,
  );
}

/** The address that the provider sends people back to; it must be registered there. */
export function callbackOf({ context }: Service, provider: Provider): string {
  return provider.redirectUri || `${issuerOf(context)}/callback`;
}
