// Disputing a day of one's own timesheet: sent from the outbox, so that a lost network loses no word.

import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { DISPUTE_KIND } from '#web/lib/outbox/kinds.ts';
import { type SubmitOutcome, submitForm } from '#web/lib/outbox/submit.ts';

export const disputeSchema = z.object({
  id: z.uuid(),
  timesheet_id: z.uuid(),
  day: z.string(),
  note: z.string(),
});
export type DisputePayload = z.infer<typeof disputeSchema>;

export const disputeForm = z.object({
  day: z.string().min(1, 'Choose a day'),
  note: textField('Note', limits.TIMESHEET_DISPUTES_NOTE_MAX).min(
    limits.TIMESHEET_DISPUTES_NOTE_MIN,
    'Write what is wrong',
  ),
});

/**
 * @param payload with the id that every attempt of one form shares, so that the server stores it once
 * @throws if the server refused it; the form keeps what was typed
 */
export function submitDispute(userId: string, payload: DisputePayload): Promise<SubmitOutcome> {
  const { id, day } = payload;
  return submitForm({
    id,
    userId,
    kind: DISPUTE_KIND,
    title: `Dispute of ${formatDay(day)}`,
    payload,
  });
}

/** Disputes that this phone has not sent yet. */
export function listUnsent(waiting: readonly OutboxEntry[], timesheetId: string): DisputePayload[] {
  return waiting.flatMap(({ kind, payload }) => {
    const { data } = kind === DISPUTE_KIND ? disputeSchema.safeParse(payload) : {};
    return data?.timesheet_id === timesheetId ? [data] : [];
  });
}
