// Loads the screens of the sidebar while the office has nothing else to do, first their code, then their rows, so that a click
// waits for neither.
import type { useRouter } from '@tanstack/react-router';
import type { Role } from '#shared/permissions.ts';
import type { ScreenId } from '#shared/screens.ts';
import { spanOf } from '#web/features/roster/board/roster-schema.ts';
import { queryClient } from '#web/lib/cache/query-client.ts';
import { backend } from '#web/lib/supabase/client.ts';
import { entriesFor } from './navigation.ts';

/** On a page that is never idle. */
const LONGEST_WAIT_MS = 10_000;
/** A line or a server that takes longer to answer is busy with what people wait for. */
const BUSY_MS = 2_000;

/** Not in every browser. */
type Line = { saveData?: boolean; effectiveType?: string };

function isCheapLine(): boolean {
  const line: Line | undefined = Reflect.get(navigator, 'connection');
  return !line?.saveData && (line?.effectiveType ?? '4g') === '4g';
}

const whenIdle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in globalThis) {
      requestIdleCallback(() => resolve(), { timeout: LONGEST_WAIT_MS });
    } else setTimeout(resolve, 200);
  });

/** Resolves when no query waits for an answer. */
const whenAnswered = () =>
  new Promise<void>((resolve) => {
    const stop = queryClient.getQueryCache().subscribe(check);
    function check() {
      if (queryClient.isFetching() > 0) return;
      stop();
      resolve();
    }
    check();
  });

/** Nothing can be edited in them until the board comes. */
async function loadFirstSites(): Promise<void> {
  const { firstSitesQuery } = await import('#web/features/roster/board/roster-api.ts');
  const { from, to } = spanOf({});
  await queryClient.prefetchQuery(firstSitesQuery({ from, to }));
}

/** They keep themselves up to date from the moment they open and never begin with rows of before: what loads instead of these. */
const LIVE_BOARDS: Partial<Record<ScreenId, () => Promise<void>>> = {
  roster: loadFirstSites,
  operations: () => Promise.resolve(),
};

/**
 * One after another, in the order of the sidebar. A screen that fails to load is loaded again when it is opened, and one with rows shows
 * them while it requests them again, as it does when somebody returns to it. The cache keeps them for five minutes.
 */
export async function loadScreens(
  router: ReturnType<typeof useRouter>,
  roles: readonly Role[],
  signal: AbortSignal,
): Promise<void> {
  if (!isCheapLine()) return;
  // Without the library no screen has rows, and the first one has shown why.
  await backend.open().catch(() => undefined);
  const entries = entriesFor(roles).flatMap((group) => group.entries);
  for (const { path } of entries) {
    await whenIdle();
    if (signal.aborted) return;
    await router.loadRouteChunk(router.routesByPath[path])?.catch(() => undefined);
  }
  for (const { id, path } of entries) {
    await whenIdle();
    if (signal.aborted) return;
    if (router.state.location.pathname === path) continue;
    const requested = performance.now();
    const load = LIVE_BOARDS[id] ?? (() => router.preloadRoute({ to: path }));
    await load().catch(() => undefined);
    await whenAnswered();
    if (performance.now() - requested > BUSY_MS) return;
  }
}
