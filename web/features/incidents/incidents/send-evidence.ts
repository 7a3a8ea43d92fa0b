import { storableName, uploadFile } from '#web/lib/files/upload-file.ts';
import { accepted } from '#web/lib/outbox/answers.ts';
import type { Client } from '#web/lib/supabase/client.ts';
import type { Attachment } from './attachment.ts';

const ROW_TIMEOUT_MS = 20_000;

/**
 * Uploads the file, then inserts its row: a row must never point to a missing file. Both use the id made on the device, so
 * a retry stores nothing twice.
 * @param onProgress called with the share that is sent, 0 to 1
 * @throws NotSent with the server's reason, or after a timeout
 */
export async function sendEvidence(
  connection: Client,
  incidentId: string,
  attachment: Omit<Attachment, 'content'>,
  file: Blob,
  onProgress: (share: number) => void,
) {
  const path = `${incidentId}/${attachment.id.slice(0, 8)}-${storableName(attachment.name)}`;
  await uploadFile(connection, {
    bucket: 'evidence',
    path,
    content: file,
    type: attachment.type,
    onProgress,
  });
  accepted(
    await connection
      .from('evidence')
      .upsert(
        {
          id: attachment.id,
          incident_id: incidentId,
          type: attachment.type,
          url: path,
          taken_at: attachment.takenAt,
          gps: attachment.gps,
          located_by: attachment.locatedBy,
        },
        { onConflict: 'id', ignoreDuplicates: true },
      )
      .abortSignal(AbortSignal.timeout(ROW_TIMEOUT_MS)),
  );
}
