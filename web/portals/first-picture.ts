// Fetches side by side what the first picture needs, so that it is drawn once and not in five steps: each step costs a
// cheap phone a tenth of a second.
import type { QueryClient } from '@tanstack/react-query';
import { prepareKept } from '#web/lib/kept/use-kept.ts';
import { connect, isArrival, sessionOnDevice } from '#web/lib/supabase.ts';
import { loadFirstScreen } from './app-screens.tsx';

/** Whoever waits longer sees that something is being loaded. */
const PATIENCE_MS = 400;

async function prepare(queryClient: QueryClient): Promise<void> {
  await connect();
  const user = isArrival() ? undefined : sessionOnDevice()?.user;
  await Promise.all([
    user && prepareKept(queryClient, user.id),
    loadFirstScreen(user !== undefined),
  ]);
}

/** @returns when everything is there, has failed (the screens say so then) or takes too long */
export async function firstPicture(queryClient: QueryClient): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([prepare(queryClient).catch(() => undefined), patience]);
}
