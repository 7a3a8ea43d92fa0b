// Positions in the write-ahead log, and the segments that they are in (PostgreSQL documentation, "WAL Internals").

/** The default of initdb. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;
/** Segments in one "logical file", the middle part of a name. */
const IN_FILE = 2 ** 32 / SEGMENT_BYTES;

/** @param text such as `0/3000060` */
export function parsePosition(text: string): number {
  const [high = '', low = ''] = text.split('/');
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16);
}

export const formatPosition = (position: number): string =>
  `${Math.floor(position / 2 ** 32).toString(16)}/${(position % 2 ** 32).toString(16)}`.toUpperCase();

export const toSegment = (position: number): number => Math.floor(position / SEGMENT_BYTES);

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0');

export const segmentName = (timeline: number, segment: number): string =>
  hex(timeline) + hex(Math.floor(segment / IN_FILE)) + hex(segment % IN_FILE);

/** @param name 24 hexadecimal digits */
export const segmentNumber = (name: string): number =>
  Number.parseInt(name.slice(8, 16), 16) * IN_FILE + Number.parseInt(name.slice(16), 16);
