import { CLIENT_PHOTO_TYPES } from '#shared/database.limits.ts';
import type { Evidence } from './schema.ts';

/** Whether browsers can probably show it as an image. */
export const isPhoto = ({ type }: Pick<Evidence, 'type'>) =>
  /^image\//i.test(type) || /^photo$/i.test(type);

/** Whether it is a link to another site instead of a file in our storage. */
export const isExternal = ({ url }: Evidence) => /^https?:\/\//i.test(url);

/** Whether it may go to a client with a letter, as the database has it: a stored photo that every browser shows. */
export const isForClients = ({ type, url }: Pick<Evidence, 'type' | 'url'>) =>
  CLIENT_PHOTO_TYPES.some((each) => each === type) && !/^https?:/i.test(url);

/** Ids that make stored names unique: the start of one before the file name, or a whole one instead of it. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}[-_]?/i;
const SHORT_ID = /^[0-9a-f]{8}-(?=.)/i;

/** @returns the last part of the path, without ids */
export function readFileName(evidence: Pick<Evidence, 'type' | 'url'>): string {
  const last = evidence.url.split(/[?#]/)[0]?.split('/').at(-1) || evidence.url;
  // The longer id also begins with eight digits and a hyphen.
  const name = last.replace(UUID, '').replace(SHORT_ID, '').replace(UUID, '');
  if (name !== '' && !name.startsWith('.')) return name;
  return `${isPhoto(evidence) ? 'photo' : 'document'}${name}`;
}

/** Per report. */
export const MAX_FILES = 10;
/** For one file as it is sent. */
const MAX_BYTES = 10 * 1024 * 1024;
/** For a photo before shrinking: a larger one is not even opened. */
const MAX_PHOTO_BYTES = 60 * 1024 * 1024;

/** File extension → MIME type, for browsers that report none and for the file dialog. */
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
const ALLOWED = new Set([...TYPES.values(), 'text/rtf']);

/** For the `accept` of a file input. */
export const ACCEPTED = [
  ...[...TYPES.keys()].map((extension) => `.${extension}`),
  'audio/*',
  'video/*',
].join();

/** @returns the MIME type, derived from the extension if the browser reports none; empty if unknown */
export function findMimeType({ name, type }: Pick<File, 'name' | 'type'>): string {
  return type || (TYPES.get(name.split('.').at(-1)?.toLowerCase() ?? '') ?? '');
}

/** Whether it has a place and time of recording, unlike a document. */
export const isRecording = (type: string) => /^(image|video|audio)\//.test(type);

/**
 * The limits of the bucket `evidence`, checked before sending; the server checks the content again.
 * @returns why the file can't be attached; undefined if it can
 */
export function findProblem(file: File): string | undefined {
  const type = findMimeType(file);
  if (!ALLOWED.has(type) && !/^(audio|video)\//.test(type)) {
    return `“${file.name}” can’t be attached. Photos, PDF, office and text documents, audio and video can.`;
  }
  if (file.size === 0) return `“${file.name}” is empty.`;
  const limit = type.startsWith('image/') ? MAX_PHOTO_BYTES : MAX_BYTES;
  return file.size > limit ? tooLarge(file.name) : undefined;
}

/** Checked after shrinking. */
export const isTooLarge = (content: Blob) => content.size > MAX_BYTES;
export const tooLarge = (name: string) => `“${name}” has more than 10 MB.`;
