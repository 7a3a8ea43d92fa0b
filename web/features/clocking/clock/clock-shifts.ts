import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { queryClient } from '#web/lib/cache/query-client.ts';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { errorFrom } from '#web/lib/errors/error-message.ts';
import { getUserValue, setUserValue } from '#web/lib/outbox/store.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type ClockShift, clockShiftSchema } from './clock-event.ts';

const CACHE_NAME = 'clock-shifts';
const KEY = ['clock-shifts'] as const;

const cachedShiftsSchema = z.object({
  /** When the shifts were loaded, milliseconds since 1970 by the server's clock. */
  at: z.number(),
  shifts: z.array(clockShiftSchema),
});

type CachedShifts = { at: number; shifts: ClockShift[] };

type LoadedShifts = CachedShifts & {
  /** Whether they come from this device, because the server could not be reached. */
  isCached: boolean;
};

/** What this device cached, for a visit without a signal. */
export async function readCachedShifts(userId: string): Promise<CachedShifts | undefined> {
  return cachedShiftsSchema.safeParse(await getUserValue(userId, CACHE_NAME)).data;
}

/** @throws OutboxFull when there is no space */
export const cacheShifts = (userId: string, shifts: CachedShifts) =>
  setUserValue(userId, CACHE_NAME, shifts);

/** From the server, or from this device's cache when the server can't be reached. */
async function fetchShifts(userId: string, signal: AbortSignal): Promise<LoadedShifts> {
  const { data, error } = await supabase()
    .rpc('my_clock_shifts', undefined, { get: true })
    .abortSignal(signal);
  if (!error) {
    const loaded = { at: serverNow(), shifts: data };
    // An aborted request may be older than an event sent since. A full device only loses the cache.
    if (!signal.aborted) await cacheShifts(userId, loaded).catch(console.warn);
    return { ...loaded, isCached: false };
  }
  const cached = await readCachedShifts(userId);
  if (!cached) throw errorFrom(error);
  return { ...cached, isCached: true };
}

/**
 * Shows what this device cached until the server answers, so that a guard on a slow line can clock in at once. In the query
 * cache, so that an event sent in between updates it and cancels the older request.
 */
export async function showCachedShifts(userId: string): Promise<void> {
  const cached = await readCachedShifts(userId);
  if (!cached) return;
  queryClient.setQueryData(
    clockShiftsQuery(userId).queryKey,
    (loaded) => loaded ?? { ...cached, isCached: false },
    { updatedAt: cached.at },
  );
}

export function clockShiftsQuery(userId: string) {
  return queryOptions({
    queryKey: [...KEY, userId],
    queryFn: ({ signal }) => fetchShifts(userId, signal),
    refetchOnMount: 'always',
  });
}

export const reloadClockShifts = () => queryClient.invalidateQueries({ queryKey: KEY });
