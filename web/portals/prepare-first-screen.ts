import type { QueryClient } from '@tanstack/react-query';
import { hasEarlyAnswers } from '#web/lib/cache/early-answers.ts';
import { restoreQueries } from '#web/lib/cache/persisted-queries.ts';
import { firstPaint } from '#web/lib/render/first-paint.ts';
import { sessionOnDevice } from '#web/lib/session/device-session.ts';
import { backend } from '#web/lib/supabase/client.ts';
import { isStaffHome, loadFirstScreen } from './app-screens.tsx';

/** After this the app renders what it has, with a loading indicator. */
const MAX_WAIT_MS = 400;
/** The same over the static sign-in page, which stays readable. */
const MAX_WAIT_READABLE_MS = 20_000;

async function prepare(queryClient: QueryClient): Promise<void> {
  await backend.connect();
  if (backend.isLinkArrival) await backend.open();
  const user = backend.isLinkArrival ? undefined : sessionOnDevice()?.user;
  const screen = loadFirstScreen(user !== undefined);
  const hasCachedData = user !== undefined && (await restoreQueries(queryClient, user.id));
  // The staff home renders cached data, and the page has requested the rows of the office's first screen. Other screens
  // need the client to fetch theirs.
  const isFirst = (hasCachedData && isStaffHome) || (user && hasEarlyAnswers());
  if (isFirst) backend.open(firstPaint).catch(() => undefined);
  else if (user) await backend.open();
  await screen;
}

/**
 * Loads the first screen's code and data in parallel, so that the app renders once and not in five steps of 0.1 s each on a
 * slow phone.
 * @param isReadable whether the page shows the static sign-in already
 * @returns when everything is loaded, has failed (the screens show the error), or takes too long
 */
export async function prepareFirstScreen(
  queryClient: QueryClient,
  isReadable: boolean,
): Promise<void> {
  const limit = isReadable ? MAX_WAIT_READABLE_MS : MAX_WAIT_MS;
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, limit));
  await Promise.race([prepare(queryClient).catch(() => undefined), timeout]);
}
