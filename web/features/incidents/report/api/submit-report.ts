// Submits a report with its files.
import { submissionId } from '#web/lib/drafts/submission-id.ts';
import { requireUserId } from '#web/lib/session/require-user.ts';
import type { Attachment } from '../attachments/attachment.ts';
import { type ReportForm, submittedSchema } from '../schema.ts';
import { sendEvidence, sendIncident } from './send-incident.ts';

/** @param draftId of the draft that the form was opened with @throws what the server refused */
export async function submitReport(draftId: string, form: ReportForm, files: Attachment[]) {
  const raised_by_user_id = await requireUserId('Not authenticated');
  const report = submittedSchema.parse(form);
  const id = await submissionId(draftId, ...Object.values(report));
  await sendIncident({ ...report, id, raised_by_user_id });
  for (const file of files) {
    const evidenceId = await submissionId(id, file.id);
    await sendEvidence({ ...file, id: evidenceId, incidentId: id }, () => {});
  }
}
