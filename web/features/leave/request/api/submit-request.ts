// Hands a request to the outbox, which sends it now or when there is a signal.
import { submissionId } from '#web/lib/drafts/submission-id.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';
import type { Submitted } from '#web/lib/outbox/submit.ts';
import { submitForm } from '#web/lib/outbox/submit-form.ts';
import { requireUserId } from '#web/lib/session/require-user.ts';
import { LEAVE_KIND } from '../kind.ts';
import { type RequestForm, submittedSchema } from '../schema.ts';
import type { RequestEntry } from '../send-request.ts';

/**
 * @param draftId of the draft that the form was opened with
 * @returns what has become of it
 * @throws what the server refused
 */
export async function submitRequest(draftId: string, form: RequestForm): Promise<Submitted> {
  const userId = await requireUserId('Not authenticated');
  const fields = submittedSchema.parse(form);
  const id = await submissionId(draftId, ...Object.values(fields));
  const title = `Leave, ${formatPeriod(fields.start_date, fields.end_date)}`;
  const payload: RequestEntry = { ...fields, id, user_id: userId };
  return submitForm({ id, userId, kind: LEAVE_KIND, title, payload });
}
