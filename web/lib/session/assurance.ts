// Whether a session still lacks its second step: the account has a verified factor, and the token says aal1.
import type { User } from '@supabase/supabase-js';
import * as z from 'zod/mini';

const claimsSchema = z.object({ aal: z.string() });

function levelOf(accessToken: string): string {
  const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  try {
    return claimsSchema.parse(JSON.parse(atob(payload))).aal;
  } catch {
    return 'aal1'; // Not a token of ours: the database treats it the same way.
  }
}

/** @returns the factors that can be asked for, oldest first */
export function usableFactors(user: User) {
  return (user.factors ?? []).filter((factor) => factor.status === 'verified');
}

/** Reads only; what a session may see is the database's decision. */
export function lacksSecondStep(session: { access_token: string; user: User }): boolean {
  return usableFactors(session.user).length > 0 && levelOf(session.access_token) !== 'aal2';
}
