// Hands a report with its files to the outbox, which sends it now or when there is a signal.
import { submissionId } from '#web/lib/drafts/submission-id.ts';
import { submitForm } from '#web/lib/outbox/submit-form.ts';
import { requireUserId } from '#web/lib/session/require-user.ts';
import type { Attachment } from '../attachments/attachment.ts';
import { REPORT_KIND } from '../kind.ts';
import type { ReportEntry } from '../report-entry.ts';
import { type ReportForm, submittedSchema } from '../schema.ts';

/**
 * @param draftId of the draft that the form was opened with
 * @returns what has become of it, and the id under which the outbox knows it
 * @throws what the server refused
 */
export async function submitReport(draftId: string, form: ReportForm, files: Attachment[]) {
  const userId = await requireUserId('Not authenticated');
  const fields = submittedSchema.parse(form);
  const id = await submissionId(draftId, ...Object.values(fields));
  const evidence = await Promise.all(
    files.map(async ({ id: attachmentId, content: _, ...rest }) => ({
      ...rest,
      attachmentId,
      id: await submissionId(id, attachmentId),
    })),
  );
  const payload: ReportEntry = { report: { ...fields, id, raised_by_user_id: userId }, evidence };
  // The same report with other files, from another tab, waits beside the first: each brings what it has.
  const entryId = await submissionId(id, ...files.map((file) => file.id));
  const outcome = await submitForm(
    { id: entryId, userId, kind: REPORT_KIND, title: `Incident: ${fields.title}`, payload },
    files.map((file) => ({ name: file.id, label: file.name, blob: file.content })),
  );
  return { id: entryId, userId, outcome };
}
