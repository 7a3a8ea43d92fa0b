/**
 * Each row lists MIME types that programs use for the same content. Audio and video share containers, so the bytes can't
 * tell them apart.
 */
const ALIASES: readonly (readonly string[])[] = [
  ['image/jpeg', 'image/jpg', 'image/pjpeg'],
  ['image/png', 'image/apng', 'image/x-png'],
  ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence', 'image/avif'],
  ['image/bmp', 'image/x-ms-bmp'],
  ['image/tiff', 'image/x-tiff'],
  ['application/rtf', 'text/rtf'],
  [
    'video/mp4',
    'audio/mp4',
    'audio/x-m4a',
    'audio/m4a',
    'audio/aac',
    'video/x-m4v',
    'video/quicktime',
    'video/3gpp',
    'audio/3gpp',
    'video/3gpp2',
    'audio/3gpp2',
  ],
  ['video/webm', 'audio/webm', 'video/matroska', 'video/x-matroska', 'audio/x-matroska'],
  [
    'audio/ogg',
    'video/ogg',
    'application/ogg',
    'audio/opus',
    'audio/vorbis',
    'audio/ogg; codecs=opus',
  ],
  ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
  ['audio/mpeg', 'audio/mp3', 'audio/x-mp3', 'audio/mpeg3'],
  ['audio/flac', 'audio/x-flac'],
  ['audio/aiff', 'audio/x-aiff'],
  ['video/vnd.avi', 'video/avi', 'video/x-msvideo', 'video/msvideo'],
  ['video/x-ms-wmv', 'video/x-ms-asf', 'audio/x-ms-wma', 'application/vnd.ms-asf'],
  ['text/plain', 'text/csv', 'text/tab-separated-values', 'text/markdown', 'application/csv'],
];

const aliasesOf = new Map(ALIASES.flatMap((row) => row.map((type) => [type, row] as const)));

/**
 * @param declared without parameters, in lower case
 * @param detected from the content
 */
export function isSameType(declared: string, detected: string): boolean {
  return declared === detected || (aliasesOf.get(declared)?.includes(detected) ?? false);
}

const OLD_OFFICE_TYPES = new Set([
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.visio',
]);

/** The old Office formats share a container that does not identify them. */
export const isOldOfficeType = (type: string): boolean => OLD_OFFICE_TYPES.has(type);
