// Which ways of signing in the server offers beside e-mail and password.
import { queryOptions } from '@tanstack/react-query';
import { authSettings } from '../supabase/client.ts';

/** In `external` too, but no providers to go to. */
const NO_PROVIDERS = ['anonymous_users', 'email', 'phone'];

async function readOffers() {
  const { external, ...rest } = await authSettings();
  const providers = Object.keys(external).filter(
    (name) => external[name] && !NO_PROVIDERS.includes(name),
  );
  return {
    providers,
    hasCompanySignIn: rest.saml_enabled,
    hasPasskeySignIn: rest.passkeys_enabled,
  };
}

export function offersQuery() {
  return queryOptions({
    queryKey: ['auth-settings'],
    queryFn: readOffers,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
