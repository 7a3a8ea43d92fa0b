import type { Provider } from '@supabase/supabase-js';
import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { backend } from '../supabase/client.ts';

const LABELS = new Map([
  ['azure', 'Microsoft'],
  ['email', 'Email and password'],
  ['github', 'GitHub'],
  ['gitlab', 'GitLab'],
  ['linkedin_oidc', 'LinkedIn'],
  ['phone', 'Phone'],
]);

/** @param name as in the settings @returns for example "Microsoft" for azure, "Okta Staff" for okta_staff */
export function providerLabel(name: string): string {
  if (name.startsWith('sso:')) return 'Company account';
  const parts = name.replace(/^custom:/, '').split(/[_-]/);
  return (
    LABELS.get(name) ?? parts.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
  );
}

// supabase-js types the names it knows, but the server may be configured with others.
const providerSchema = z.custom<Provider>(
  (name: unknown) => typeof name === 'string' && name !== '',
);

export function providerOf(name: string): Provider {
  return providerSchema.parse(name);
}

/** Listed in `external` too, but not providers to redirect to. */
const NO_PROVIDERS = ['anonymous_users', 'email', 'phone'];

const settingsSchema = z.object({
  external: z.record(z.string(), z.boolean()),
  saml_enabled: z._default(z.boolean(), false),
  passkeys_enabled: z._default(z.boolean(), false),
});

/** supabase-js has no call for GoTrue's /settings. */
async function fetchSignInOptions() {
  const { supabaseUrl, supabaseAnonKey } = backend.config;
  const answer = await fetch(`${supabaseUrl}/auth/v1/settings`, {
    headers: { apikey: supabaseAnonKey },
  });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  const settings = settingsSchema.parse(await answer.json());
  return {
    providers: Object.keys(settings.external).filter(
      (name) => settings.external[name] && !NO_PROVIDERS.includes(name),
    ),
    hasCompanySignIn: settings.saml_enabled,
    hasPasskeySignIn: settings.passkeys_enabled,
  };
}

/** The ways to sign in that the server offers besides email and password. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['auth-settings'],
  queryFn: fetchSignInOptions,
  staleTime: Number.POSITIVE_INFINITY,
});
