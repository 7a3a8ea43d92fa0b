// The configured external providers, by their names in config.toml.
import type { ExternalProvider } from '../../../settings/external.ts';
import { errors } from '../errors.ts';
import type { Service } from '../service.ts';
import { issuerOf } from '../sessions/tokens.ts';

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
export function callbackOf({ context }: Service, provider: Provider): string {
  return provider.redirectUri || `${issuerOf(context)}/callback`;
}
