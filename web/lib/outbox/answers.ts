// Tells from a response whether an outbox entry was sent, is refused for good, or is to be retried.
import { describeError } from '../errors/error-message.ts';

/** `offline`: no response; `busy`: the server can't take it now; `signed-out`: the session is not accepted. */
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

/** Consecutive failures before we assume the device is offline. */
export const OFFLINE_AFTER = 2;

/** 4xx that may succeed later: request timeout, too early, too many requests. */
const TRANSIENT = new Set([408, 425, 429]);

/** 413 is permanent, even when a proxy sends it. */
const TOO_LARGE = 413;

/** @param isOurs false for a gateway's own error page */
function judgeAnswer(status: number, isOurs: boolean): Verdict {
  if (status === 0) return 'offline';
  if (status === 401) return 'signed-out';
  const isPermanent = status >= 400 && status < 500 && !TRANSIENT.has(status);
  return isPermanent && (isOurs || status === TOO_LARGE) ? 'refused' : 'busy';
}

/** Every error of our services has a code. */
type Answer = { error: { message: string; code?: string } | null; status: number };

/**
 * Returns a successful response of supabase-js.
 * @param answer awaited without `throwOnError`, which would lose the status
 * @throws NotSent otherwise, with a message for the user
 */
export function accepted<Received extends Answer>(answer: Received): Received {
  const { error, status } = answer;
  if (!error) return answer;
  const message = describeError(Object.assign(new Error(error.message), { code: error.code }));
  throw new NotSent(judgeAnswer(status, Boolean(error.code)), message);
}

/** Unexpected errors, including bugs of ours, count as `busy`: the entry is retried, never dropped. */
export function toNotSent(error: unknown): NotSent {
  if (error instanceof NotSent) return error;
  const isOffline =
    error instanceof TypeError || (error instanceof Error && error.name === 'AbortError');
  return new NotSent(isOffline ? 'offline' : 'busy', describeError(error));
}
