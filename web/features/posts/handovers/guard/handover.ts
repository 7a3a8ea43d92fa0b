// Notes that the guard before left at the post, and the handover of this one: offline too.
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { HANDOVERS_SIDE } from '#shared/database.values.ts';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { guardHandoverKey } from '#web/lib/data/keys.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { HANDOVER_KIND } from '#web/lib/outbox/kinds.ts';
import { deviceTime } from '#web/lib/outbox/outbox.ts';
import { type SubmitOutcome, submitForm } from '#web/lib/outbox/submit.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const TABLES = ['handover_notes', 'handovers', 'equipment'] as const;

// Ids as PostgreSQL takes them: one that RFC 9562 doesn't know must not hide the whole card.
export const notesSchema = z.array(
  z.object({ id: z.guid(), note: z.string(), written_at: z.string(), guard: z.string() }),
);
const equipmentSchema = z.array(
  z.object({
    id: z.guid(),
    name: z.string(),
    serial: z.string().nullable(),
    quantity: z.number(),
  }),
);
export type Piece = z.infer<typeof equipmentSchema>[number];

const tickSchema = z.object({
  equipment_id: z.guid(),
  name: z.string(),
  has: z.boolean(),
  /** How many are there. */
  count: z.number().optional(),
  damage: z.string().optional(),
});
export type Tick = z.infer<typeof tickSchema>;

/** How the guard before left the equipment. */
const foundSchema = z.object({ guard: z.string(), at: z.string(), ticks: z.array(tickSchema) });

async function fetchHandover() {
  const { data } = await supabase().rpc('my_handover', undefined, { get: true }).throwOnError();
  const [row] = data;
  if (!row) return null;
  const { notes, equipment, found, ...place } = row;
  return {
    ...place,
    notes: notesSchema.parse(notes),
    equipment: equipmentSchema.parse(equipment),
    // A server of the release before does not know it.
    found: foundSchema.nullish().parse(found),
  };
}
export type Handover = NonNullable<Awaited<ReturnType<typeof fetchHandover>>>;
export type HandoverPlace = Pick<Handover, 'assignment_id' | 'site_name'>;

export const handoverSchema = z.object({
  assignmentId: z.uuid(),
  at: z.string(),
  note: z.string().optional(),
  ticks: z.array(tickSchema).optional(),
  side: z.enum(HANDOVERS_SIDE).default('taken'),
});
export type Side = z.infer<typeof handoverSchema>['side'];
type Payload = z.infer<typeof handoverSchema>;

const payloadsOf = (waiting: readonly OutboxEntry[]): Payload[] =>
  waiting.flatMap(({ kind, payload }) => {
    const { data } = kind === HANDOVER_KIND ? handoverSchema.safeParse(payload) : {};
    return data ? [data] : [];
  });

/**
 * For the running or next shift, and after a clock-out for the one that is over; with what still waits to be sent.
 * Undefined without a shift.
 * @param leftId the assignment that the guard has clocked out of, also while the clock-out waits to be sent
 */
export function useHandover(userId: string, leftId?: string) {
  useLiveTable(TABLES, guardHandoverKey);
  useLiveTable(ownRows(userId, 'attendance'), guardHandoverKey);
  const query = useQuery({
    queryKey: [...guardHandoverKey, userId],
    queryFn: fetchHandover,
    meta: PERSISTED,
  });
  const queued = payloadsOf(useOutbox().waiting);
  const handover = query.data ? withQueued(query.data, queued) : undefined;
  return {
    query,
    handover: handover && {
      ...handover,
      is_over: handover.is_over || handover.assignment_id === leftId,
    },
  };
}

function withQueued(data: Handover, queued: readonly Payload[]): Handover {
  const own = queued.filter(({ assignmentId }) => assignmentId === data.assignment_id);
  const notes = own.flatMap(({ note, at }) =>
    note === undefined ? [] : [{ id: at, note, written_at: at, guard: 'You, waiting to send' }],
  );
  const countedAt = (wanted: Side) =>
    own.find(({ ticks, side }) => ticks !== undefined && side === wanted)?.at ?? null;
  return {
    ...data,
    notes: [...notes, ...data.notes],
    taken_at: data.taken_at ?? countedAt('taken'),
    left_at: data.left_at ?? countedAt('left'),
  };
}

/** Counting the equipment: what it is called before and after. */
export const EQUIPMENT: Record<Side, { title: string; done: string }> = {
  taken: { title: 'Take over equipment', done: 'Equipment taken over' },
  left: { title: 'Hand over equipment', done: 'Equipment handed over' },
};

async function submitHandover(
  userId: string,
  { assignment_id, site_name }: HandoverPlace,
  what: Partial<Pick<Payload, 'note' | 'ticks' | 'side'>>,
): Promise<SubmitOutcome> {
  const { at, offsetMs } = await deviceTime();
  return submitForm({
    id: crypto.randomUUID(),
    userId,
    kind: HANDOVER_KIND,
    title: `${what.ticks ? EQUIPMENT[what.side ?? 'taken'].done : 'Handover note'}, ${site_name}`,
    payload: {
      assignmentId: assignment_id,
      at: new Date(at + (offsetMs ?? 0)).toISOString(),
      ...what,
    },
  });
}

export const submitNote = (userId: string, handover: HandoverPlace, note: string) =>
  submitHandover(userId, handover, { note });

export const submitTicks = (userId: string, handover: Handover, side: Side, ticks: Tick[]) =>
  submitHandover(userId, handover, { side, ticks });

/** @returns for example "Radio ×2 (R-104)" */
export const formatPiece = ({ name, serial, quantity }: Omit<Piece, 'id'>): string =>
  `${name}${quantity > 1 ? ` ×${quantity}` : ''}${serial ? ` (${serial})` : ''}`;
