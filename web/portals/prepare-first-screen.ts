import type { QueryClient } from '@tanstack/react-query';
import { earlyAnswersCome, hasEarlyAnswers } from '#web/lib/cache/early-answers.ts';
import { restoreQueries, restoreQueriesAfter } from '#web/lib/cache/persisted-queries.ts';
import { requestRows } from '#web/lib/cache/query-client.ts';
import { firstPaint } from '#web/lib/render/first-paint.ts';
import { sessionOnDevice } from '#web/lib/session/device-session.ts';
import { profileQuery, rolesQuery } from '#web/lib/session/session-queries.ts';
import { backend } from '#web/lib/supabase/client.ts';
import { isStaffHome, loadFirstScreen } from './app-screens.tsx';

/** After this the app renders what it has, with a loading indicator. */
const MAX_WAIT_MS = 400;
/** The same over a static page: the sign-in, which stays readable, or the indicator of a page with a session. */
const MAX_WAIT_STATIC = { form: 20_000, indicator: 3_000 };

export type StaticPage = keyof typeof MAX_WAIT_STATIC;

async function prepare(queryClient: QueryClient): Promise<void> {
  await backend.connect();
  if (backend.isLinkArrival) await backend.open();
  const user = backend.isLinkArrival ? undefined : sessionOnDevice()?.user;
  const isEarly = user !== undefined && hasEarlyAnswers();
  const canRead = earlyAnswersCome();
  const screen = loadFirstScreen(user !== undefined);
  const hasEarlyRows = isEarly && (await canRead);
  if (hasEarlyRows) restoreQueriesAfter(firstPaint, queryClient, user.id);
  const hasCachedData =
    user !== undefined && !hasEarlyRows && (await restoreQueries(queryClient, user.id));
  // The staff home renders cached data, and the page has requested the rows of the office's first screen. Other screens
  // need the client to fetch theirs.
  const isFirst = (hasCachedData && isStaffHome) || isEarly;
  if (isFirst) backend.open(firstPaint).catch(() => undefined);
  else if (user) await backend.open();
  // The first render is that of the rows and not of a loading indicator.
  if (hasEarlyRows)
    await Promise.all([requestRows(rolesQuery(user.id)), requestRows(profileQuery(user.id))]);
  await screen;
}

/**
 * Loads the first screen's code and data in parallel, so that the app renders once and not in five steps of 0.1 s each on a
 * slow phone.
 * @param shown what the page shows already
 * @returns when everything is loaded, has failed (the screens show the error), or takes too long
 */
export async function prepareFirstScreen(
  queryClient: QueryClient,
  shown: StaticPage | undefined,
): Promise<void> {
  const limit = shown ? MAX_WAIT_STATIC[shown] : MAX_WAIT_MS;
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, limit));
  await Promise.race([prepare(queryClient).catch(() => undefined), timeout]);
}
