// Which files a report takes: those of the bucket `evidence`. The server judges by content; here the person is told before sending.

/** Files of one report. */
export const MOST_FILES = 10;
/** Bytes of one file as it is sent. */
const MOST_BYTES = 10 * 1024 * 1024;
/** Bytes beyond which a photo is not even opened to be shrunk. */
const MOST_PHOTO_BYTES = 60 * 1024 * 1024;

/** Ending → type, for browsers that name none, and for what to offer in the file dialog. */
const TYPES = new Map([
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['heic', 'image/heic'],
  ['heif', 'image/heif'],
  ['avif', 'image/avif'],
  ['bmp', 'image/bmp'],
  ['tif', 'image/tiff'],
  ['tiff', 'image/tiff'],
  ['pdf', 'application/pdf'],
  ['rtf', 'application/rtf'],
  ['txt', 'text/plain'],
  ['csv', 'text/csv'],
  ['doc', 'application/msword'],
  ['xls', 'application/vnd.ms-excel'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['odp', 'application/vnd.oasis.opendocument.presentation'],
]);
const KNOWN = new Set([...TYPES.values(), 'text/rtf']);

/** For the `accept` of a file input. */
export const ACCEPTED = [
  ...[...TYPES.keys()].map((ending) => `.${ending}`),
  'audio/*',
  'video/*',
].join();

/** @returns its MIME type, by its ending where the browser names none; empty where neither tells */
export function typeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  return type || (TYPES.get(name.split('.').at(-1)?.toLowerCase() ?? '') ?? '');
}

/** Whether it is taken at a place and a time, unlike a document. */
export const isRecording = (type: string) => /^(image|video|audio)\//.test(type);

/** @returns why the report can't have this file; undefined when it can */
export function problemOf(file: File): string | undefined {
  const type = typeOf(file);
  if (!KNOWN.has(type) && !/^(audio|video)\//.test(type)) {
    return `“${file.name}” can’t be attached. Photos, PDF, office and text documents, audio and video can.`;
  }
  if (file.size === 0) return `“${file.name}” is empty.`;
  const most = type.startsWith('image/') ? MOST_PHOTO_BYTES : MOST_BYTES;
  return file.size > most ? tooLarge(file.name) : undefined;
}

/** Judged again after shrinking: what counts is what is sent. */
export const isTooLarge = (content: Blob) => content.size > MOST_BYTES;
export const tooLarge = (name: string) => `“${name}” has more than 10 MB.`;
