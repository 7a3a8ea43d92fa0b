import { z } from 'zod';
import { EVIDENCE_LOCATED_BY } from '#shared/database.values.ts';
import { serverNowIso } from '#web/lib/clock/server-now.ts';
import { shrinkPhoto } from '#web/lib/photos/shrink-photo.ts';
import { findMimeType, isRecording, isTooLarge, tooLarge } from './evidence-rules.ts';

/** A photo or document that is ready to send, also as it is stored in a draft. */
export const attachmentSchema = z.object({
  id: z.uuid(),
  /** With extension. */
  name: z.string(),
  /** MIME type. */
  type: z.string(),
  content: z.instanceof(Blob),
  /** ISO 8601 in UTC; null for documents. */
  takenAt: z.string().nullable(),
  /** 'lat,lng' in degrees. */
  gps: z.string().nullable(),
  locatedBy: z.enum(EVIDENCE_LOCATED_BY).nullable(),
});

export type Attachment = z.infer<typeof attachmentSchema>;

/**
 * Reads time and place from the file, then shrinks it if it is a photo.
 * @throws if it is still too large
 */
export async function prepareAttachment(file: File): Promise<Attachment> {
  // Not with the senders, which share this module and are loaded early.
  const { readExif } = await import('#web/lib/photos/read-exif.ts');
  const { takenAt, gps } = await readExif(file);
  const content = await shrinkPhoto(file);
  if (isTooLarge(content)) throw new Error(tooLarge(file.name));
  const isShrunk = content !== file;
  return {
    id: crypto.randomUUID(),
    name: isShrunk ? file.name.replace(/\.[^.]*$/, '').concat('.jpg') : file.name,
    type: isShrunk ? content.type : findMimeType(file),
    content,
    takenAt: takenAt ?? (isRecording(findMimeType(file)) ? serverNowIso() : null),
    gps,
    locatedBy: gps === null ? null : 'photo',
  };
}
