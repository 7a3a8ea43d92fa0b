// Loads the code of the sidebar's screens while the office has nothing else to do, so that a click waits for rows alone.
import type { useRouter } from '@tanstack/react-router';
import type { Role } from '#shared/grants.ts';
import { queryClient } from '#web/lib/cache/query-client.ts';
import { backend } from '#web/lib/supabase/client.ts';
import { entriesFor } from './navigation.ts';

/** On a page that is never idle. */
const LONGEST_WAIT_MS = 10_000;

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

/** Until the rows that the user waits for have come, and what they saved is stored. */
function whenAnswered(signal: AbortSignal): Promise<void> {
  const isDone = () => queryClient.isFetching() + queryClient.isMutating() === 0 || signal.aborted;
  if (isDone()) return Promise.resolve();
  return new Promise((resolve) => {
    const look = () => {
      if (!isDone()) return;
      for (const stop of stops) stop();
      resolve();
    };
    const caches = [queryClient.getQueryCache(), queryClient.getMutationCache()];
    const stops = caches.map((cache) => cache.subscribe(look));
    signal.addEventListener('abort', look, { once: true });
  });
}

/** One after another: the entries of the sidebar, then their tabs. A screen that fails to load is loaded again when it is opened. */
export async function loadScreens(
  router: ReturnType<typeof useRouter>,
  roles: readonly Role[],
  signal: AbortSignal,
): Promise<void> {
  // Without the library no screen has rows, and the first one has shown why.
  await backend.open().catch(() => undefined);
  const entries = entriesFor(roles).flatMap((group) => group.entries);
  const paths = [...entries, ...entries.flatMap((entry) => entry.tabs)].map(({ path }) => path);
  for (const path of new Set(paths)) {
    await whenIdle();
    await whenAnswered(signal);
    // The line may have become slow in the meantime.
    if (signal.aborted || !isCheapLine()) return;
    await router.loadRouteChunk(router.routesByPath[path])?.catch(() => undefined);
  }
}
