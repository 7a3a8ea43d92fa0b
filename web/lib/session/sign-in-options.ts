import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { backend } from '../supabase/client.ts';

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
