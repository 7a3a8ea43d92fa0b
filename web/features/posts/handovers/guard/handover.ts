// Notes that the guard before left at the post, and the handover of this one: offline too.
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { guardHandoverKey } from '#web/lib/data/keys.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { HANDOVER_KIND } from '#web/lib/outbox/kinds.ts';
import { deviceTime } from '#web/lib/outbox/outbox.ts';
import { type SubmitOutcome, submitForm } from '#web/lib/outbox/submit.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const TABLES = ['handover_notes', 'equipment'] as const;

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

async function fetchHandover() {
  const { data } = await supabase().rpc('my_handover', undefined, { get: true }).throwOnError();
  const [row] = data;
  if (!row) return null;
  const { notes, equipment, ...place } = row;
  return { ...place, notes: notesSchema.parse(notes), equipment: equipmentSchema.parse(equipment) };
}
export type Handover = NonNullable<Awaited<ReturnType<typeof fetchHandover>>>;

export const handoverSchema = z.object({
  assignmentId: z.uuid(),
  at: z.string(),
  note: z.string().optional(),
  ticks: z
    .array(z.object({ equipment_id: z.uuid(), name: z.string(), has: z.boolean() }))
    .optional(),
});
type Payload = z.infer<typeof handoverSchema>;

const payloadsOf = (waiting: readonly OutboxEntry[]): Payload[] =>
  waiting.flatMap(({ kind, payload }) => {
    const { data } = kind === HANDOVER_KIND ? handoverSchema.safeParse(payload) : {};
    return data ? [data] : [];
  });

/** For the running or next shift, with what still waits to be sent; undefined without a shift. */
export function useHandover(userId: string) {
  useLiveTable(TABLES, guardHandoverKey);
  const query = useQuery({
    queryKey: [...guardHandoverKey, userId],
    queryFn: fetchHandover,
    meta: PERSISTED,
  });
  const queued = payloadsOf(useOutbox().waiting);
  return { query, handover: query.data ? withQueued(query.data, queued) : undefined };
}

function withQueued(data: Handover, queued: readonly Payload[]): Handover {
  const own = queued.filter(({ assignmentId }) => assignmentId === data.assignment_id);
  const notes = own.flatMap(({ note, at }) =>
    note === undefined ? [] : [{ id: at, note, written_at: at, guard: 'You, waiting to send' }],
  );
  const taken = own.find(({ ticks }) => ticks !== undefined)?.at ?? null;
  return { ...data, notes: [...notes, ...data.notes], taken_at: data.taken_at ?? taken };
}

async function submitHandover(
  userId: string,
  { assignment_id, site_name }: Handover,
  what: Pick<Payload, 'note' | 'ticks'>,
): Promise<SubmitOutcome> {
  const { at, offsetMs } = await deviceTime();
  return submitForm({
    id: crypto.randomUUID(),
    userId,
    kind: HANDOVER_KIND,
    title: `${what.ticks ? 'Equipment taken over' : 'Handover note'}, ${site_name}`,
    payload: {
      assignmentId: assignment_id,
      at: new Date(at + (offsetMs ?? 0)).toISOString(),
      ...what,
    },
  });
}

export const submitNote = (userId: string, handover: Handover, note: string) =>
  submitHandover(userId, handover, { note });

/** @param present ids of what is there */
export const submitTicks = (userId: string, handover: Handover, present: ReadonlySet<string>) =>
  submitHandover(userId, handover, {
    ticks: handover.equipment.map((piece) => ({
      equipment_id: piece.id,
      name: formatPiece(piece),
      has: present.has(piece.id),
    })),
  });

/** @returns for example "Radio ×2 (R-104)" */
export const formatPiece = ({ name, serial, quantity }: Omit<Piece, 'id'>): string =>
  `${name}${quantity > 1 ? ` ×${quantity}` : ''}${serial ? ` (${serial})` : ''}`;
