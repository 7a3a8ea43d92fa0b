// How factors are called.
import type { Factor } from '@supabase/supabase-js';

const KINDS = { totp: 'Authenticator app', webauthn: 'Passkey', phone: 'Phone' } as const;

export function kindOf(factor: Factor): string {
  return KINDS[factor.factor_type];
}

export function nameOf(factor: Factor): string {
  return factor.friendly_name || kindOf(factor);
}

/**
 * @param wanted a name @param taken the names there are
 * @returns a name that is free: the server wants each once
 */
export function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted;
  for (let number = 2; taken.includes(name); number += 1) name = `${wanted} ${number}`;
  return name;
}
