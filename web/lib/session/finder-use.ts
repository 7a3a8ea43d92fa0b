// What a user opened from the command menu, and how often: on this device only, and only for the account that is signed in.
import { isRecord, readJson } from './read-json.ts';

const KEY = 'finder-use';
/** The rarest is forgotten first. */
const MOST = 60;

export type Use = ReadonlyMap<string, number>;

const NOTHING: Use = new Map();

/** @returns how often each address was opened */
export function readUse(userId: string): Use {
  try {
    const stored = readJson(localStorage.getItem(KEY) ?? '{}');
    if (!isRecord(stored) || stored.user !== userId || !isRecord(stored.counts)) return NOTHING;
    const counts = Object.entries(stored.counts).flatMap(([address, count]) =>
      typeof count === 'number' ? [[address, count] as const] : [],
    );
    return new Map(counts);
  } catch {
    return NOTHING;
  }
}

export function countUse(userId: string, address: string): void {
  const use = readUse(userId);
  const counts = [...use, [address, (use.get(address) ?? 0) + 1] as const];
  const kept = [...new Map(counts)].sort((a, b) => b[1] - a[1]);
  // What was opened last stays, however rare it is.
  const last = kept.filter(([each]) => each === address);
  const others = kept.filter(([each]) => each !== address).slice(0, MOST - 1);
  try {
    const stored = { user: userId, counts: Object.fromEntries([...others, ...last]) };
    localStorage.setItem(KEY, JSON.stringify(stored));
  } catch {
    // Storage may be full or disabled: the order stays that of the screens.
  }
}

/** Call it when the account signs out: on a shared phone, the next user must not see it. */
export function forgetUse(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked, so nothing was stored either.
  }
}
