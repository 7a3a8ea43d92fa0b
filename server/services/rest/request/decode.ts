// Percent-decoding that refuses what PostgreSQL could not store: broken UTF-8 and NUL bytes.
import { wrongBytes } from '../errors/catalogue.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws RestError 22021 */
export function utf8(bytes: Uint8Array): string {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw wrongBytes('the request holds bytes that are not UTF-8');
  }
  return withoutNul(text);
}

export function withoutNul(text: string): string {
  if (text.includes('\0')) throw wrongBytes('0x00');
  return text;
}

/**
 * @param encoded a part of the URL as Node gives it: one character for each byte
 * @throws RestError 22021
 */
export function decodePart(encoded: string): string {
  // Plain ASCII is the common case and needs no work.
  if (!/[%\x00\x80-\uffff]/.test(encoded)) return encoded;
  const raw = Buffer.from(encoded, 'latin1');
  const bytes = Buffer.allocUnsafe(raw.length);
  let length = 0;
  for (let at = 0; at < raw.length; at += 1) {
    let byte = raw[at] ?? 0;
    if (byte === 0x25 && /^[0-9a-f]{2}$/i.test(encoded.slice(at + 1, at + 3))) {
      byte = Number.parseInt(encoded.slice(at + 1, at + 3), 16);
      at += 2;
    }
    bytes[length] = byte;
    length += 1;
  }
  return utf8(bytes.subarray(0, length));
}

/** @returns names and values in order; a name without `=` has an undefined value */
export function decodeQuery(search: string): [name: string, value: string | undefined][] {
  if (search === '') return [];
  return search.split('&').flatMap((part): [string, string | undefined][] => {
    if (part === '') return [];
    const plain = part.replaceAll('+', ' ');
    const at = plain.indexOf('=');
    if (at < 0) return [[decodePart(plain), undefined]];
    return [[decodePart(plain.slice(0, at)), decodePart(plain.slice(at + 1))]];
  });
}
