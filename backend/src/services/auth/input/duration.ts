// Go durations (`24h`, `1h30m`, `90s`), GoTrue's format for the length of a ban.
import { refusals } from '../errors/catalogue.ts';

const UNIT_S = { h: 3600, m: 60, s: 1, ms: 0.001, us: 0.000_001, ns: 0.000_000_001 };
const PART = /(\d+(?:\.\d+)?)(h|ms|m|s|us|ns)/g;
const WHOLE = /^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|ns))+$/;
/** A hundred years, which still fits into any date. */
const LONGEST_S = 100 * 365 * 86_400;

/**
 * @returns seconds
 * @throws AuthError 400 for anything else
 */
export function secondsOf(duration: string): number {
  if (!WHOLE.test(duration)) {
    throw refusals.invalid(`invalid format for ban duration: time: invalid duration "${duration}"`);
  }
  let seconds = 0;
  for (const [, amount, unit] of duration.matchAll(PART)) {
    seconds += Number(amount) * UNIT_S[unit as keyof typeof UNIT_S];
  }
  return Math.min(seconds, LONGEST_S);
}
