import type { Factor } from '@supabase/supabase-js';

const KINDS = { totp: 'Authenticator app', webauthn: 'Passkey', phone: 'Phone' } as const;

export function kindLabel(factor: Factor): string {
  return KINDS[factor.factor_type];
}

export function factorName(factor: Factor): string {
  return factor.friendly_name || kindLabel(factor);
}

/**
 * @returns the wanted name, with a number if it is taken: the server requires unique names
 */
export function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted;
  for (let number = 2; taken.includes(name); number += 1) name = `${wanted} ${number}`;
  return name;
}

/** WebAuthn needs a secure context and a domain name: browsers refuse an IP address as relying party ID. */
export function canMakePasskeys(): boolean {
  const isIpAddress = /^[\d.]+$|^\[/.test(location.hostname);
  return window.isSecureContext && 'PublicKeyCredential' in window && !isIpAddress;
}
