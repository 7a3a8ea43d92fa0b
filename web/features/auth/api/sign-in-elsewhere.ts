// Leaves for an outside provider, which leads back to this screen with a session, or with an error in the address.
import { thisAddress } from '#web/lib/session/next-address.ts';
import { providerOf } from '#web/lib/session/provider.ts';
import { whenReady } from '#web/lib/supabase/client.ts';

/** @param name of the provider, as in the server's settings */
export async function signInWithProvider(name: string): Promise<void> {
  const client = await whenReady();
  const { error } = await client.auth.signInWithOAuth({
    provider: providerOf(name),
    options: { redirectTo: thisAddress() },
  });
  if (error) throw error;
}

/**
 * @param email whose domain names the company
 * @throws when no company with that domain signs in this way
 */
export async function signInWithCompany(email: string): Promise<void> {
  const domain = email.trim().split('@').at(-1) ?? '';
  const client = await whenReady();
  const { error } = await client.auth.signInWithSSO({
    domain,
    options: { redirectTo: thisAddress() },
  });
  if (error) throw error;
}
