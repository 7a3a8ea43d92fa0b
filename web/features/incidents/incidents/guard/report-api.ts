import { useEffect, useState } from 'react';
import { submissionId } from '#web/lib/drafts/draft-store.ts';
import { onChange } from '#web/lib/outbox/changes.ts';
import { INCIDENT_KIND } from '#web/lib/outbox/kinds.ts';
import { listEntries } from '#web/lib/outbox/outbox.ts';
import { submitForm } from '#web/lib/outbox/submit.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import type { Attachment } from '../attachment.ts';
import { type ReportEntry, type ReportForm, toReport } from './report-schema.ts';

/**
 * Puts the report and its files into the outbox, which sends them now or when the device is online.
 * @returns the outcome and the id of the outbox entry
 * @throws if the server refused the report
 */
export async function submitReport(draftId: string, form: ReportForm, files: Attachment[]) {
  const userId = await requireUserId('Not authenticated');
  const fields = toReport(form);
  const id = await submissionId(draftId, ...Object.values(fields).map(String));
  const evidence = await Promise.all(
    files.map(async ({ id: attachmentId, content: _, ...rest }) => ({
      ...rest,
      attachmentId,
      id: await submissionId(id, attachmentId),
    })),
  );
  const payload: ReportEntry = { report: { ...fields, id, raised_by_user_id: userId }, evidence };
  // The same draft submitted from another tab with other files is a second entry for the same incident.
  const entryId = await submissionId(id, ...files.map((file) => file.id));
  const outcome = await submitForm(
    { id: entryId, userId, kind: INCIDENT_KIND, title: `Incident: ${fields.title}`, payload },
    files.map((file) => ({ name: file.id, label: file.name, blob: file.content })),
  );
  return { id: entryId, userId, outcome };
}

type ReportProgress = {
  state: 'waiting' | 'refused' | 'sent';
  /** Why it is waiting or was refused; null before the first attempt. */
  reason: string | null;
  /** The report itself is stored; only files are left to send. */
  isStored?: boolean;
};

/** @param id of the outbox entry */
export function useReportProgress(id: string, userId: string): ReportProgress {
  const [progress, setProgress] = useState<ReportProgress>({ state: 'waiting', reason: null });

  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const entry = (await listEntries(userId)).find((one) => one.id === id);
      if (!isCurrent) return;
      setProgress(entry ?? { state: 'sent', reason: null });
    };
    void read();
    const stop = onChange(() => void read());
    return () => {
      isCurrent = false;
      stop();
    };
  }, [id, userId]);

  return progress;
}
