import type { User } from '@supabase/supabase-js';
import { formatPhone } from '#shared/phone.ts';

/** @returns what the user signs in with: the email address, or the phone number of an account without one */
export function signInName(user: User | null): string {
  if (user?.email) return user.email;
  return user?.phone ? formatPhone(`+${user.phone}`) : '';
}
