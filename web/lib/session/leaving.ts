// Tells a deliberate sign-out, in any tab, from a session that ended by itself.

const KEY = 'signed-out-at';
/** The other tabs hear of it well within this time. */
const RECENT_MS = 10_000;

/** To be called just before signing out. */
export function leaveOnPurpose(): void {
  try {
    localStorage.setItem(KEY, String(Date.now()));
  } catch {
    // Storage is blocked, so no session is stored either, and no other tab shares it.
  }
}

const listeners = new Set<() => void>();

/** @returns the call that stops listening */
export function onLeave(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** To be called once this device has forgotten the session. */
export function announceLeave(): void {
  for (const listener of listeners) listener();
}

export function leftOnPurpose(): boolean {
  try {
    return Date.now() - Number(localStorage.getItem(KEY) ?? 0) < RECENT_MS;
  } catch {
    return true;
  }
}
