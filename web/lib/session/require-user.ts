// Who saves something.
import { whenReady } from '../supabase/client.ts';

/**
 * @param missing what is said when nobody is signed in (specification, section 8)
 * @returns id of the signed-in user @throws when nobody is signed in
 */
export async function requireUserId(missing = 'You must be logged in'): Promise<string> {
  const { data, error } = await (await whenReady()).auth.getSession();
  if (error) throw error;
  if (!data.session) throw new Error(missing);
  return data.session.user.id;
}
