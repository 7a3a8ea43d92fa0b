import { accepted, NotSent, OFFLINE_AFTER, toNotSent } from '#web/lib/outbox/answers.ts';
import type { StoredFile } from '#web/lib/outbox/entry.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { reportProgress } from '#web/lib/outbox/progress.ts';
import { sendEvidence } from '../send-evidence.ts';
import { type ReportEvidence, reportEntrySchema } from './report-schema.ts';

const TIMEOUT_MS = 20_000;
const IGNORE_DUPLICATES = { onConflict: 'id', ignoreDuplicates: true };

type Context = Parameters<SendEntry>[1];

/** @returns why sending failed; undefined on success */
async function sendFile(
  context: Context,
  incidentId: string,
  evidence: ReportEvidence,
  file: StoredFile,
) {
  const { name } = file;
  try {
    await sendEvidence(context.connection, incidentId, evidence, file.blob, (share) =>
      reportProgress(name, share),
    );
    await context.updateFile(name, { state: 'sent', reason: null });
    return undefined;
  } catch (error) {
    const failure = toNotSent(error);
    reportProgress(name, undefined);
    const state = failure.verdict === 'refused' ? 'refused' : 'waiting';
    // A network failure is shown once, for the whole report.
    const isFileError = failure.verdict === 'refused' || failure.verdict === 'busy';
    await context.updateFile(name, { state, reason: isFileError ? failure.message : null });
    return failure;
  }
}

/** @throws NotSent if any file is left; the state of each file is stored with it */
async function sendFiles(context: Context, incidentId: string, evidence: ReportEvidence[]) {
  const files = new Map((await context.files()).map((file) => [file.name, file]));
  let refused = [...files.values()].filter(({ state }) => state === 'refused').length;
  let lastFailure: NotSent | undefined;
  let unanswered = 0;
  for (const piece of evidence) {
    const file = files.get(piece.attachmentId);
    if (file?.state !== 'waiting') continue;
    const failure = await sendFile(context, incidentId, piece, file);
    unanswered = failure?.verdict === 'offline' ? unanswered + 1 : 0;
    if (failure?.verdict === 'refused') refused += 1;
    else if (failure) lastFailure = failure;
    if (failure?.verdict === 'signed-out' || unanswered >= OFFLINE_AFTER) break;
  }
  if (lastFailure) throw lastFailure;
  if (refused > 0) throw new NotSent('refused', 'The report was stored, but not every file.');
}

/**
 * Sends the report, then its files: a file that fails does not stop the others. Everything has an id made on the device, so
 * a retry stores nothing twice and skips the files that have arrived.
 */
export const sendReport: SendEntry = async (entry, context) => {
  const { payload, isStored, madeAt, offsetMs } = entry;
  const { report, evidence } = parsePayload(reportEntrySchema, payload);
  const written_at = new Date(madeAt + (offsetMs ?? 0)).toISOString();
  if (!isStored) {
    accepted(
      await context.connection
        .from('incidents')
        .upsert({ ...report, status: 'open', written_at }, IGNORE_DUPLICATES)
        .abortSignal(AbortSignal.timeout(TIMEOUT_MS)),
    );
    await context.markStored();
  }
  await sendFiles(context, report.id, evidence);
};
