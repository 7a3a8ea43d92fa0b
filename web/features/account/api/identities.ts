// The ways to sign in that belong to the account: e-mail and password, and outside providers.
import type { UserIdentity } from '@supabase/supabase-js';
import { queryOptions } from '@tanstack/react-query';
import { thisAddress } from '#web/lib/session/next-address.ts';
import { providerOf } from '#web/lib/session/provider.ts';
import { supabase } from '#web/lib/supabase/client.ts';

export function identitiesQuery() {
  return queryOptions({
    queryKey: ['identities'],
    queryFn: async () => {
      const { data, error } = await supabase().auth.getUserIdentities();
      if (error) throw error;
      return data.identities;
    },
  });
}

/** Leaves for the provider, which leads back to this screen. @param name as in the server's settings */
export async function linkIdentity(name: string): Promise<void> {
  const { error } = await supabase().auth.linkIdentity({
    provider: providerOf(name),
    options: { redirectTo: thisAddress() },
  });
  if (error) throw error;
}

/** @throws for the last one: nobody could sign in any more */
export async function unlinkIdentity(identity: UserIdentity): Promise<void> {
  const { error } = await supabase().auth.unlinkIdentity(identity);
  if (error) throw error;
}
