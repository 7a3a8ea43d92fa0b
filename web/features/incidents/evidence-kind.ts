// What a piece of evidence is, told from its type and its address.
import type { Evidence } from './schema.ts';

/** @returns whether a browser can be expected to show it as a picture */
export const isPhoto = ({ type }: Pick<Evidence, 'type'>) =>
  /^image\//i.test(type) || /^photo$/i.test(type);

/** An address elsewhere, instead of a file of ours. */
export const isElsewhere = ({ url }: Evidence) => /^https?:\/\//i.test(url);

/** Ids that keep stored files apart: the start of one before the file's own name, or a whole one instead of it. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}[-_]?/i;
const SHORT_ID = /^[0-9a-f]{8}-(?=.)/i;

/** @returns its name for people: the last part of its path, without ids */
export function fileNameOf(piece: Pick<Evidence, 'type' | 'url'>): string {
  const last = piece.url.split(/[?#]/)[0]?.split('/').at(-1) || piece.url;
  // The longer id also begins with eight digits and a hyphen.
  const name = last.replace(UUID, '').replace(SHORT_ID, '').replace(UUID, '');
  if (name !== '' && !name.startsWith('.')) return name;
  return `${isPhoto(piece) ? 'photo' : 'document'}${name}`;
}
