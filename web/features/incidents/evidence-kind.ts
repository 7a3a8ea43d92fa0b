// What a piece of evidence is, told from its type and its address.
import type { Evidence } from './schema.ts';

/** @returns whether a browser can be expected to show it as a picture */
export const isPhoto = ({ type }: Evidence) => /^image\//i.test(type) || /^photo$/i.test(type);

/** An address elsewhere, instead of a file of ours. */
export const isElsewhere = ({ url }: Evidence) => /^https?:\/\//i.test(url);

/** @returns its name for people: the last part of its path, decoded where that is possible */
export function fileNameOf({ url }: Evidence): string {
  return url.split(/[?#]/)[0]?.split('/').at(-1) || url;
}
