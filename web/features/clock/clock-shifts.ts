import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { errorFrom } from '#web/lib/errors/error-message.ts';
import { recallOf, rememberOf } from '#web/lib/outbox/own-values.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type ClockEvent, type ClockShift, clockShiftSchema, withEvents } from './clock-event.ts';

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

async function readShifts(userId: string, signal: AbortSignal): Promise<SeenShifts> {
  const { data, error } = await supabase().rpc('my_clock_shifts').abortSignal(signal);
  if (!error) {
    const seen = { at: Date.now(), shifts: data };
    // Not the answer of before an event that was sent meanwhile. A full device shows what it got and forgets it sooner.
    if (!signal.aborted) await rememberOf(userId, SEEN, seen).catch(console.warn);
    return { ...seen, isOld: false };
  }
  const remembered = seenSchema.safeParse(await recallOf(userId, SEEN));
  if (!remembered.success) throw errorFrom(error);
  return { ...remembered.data, isOld: true };
}

export function clockShiftsQuery(userId: string) {
  return queryOptions({
    queryKey: ['clock-shifts', userId],
    queryFn: ({ signal }) => readShifts(userId, signal),
    refetchOnMount: 'always',
  });
}

const afterEvent = (shifts: readonly ClockShift[], event: ClockEvent): ClockShift[] =>
  withEvents(shifts, [event]).map(({ waiting: _, ...shift }) => shift);

/** Keeps on this device what a sent event has changed: it waits no more, and the server may be out of reach. */
export async function rememberEvent(userId: string, event: ClockEvent): Promise<void> {
  const { data: seen } = seenSchema.safeParse(await recallOf(userId, SEEN));
  if (!seen) return;
  await rememberOf(userId, SEEN, { ...seen, shifts: afterEvent(seen.shifts, event) });
}

/** Shows what a sent event has changed, until the server is asked again: once, whoever notes it too. */
export async function noteEvent(queryClient: QueryClient, userId: string, event: ClockEvent) {
  const { queryKey } = clockShiftsQuery(userId);
  const seen = queryClient.getQueryData<SeenShifts>(queryKey);
  // Of a shift that is not among them, for example of one assigned anew, only the server can tell.
  if (seen?.shifts.some(({ assignment_id }) => assignment_id === event.assignmentId)) {
    const shifts = afterEvent(seen.shifts, event);
    if (JSON.stringify(shifts) === JSON.stringify(seen.shifts)) return;
    queryClient.setQueryData<SeenShifts>(queryKey, { ...seen, shifts });
  }
  await queryClient.invalidateQueries({ queryKey });
}
