// Makes a chosen file ready to be sent: what it tells of time and place is kept, then it is shrunk where it is a photo.
import { readExif } from '#web/lib/photos/read-exif.ts';
import { shrinkPhoto } from '#web/lib/photos/shrink-photo.ts';
import type { Attachment } from './attachment.ts';
import { isRecording, isTooLarge, tooLarge, typeOf } from './file-rules.ts';

/** @throws with the reason when it is too large even so */
export async function prepareAttachment(file: File): Promise<Attachment> {
  const { takenAt, gps } = await readExif(file);
  const content = await shrinkPhoto(file);
  if (isTooLarge(content)) throw new Error(tooLarge(file.name));
  const isShrunk = content !== file;
  return {
    id: crypto.randomUUID(),
    name: isShrunk ? file.name.replace(/\.[^.]*$/, '').concat('.jpg') : file.name,
    type: isShrunk ? content.type : typeOf(file),
    content,
    takenAt: takenAt ?? (isRecording(typeOf(file)) ? new Date().toISOString() : null),
    gps,
    locatedBy: gps === null ? null : 'photo',
  };
}
