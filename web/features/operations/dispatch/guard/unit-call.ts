// The call that the guard's unit answers, and the steps that the phone records, also without a signal.
import { z } from 'zod';
import { refetchEvery } from '#web/lib/cache/network-retry.ts';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { ownCallKey } from '#web/lib/data/keys.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { UNIT_STEP_KIND } from '#web/lib/outbox/kinds.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

export const UNIT_STEPS = ['accepted', 'declined', 'en_route', 'on_scene', 'clear'] as const;
export type UnitStep = (typeof UNIT_STEPS)[number];

export const unitStepSchema = z.object({
  /** The assignment of the unit, which the step belongs to. */
  assignedId: z.uuid(),
  step: z.enum(UNIT_STEPS),
  gps: z.string().nullable(),
});

const onDutySchema = z.array(z.object({ name: z.string(), phone: z.string().nullable() }));

async function fetchCall() {
  const { data } = await supabase().rpc('my_call', undefined, { get: true }).throwOnError();
  const [call] = data;
  // Not undefined, which is no data.
  return call ? { ...call, on_duty: onDutySchema.parse(call.on_duty) } : null;
}

export type UnitCall = NonNullable<Awaited<ReturnType<typeof fetchCall>>>;

/** What a colleague of the unit presses, or a reply that is overdue, comes with no notice. */
const OPEN_MS = 15_000;
const IDLE_MS = 300_000;

/** The call of the user's unit. Each assignment is a notice, so the phone listens to its own notices alone. */
export const useUnitCall = (userId: string) =>
  useLiveQuery(ownRows(userId, 'notices'), ownCallKey, {
    queryKey: [...ownCallKey, userId],
    queryFn: fetchCall,
    refetchInterval: (query) => refetchEvery(query.state.data ? OPEN_MS : IDLE_MS)(query),
    meta: PERSISTED,
  });

/** @returns the steps of the assignment among these outbox entries */
export const waitingSteps = (entries: readonly OutboxEntry[], assignedId: string): UnitStep[] =>
  entries
    .filter(({ kind }) => kind === UNIT_STEP_KIND)
    .map(({ payload }) => unitStepSchema.safeParse(payload).data)
    .filter((payload) => payload?.assignedId === assignedId)
    .flatMap((payload) => payload?.step ?? []);

const ORDER: readonly UnitStep[] = ['accepted', 'en_route', 'on_scene', 'clear'];

/** How many steps the server knows. A later one includes those before it. */
const KNOWN: Record<string, number> = { en_route: 2, on_scene: 3, clear: 4 };

type Progress = {
  /** The last step; undefined while the unit is only asked. */
  last: UnitStep | undefined;
  isDone: (step: UnitStep) => boolean;
};

/** @param queued steps that wait to be sent */
export function progressOf(
  { state, accepted_at }: Pick<UnitCall, 'state' | 'accepted_at'>,
  queued: readonly UnitStep[],
): Progress {
  if (queued.includes('declined')) return { last: 'declined', isDone: () => true };
  const known = KNOWN[state] ?? (accepted_at === null ? 0 : 1);
  const done = Math.max(known, ...queued.map((step) => ORDER.indexOf(step) + 1));
  return {
    last: ORDER[done - 1],
    isDone: (step) => (step === 'declined' ? done > 0 : ORDER.indexOf(step) < done),
  };
}
