import type { User } from '@supabase/supabase-js';
import * as z from 'zod/mini';

const claimsSchema = z.object({ aal: z.string() });

function levelOf(accessToken: string): string {
  const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  try {
    return claimsSchema.parse(JSON.parse(atob(payload))).aal;
  } catch {
    return 'aal1'; // Not one of our tokens; the database treats it the same way.
  }
}

/** @returns the verified factors, oldest first */
export function usableFactors(user: User) {
  return (user.factors ?? []).filter((factor) => factor.status === 'verified');
}

/** The account has a verified factor, but the token's assurance level is aal1. The database enforces the same rule. */
export function lacksSecondStep(session: { access_token: string; user: User }): boolean {
  return usableFactors(session.user).length > 0 && levelOf(session.access_token) !== 'aal2';
}
