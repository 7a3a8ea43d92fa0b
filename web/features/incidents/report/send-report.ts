// Sends a report and its files. Everything has an id made on the device, so a repeat stores nothing twice, and sends no file
// again that has arrived.
import { storableName } from '#web/lib/file-name.ts';
import { accepted, failureOf, NotSent } from '#web/lib/outbox/answers.ts';
import type { SendEntry } from '#web/lib/outbox/kinds.ts';
import { tellProgress } from '#web/lib/progress.ts';
import type { Client } from '#web/lib/supabase.ts';
import { uploadFile } from '#web/lib/upload-file.ts';
import { type Evidence, reportEntrySchema, STORED } from './report-entry.ts';

const PATIENCE_MS = 20_000;
const ONCE = { onConflict: 'id', ignoreDuplicates: true };

const patience = () => AbortSignal.timeout(PATIENCE_MS);

/** The file first, then the row that names it: a row without its file would be a broken promise. */
async function sendEvidence(connection: Client, incidentId: string, piece: Evidence, file: Blob) {
  const path = `${incidentId}/${piece.id.slice(0, 8)}-${storableName(piece.name)}`;
  await uploadFile(connection, {
    bucket: 'evidence',
    path,
    content: file,
    type: piece.type,
    onProgress: (share) => tellProgress(piece.attachmentId, share),
  });
  accepted(
    await connection
      .from('evidence')
      .upsert(
        {
          id: piece.id,
          incident_id: incidentId,
          type: piece.type,
          url: path,
          taken_at: piece.takenAt,
          gps: piece.gps,
          located_by: piece.locatedBy,
        },
        ONCE,
      )
      .abortSignal(patience()),
  );
}

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
      await sendEvidence(connection, report.id, piece, file);
    } catch (error) {
      const { verdict, message } = failureOf(error);
      if (verdict !== 'refused') throw error;
      // The others are sent all the same.
      refusals.push(`${piece.name}: ${message}`);
    }
  }
  if (refusals.length > 0) throw new NotSent('refused', [STORED, ...refusals].join(' '));
};
