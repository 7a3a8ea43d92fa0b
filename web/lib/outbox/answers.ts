// What an answer of the server means for an entry: done, refused for good, or to be tried again.
import { messageOf } from '../errors/error-message.ts';

/** `offline`: nothing gets through; `busy`: the server can't take this now; `signed-out`: not with this session. */
export type Verdict = 'refused' | 'offline' | 'busy' | 'signed-out';

export class NotSent extends Error {
  override name = 'NotSent';
  constructor(
    readonly verdict: Verdict,
    message: string,
  ) {
    super(message);
  }
}

/** So many in a row that got no answer, and there is no network. */
export const OFFLINE_AFTER = 2;

/** 4xx that may well succeed later: too early, too slow, too many. */
const PASSING = new Set([408, 425, 429]);

/** Whoever says so, the same again will not fit either. */
const TOO_LARGE = 413;

/** @param isOurs whether our service says so, and not a gateway on the way with a page of its own */
function verdictOf(status: number, isOurs: boolean): Verdict {
  if (status === 0) return 'offline';
  if (status === 401) return 'signed-out';
  const isRefusal = status >= 400 && status < 500 && !PASSING.has(status);
  return isRefusal && (isOurs || status === TOO_LARGE) ? 'refused' : 'busy';
}

/** Every refusal of our services has a code. */
type Answer = { error: { message: string; code?: string } | null; status: number };

/**
 * Passes a successful answer of supabase-js.
 * @param answer awaited without `throwOnError`, which would lose the status
 * @throws NotSent with what is to become of the entry, and why in the person's words
 */
export function accepted<Received extends Answer>(answer: Received): Received {
  const { error, status } = answer;
  if (!error) return answer;
  const words = messageOf(Object.assign(new Error(error.message), { code: error.code }));
  throw new NotSent(verdictOf(status, Boolean(error.code)), words);
}

/** @returns what became of a sending that threw; a fault of our own is tried again, never dropped */
export function failureOf(error: unknown): NotSent {
  if (error instanceof NotSent) return error;
  const isOffline =
    error instanceof TypeError || (error instanceof Error && error.name === 'AbortError');
  return new NotSent(isOffline ? 'offline' : 'busy', messageOf(error));
}
