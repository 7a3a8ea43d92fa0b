// A note that a reporter adds to a report, also as the answer to a question: sent from the outbox, so that a lost network
// loses no word.
import { z } from 'zod';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { NOTE_KIND } from '#web/lib/outbox/kinds.ts';
import { type SubmitOutcome, submitForm } from '#web/lib/outbox/submit.ts';

/** Payload of the outbox entry. The id is made on the device: a retry after a lost response stores nothing twice. */
export const noteSchema = z.object({ id: z.uuid(), incident_id: z.uuid(), note: z.string() });
type ReportNote = z.infer<typeof noteSchema>;

/** @throws if the server refused it; the form keeps what was typed */
export function submitNote(
  userId: string,
  payload: ReportNote,
  title: string,
): Promise<SubmitOutcome> {
  return submitForm({ id: payload.id, userId, kind: NOTE_KIND, title: `Note: ${title}`, payload });
}

/** Notes of the report that this phone has not sent yet. */
export function unsentNotes(waiting: readonly OutboxEntry[], incidentId: string): ReportNote[] {
  return waiting.flatMap(({ kind, payload }) => {
    const { data } = kind === NOTE_KIND ? noteSchema.safeParse(payload) : {};
    return data?.incident_id === incidentId ? [data] : [];
  });
}
