// Whether a passkey can be made here.

/** A passkey belongs to a name: browsers refuse one for a bare address of numbers, and on pages that are not secure. */
export function canMakePasskeys(): boolean {
  const isNumber = /^[\d.]+$|^\[/.test(location.hostname);
  return window.isSecureContext && 'PublicKeyCredential' in window && !isNumber;
}
