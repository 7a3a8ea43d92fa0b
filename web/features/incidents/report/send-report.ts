// Sends a report and its files. Everything has an id made on the device, so a repeat stores nothing twice, and sends no file
// again that has arrived.
import { accepted, failureOf, NotSent } from '#web/lib/outbox/answers.ts';
import type { SendEntry } from '#web/lib/outbox/kinds.ts';
import { tellProgress } from '#web/lib/progress.ts';
import { reportEntrySchema, STORED } from './report-entry.ts';
import { sendEvidence } from './send-evidence.ts';

const PATIENCE_MS = 20_000;
const ONCE = { onConflict: 'id', ignoreDuplicates: true };

const patience = () => AbortSignal.timeout(PATIENCE_MS);

export const sendReport: SendEntry = async ({ payload }, { connection, files }) => {
  const { report, evidence } = reportEntrySchema.parse(payload);
  accepted(
    await connection
      .from('incidents')
      .upsert({ ...report, status: 'open' }, ONCE)
      .abortSignal(patience()),
  );
  const contents = new Map((await files()).map(({ name, blob }) => [name, blob]));
  const refusals: string[] = [];
  for (const piece of evidence) {
    const file = contents.get(piece.attachmentId);
    try {
      if (!file) throw new NotSent('refused', 'It is no longer on this device.');
      await sendEvidence(connection, report.id, piece, file, (share) =>
        tellProgress(piece.attachmentId, share),
      );
    } catch (error) {
      const { verdict, message } = failureOf(error);
      if (verdict !== 'refused') throw error;
      // The others are sent all the same.
      refusals.push(`${piece.name}: ${message}`);
    }
  }
  if (refusals.length > 0) throw new NotSent('refused', [STORED, ...refusals].join(' '));
};
