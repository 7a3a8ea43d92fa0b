import type { Provider } from '@supabase/supabase-js';
import { queryOptions } from '@tanstack/react-query';
import { backend } from '../supabase/client.ts';
import { isRecord, isText } from './read-json.ts';

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
const isProvider = (name: string): name is Provider => isText(name);

export function toProvider(name: string): Provider {
  if (!isProvider(name)) throw new Error('A provider needs a name.');
  return name;
}

/** Listed in `external` too, but not providers to redirect to. */
const NO_PROVIDERS = ['anonymous_users', 'email', 'phone'];

/** supabase-js has no call for GoTrue's /settings. */
async function fetchSignInOptions() {
  const { supabaseUrl, supabaseAnonKey } = backend.config;
  const answer = await fetch(`${supabaseUrl}/auth/v1/settings`, {
    headers: { apikey: supabaseAnonKey },
  });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  const settings: unknown = await answer.json();
  if (!isRecord(settings) || !isRecord(settings.external)) {
    throw new Error('The server sent unreadable settings.');
  }
  return {
    providers: Object.entries(settings.external)
      .filter(([name, isOn]) => isOn === true && !NO_PROVIDERS.includes(name))
      .map(([name]) => name),
    hasCompanySignIn: settings.saml_enabled === true,
    hasPasskeySignIn: settings.passkeys_enabled === true,
  };
}

/** The ways to sign in that the server offers besides email and password. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['auth-settings'],
  queryFn: fetchSignInOptions,
  staleTime: Number.POSITIVE_INFINITY,
});
