// supabase-js repeats a failed refresh of the session for 30 s. All requests of the session wait for it, and are then sent
// without the session: the user would read that they lack permission, or see the empty lists of a visitor.
import { hasStoredSession, readStoredSession } from '../session/stored-session.ts';
import { watchedFetch } from './online.ts';

/** So long before a session runs out, supabase-js refreshes it before it sends anything (EXPIRY_MARGIN_MS of auth-js). */
const MARGIN_MS = 90_000;
/** A refresh without a response goes on, but what waits for it is not kept waiting. */
const LONGEST_WAIT_MS = 8_000;

/** Of the last refresh; undefined once one succeeded. */
let failure: Error | undefined;
const waiting = new Set<(reason: Error) => void>();

function fail(reason: Error): void {
  failure = reason;
  for (const reject of waiting) reject(reason);
}

/** The name of the status, as a proxy's page has it: `isUnavailable` knows it. */
const UNAVAILABLE = 'Service Unavailable';

const fetchRefresh: typeof fetch = async (input, init) => {
  const timer = setTimeout(() => {
    fail(new TypeError('Failed to fetch: no response in time'));
  }, LONGEST_WAIT_MS);
  try {
    const answer = await watchedFetch(input, init);
    if (answer.status >= 500) fail(new Error(UNAVAILABLE));
    else failure = undefined;
    return answer;
  } catch (error) {
    fail(error instanceof Error ? error : new TypeError('Failed to fetch'));
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

/**
 * fetch of the client that carries the session. Nothing is sent as a visitor while a session is stored.
 * @param backend URL of the backend
 */
export function sessionFetch(backend: string, anonKey: string): typeof fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(String(input));
    if (pathname.endsWith('/auth/v1/token') && search.includes('grant_type=refresh_token')) {
      return fetchRefresh(input, init);
    }
    const isVisitor = new Headers(init?.headers).get('authorization') === `Bearer ${anonKey}`;
    if (isVisitor && !pathname.includes('/auth/v1/') && hasStoredSession(backend)) {
      return new Response(UNAVAILABLE, { status: 503 });
    }
    return watchedFetch(input, init);
  };
}

/**
 * The work, or the reason why the session could not be refreshed, which the work would wait for.
 * @param backend URL of the backend
 * @throws that reason; the work goes on, and its result is dropped
 */
export async function unlessRefreshFails<T>(
  backend: string,
  work: () => T | Promise<T>,
): Promise<T> {
  const endsAt = (readStoredSession(backend)?.expires_at ?? Number.POSITIVE_INFINITY) * 1000;
  if (endsAt - Date.now() > MARGIN_MS) return work();
  let stop = (_reason: Error) => {};
  const failing = new Promise<never>((_resolve, reject) => {
    stop = reject;
  });
  waiting.add(stop);
  if (failure) stop(failure);
  try {
    return await Promise.race([work(), failing]);
  } finally {
    waiting.delete(stop);
  }
}
