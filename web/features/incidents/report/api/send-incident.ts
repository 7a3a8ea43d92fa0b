// Stores a report and its files. Everything has an id made on the device, so a repeat stores nothing twice.
import type { z } from 'zod';
import { storableName } from '#web/lib/file-name.ts';
import { supabase } from '#web/lib/supabase.ts';
import { uploadFile } from '#web/lib/upload-file.ts';
import type { Attachment } from '../attachments/attachment.ts';
import type { submittedSchema } from '../schema.ts';

export type Report = z.infer<typeof submittedSchema> & { id: string; raised_by_user_id: string };

export type EvidenceFile = Attachment & { incidentId: string };

const ONCE = { onConflict: 'id', ignoreDuplicates: true };

/** @throws what the server refused, or that there was no connection */
export async function sendIncident(report: Report): Promise<void> {
  await supabase()
    .from('incidents')
    .upsert({ ...report, status: 'open' }, ONCE)
    .throwOnError();
}

/**
 * The file first, then the row that names it: a row without its file would be a broken promise.
 * @param onProgress is told the share of the file that is sent, 0 to 1
 * @throws what the server refused, or that there was no connection
 */
export async function sendEvidence(file: EvidenceFile, onProgress: (share: number) => void) {
  const { id, incidentId, name, type, content, takenAt, gps, locatedBy } = file;
  const path = `${incidentId}/${id.slice(0, 8)}-${storableName(name)}`;
  await uploadFile({ bucket: 'evidence', path, content, type, onProgress });
  await supabase()
    .from('evidence')
    .upsert(
      {
        id,
        incident_id: incidentId,
        type,
        url: path,
        taken_at: takenAt,
        gps,
        located_by: locatedBy,
      },
      ONCE,
    )
    .throwOnError();
}
