// The shifts that a clock event may belong to: from the server, else as this device last saw them.
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { recallOf, rememberOf } from '#web/lib/outbox/own-values.ts';
import { supabase } from '#web/lib/supabase.ts';
import { type ClockEvent, withEvents } from '../clock-event.ts';
import { type ClockShift, clockShiftSchema } from '../shift.ts';

const SEEN = 'clock-shifts';

const seenSchema = z.object({
  /** When the server was asked, milliseconds since 1970 by the clock of the device. */
  at: z.number(),
  shifts: z.array(clockShiftSchema),
});

export type SeenShifts = {
  at: number;
  shifts: ClockShift[];
  /** Whether the server could not be asked now. */
  isOld: boolean;
};

async function readShifts(userId: string): Promise<SeenShifts> {
  const { data, error } = await supabase().rpc('my_clock_shifts');
  if (!error) {
    const seen = { at: Date.now(), shifts: data };
    // A full device shows what it got and only forgets it sooner.
    await rememberOf(userId, SEEN, seen).catch(console.warn);
    return { ...seen, isOld: false };
  }
  const remembered = seenSchema.safeParse(await recallOf(userId, SEEN));
  if (!remembered.success) throw error;
  return { ...remembered.data, isOld: true };
}

export function clockShiftsQuery(userId: string) {
  return queryOptions({
    queryKey: ['clock-shifts', userId],
    queryFn: () => readShifts(userId),
    refetchOnMount: 'always',
  });
}

/** Keeps what a sent event has changed, until the server is asked again. */
export async function noteEvent(queryClient: QueryClient, userId: string, event: ClockEvent) {
  const { queryKey } = clockShiftsQuery(userId);
  queryClient.setQueryData<SeenShifts>(queryKey, (seen) => {
    if (!seen) return seen;
    const shifts = withEvents(seen.shifts, [event]).map(({ waiting: _, ...shift }) => shift);
    void rememberOf(userId, SEEN, { at: seen.at, shifts }).catch(console.warn);
    return { ...seen, shifts };
  });
  await queryClient.invalidateQueries({ queryKey });
}
