// Who saves something.
import { supabase } from '../supabase.ts';

/** @returns id of the signed-in user @throws when nobody is signed in */
export async function requireUserId(): Promise<string> {
  const { data, error } = await supabase().auth.getSession();
  if (error) throw error;
  if (!data.session) throw new Error('You must be logged in');
  return data.session.user.id;
}
