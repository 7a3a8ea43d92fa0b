import type { Session } from '@supabase/supabase-js';
import { newPerson, visitor } from './people.ts';
import { service } from './service.ts';

export type NewGuard = { id: string; name: string; session: Session };

/** A guard without shifts, whom no other journey plans. */
export async function newGuard(url: string, dataDir: string): Promise<NewGuard> {
  const { fullName, email, password } = newPerson();
  const { data, error } = await (await visitor(url)).auth.signUp({
    email,
    password,
    options: { data: { full_name: fullName } },
  });
  if (error) throw error;
  if (!data.session) throw new Error('Signing up gave no session.');
  const { id } = data.session.user;
  await (await service(url, dataDir))
    .from('user_roles')
    .insert({ user_id: id, role: 'guard' })
    .throwOnError();
  return { id, name: fullName, session: data.session };
}
