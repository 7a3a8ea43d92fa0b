// Fetches side by side what the first picture needs, so that it is drawn once and not in five steps: each step costs a
// cheap phone a tenth of a second.
import type { QueryClient } from '@tanstack/react-query';
import { prepareKept } from '#web/lib/cache/use-stored-queries.ts';
import { firstPictureDrawn } from '#web/lib/render/first-paint.ts';
import {
  connect,
  isArrival,
  makeClientAfter,
  sessionOnDevice,
  whenReady,
} from '#web/lib/supabase/client.ts';
import { isStaffHome, loadFirstScreen } from './app-screens.tsx';

/** Whoever waits longer sees that something is being loaded. */
const PATIENCE_MS = 400;

async function prepare(queryClient: QueryClient): Promise<void> {
  await connect();
  if (isArrival()) await whenReady();
  const user = isArrival() ? undefined : sessionOnDevice()?.user;
  const screen = loadFirstScreen(user !== undefined);
  const isKept = user !== undefined && (await prepareKept(queryClient, user.id));
  // The home of the staff portal shows what this person saw last; other screens ask the backend for their rows first.
  if (isKept && isStaffHome) makeClientAfter(firstPictureDrawn);
  else if (user) await whenReady();
  await screen;
}

/** @returns when everything is there, has failed (the screens say so then) or takes too long */
export async function firstPicture(queryClient: QueryClient): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([prepare(queryClient).catch(() => undefined), patience]);
}
