// Tells a sign-out that somebody wanted, in any tab, from a session that ended by itself.

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

export function leftOnPurpose(): boolean {
  try {
    return Date.now() - Number(localStorage.getItem(KEY) ?? 0) < RECENT_MS;
  } catch {
    return true;
  }
}
