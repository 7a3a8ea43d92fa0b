// Sends a report, then its files, each on its own: one that is refused or does not get through holds back no other. Everything
// has an id made on the device, so a repeat stores nothing twice, and sends no file again that has arrived.
import { accepted, failureOf, NotSent, OFFLINE_AFTER } from '#web/lib/outbox/answers.ts';
import type { KeptFile } from '#web/lib/outbox/entry.ts';
import { payloadOf, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { tellProgress } from '#web/lib/outbox/progress.ts';
import { type Evidence, reportEntrySchema } from './report-entry.ts';
import { sendEvidence } from './send-evidence.ts';

const PATIENCE_MS = 20_000;
const ONCE = { onConflict: 'id', ignoreDuplicates: true };

const patience = () => AbortSignal.timeout(PATIENCE_MS);

type Using = Parameters<SendEntry>[1];

/** @returns why it did not get through; undefined when it did */
async function sendFile(using: Using, incidentId: string, piece: Evidence, file: KeptFile) {
  const { name } = file;
  try {
    await sendEvidence(using.connection, incidentId, piece, file.blob, (share) =>
      tellProgress(name, share),
    );
    await using.noteFile(name, { state: 'sent', reason: null });
    return undefined;
  } catch (error) {
    const failure = failureOf(error);
    tellProgress(name, undefined);
    const state = failure.verdict === 'refused' ? 'refused' : 'waiting';
    // That there is no signal is told once, with the report.
    const isOfFile = failure.verdict === 'refused' || failure.verdict === 'busy';
    await using.noteFile(name, { state, reason: isOfFile ? failure.message : null });
    return failure;
  }
}

/** @throws NotSent when a file is left; what was found out about each is noted with it */
async function sendFiles(using: Using, incidentId: string, evidence: Evidence[]) {
  const files = new Map((await using.files()).map((file) => [file.name, file]));
  let refused = [...files.values()].filter(({ state }) => state === 'refused').length;
  let left: NotSent | undefined;
  let unanswered = 0;
  for (const piece of evidence) {
    const file = files.get(piece.attachmentId);
    if (file?.state !== 'waiting') continue;
    const failure = await sendFile(using, incidentId, piece, file);
    unanswered = failure?.verdict === 'offline' ? unanswered + 1 : 0;
    if (failure?.verdict === 'refused') refused += 1;
    else if (failure) left = failure;
    if (failure?.verdict === 'signed-out' || unanswered >= OFFLINE_AFTER) break;
  }
  if (left) throw left;
  if (refused > 0) throw new NotSent('refused', 'The report was stored, but not every file.');
}

export const sendReport: SendEntry = async ({ payload, isStored }, using) => {
  const { report, evidence } = payloadOf(reportEntrySchema, payload);
  if (!isStored) {
    accepted(
      await using.connection
        .from('incidents')
        .upsert({ ...report, status: 'open' }, ONCE)
        .abortSignal(patience()),
    );
    await using.noteStored();
  }
  await sendFiles(using, report.id, evidence);
};
