// Sends one file of an incident, and the row that names it. It has an id made on the device, so a repeat stores nothing twice.
import { storableName } from '#web/lib/files/files.ts';
import { uploadFile } from '#web/lib/files/upload-file.ts';
import { accepted } from '#web/lib/outbox/answers.ts';
import type { Client } from '#web/lib/supabase/client.ts';
import type { Evidence } from './report-entry.ts';

const PATIENCE_MS = 20_000;

/**
 * The file first, then the row that names it: a row without its file would be a broken promise.
 * @param onProgress is told the share of the file that is sent, 0 to 1
 * @throws NotSent with the server's refusal, or that there was no answer
 */
export async function sendEvidence(
  connection: Client,
  incidentId: string,
  piece: Evidence,
  file: Blob,
  onProgress: (share: number) => void,
) {
  const path = `${incidentId}/${piece.id.slice(0, 8)}-${storableName(piece.name)}`;
  await uploadFile(connection, {
    bucket: 'evidence',
    path,
    content: file,
    type: piece.type,
    onProgress,
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
        { onConflict: 'id', ignoreDuplicates: true },
      )
      .abortSignal(AbortSignal.timeout(PATIENCE_MS)),
  );
}
