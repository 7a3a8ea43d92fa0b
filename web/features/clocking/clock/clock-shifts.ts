import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { errorFrom } from '#web/lib/errors/error-message.ts';
import { getUserValue, setUserValue } from '#web/lib/outbox/store.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type ClockEvent, type ClockShift, clockShiftSchema, withEvents } from './clock-event.ts';

const CACHE_NAME = 'clock-shifts';

const cachedShiftsSchema = z.object({
  /** When the shifts were loaded, milliseconds since 1970 by the device's clock. */
  at: z.number(),
  shifts: z.array(clockShiftSchema),
});

export type LoadedShifts = {
  at: number;
  shifts: ClockShift[];
  /** Whether they come from this device, because the server could not be reached. */
  isCached: boolean;
};

/** From the server, or from this device's cache when the server can't be reached. */
async function fetchShifts(userId: string, signal: AbortSignal): Promise<LoadedShifts> {
  const { data, error } = await supabase()
    .rpc('my_clock_shifts', undefined, { get: true })
    .abortSignal(signal);
  if (!error) {
    const loaded = { at: Date.now(), shifts: data };
    // An aborted request may be older than an event sent since. A full device only loses the cache.
    if (!signal.aborted) await setUserValue(userId, CACHE_NAME, loaded).catch(console.warn);
    return { ...loaded, isCached: false };
  }
  const cached = cachedShiftsSchema.safeParse(await getUserValue(userId, CACHE_NAME));
  if (!cached.success) throw errorFrom(error);
  return { ...cached.data, isCached: true };
}

/**
 * Shows what this device cached until the server answers, so that a guard on a slow line can clock in at once. In the query
 * cache, so that an event sent in between updates it and cancels the older request.
 */
export async function showCachedShifts(queryClient: QueryClient, userId: string): Promise<void> {
  const { queryKey } = clockShiftsQuery(userId);
  const { data: cached } = cachedShiftsSchema.safeParse(await getUserValue(userId, CACHE_NAME));
  if (!cached) return;
  queryClient.setQueryData<LoadedShifts>(
    queryKey,
    (loaded) => loaded ?? { ...cached, isCached: false },
    { updatedAt: cached.at },
  );
}

export function clockShiftsQuery(userId: string) {
  return queryOptions({
    queryKey: ['clock-shifts', userId],
    queryFn: ({ signal }) => fetchShifts(userId, signal),
    refetchOnMount: 'always',
  });
}

const afterEvent = (shifts: readonly ClockShift[], event: ClockEvent): ClockShift[] =>
  withEvents(shifts, [event]).map(({ waiting: _, ...shift }) => shift);

/** Updates this device's cached shifts with a sent event, because the server may be unreachable afterwards. */
export async function cacheSentEvent(userId: string, event: ClockEvent): Promise<void> {
  const { data: loaded } = cachedShiftsSchema.safeParse(await getUserValue(userId, CACHE_NAME));
  if (!loaded) return;
  await setUserValue(userId, CACHE_NAME, { ...loaded, shifts: afterEvent(loaded.shifts, event) });
}

/** Updates the query cache with a sent event and reloads it. Idempotent: several screens report the same event. */
export async function applySentEvent(queryClient: QueryClient, userId: string, event: ClockEvent) {
  const { queryKey } = clockShiftsQuery(userId);
  const loaded = queryClient.getQueryData<LoadedShifts>(queryKey);
  // A shift that is not listed, for example a reassigned one, has to be reloaded.
  if (loaded?.shifts.some(({ assignment_id }) => assignment_id === event.assignmentId)) {
    const shifts = afterEvent(loaded.shifts, event);
    if (JSON.stringify(shifts) === JSON.stringify(loaded.shifts)) return;
    queryClient.setQueryData<LoadedShifts>(queryKey, { ...loaded, shifts });
  }
  await queryClient.invalidateQueries({ queryKey });
}
