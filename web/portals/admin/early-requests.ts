// Inlined in the office's page (scripts/build-web.mjs): requests what its first screen shows while the code loads.
// The queries take the answers (web/lib/cache/early-answers.ts); what they don't find here they fetch.
import type { EarlyName } from '#web/lib/cache/early-answers.ts';
import { CARDS_PAGE } from '#web/lib/data/pages.ts';
import { readJson } from '#web/lib/session/read-json.ts';
import { PROFILE_COLUMNS, ROLE_COLUMNS } from '#web/lib/session/session-columns.ts';
import { parseSession, type StoredSession } from '#web/lib/session/stored-session.ts';

/** auth-js refreshes tokens that expire sooner. */
const MIN_LIFE_SECONDS = 90;

const isFirstScreen = () =>
  /^\/admin\/?$/.test(location.pathname) && location.search === '' && location.hash === '';

const LONGEST_MS = 30_000;

/** @returns undefined without a session, or if its token must be refreshed first */
function sessionHere(): StoredSession | undefined {
  try {
    const keys = Object.keys(localStorage).filter((key) => /^sb-.+-auth-token$/.test(key));
    // Several when the server has had other addresses: only the app knows which one counts.
    if (keys.length !== 1) return undefined;
    const session = parseSession(readJson(localStorage.getItem(keys[0] ?? '') ?? ''));
    const isFresh = session && session.expires_at - Date.now() / 1000 > MIN_LIFE_SECONDS;
    return isFresh ? session : undefined;
  } catch {
    return undefined; // Storage is blocked.
  }
}

function request({ access_token, user }: StoredSession): void {
  const rows = async (table: string, parameters: Record<string, string>, prefer?: string) => {
    try {
      const answer = await fetch(`/rest/v1/${table}?${new URLSearchParams(parameters)}`, {
        headers: { Authorization: `Bearer ${access_token}`, ...(prefer && { Prefer: prefer }) },
        // Then the app asks itself.
        signal: AbortSignal.timeout(LONGEST_MS),
      });
      return answer.ok ? answer : undefined;
    } catch {
      return undefined; // No network.
    }
  };
  const answers = new Map<EarlyName, Promise<Response | undefined>>([
    [
      'deployments',
      rows(
        'deployments',
        { select: '*', order: 'shift_start.desc,id.asc', offset: '0', limit: `${CARDS_PAGE}` },
        'count=exact',
      ),
    ],
    ['roles', rows('user_roles', { select: ROLE_COLUMNS, user_id: `eq.${user.id}` })],
    ['profile', rows('profiles', { select: PROFILE_COLUMNS, id: `eq.${user.id}` })],
  ]);
  globalThis.earlyAnswers = { accessToken: access_token, answers };
}

const session = isFirstScreen() ? sessionHere() : undefined;
if (session) request(session);
