// Percent-decoding that rejects what PostgreSQL can't store: invalid UTF-8 and NUL.
import { invalidBytes } from '../errors/catalogue.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws RestError 22021 */
export function utf8(bytes: Uint8Array): string {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw invalidBytes('the request contains bytes that are not UTF-8');
  }
  return withoutNul(text);
}

export function withoutNul(text: string): string {
  if (text.includes('\0')) throw invalidBytes('0x00');
  return text;
}

/**
 * @param encoded a part of the URL as Node provides it, one character per byte
 * @throws RestError 22021
 */
export function decodePart(encoded: string): string {
  // Fast path for plain ASCII.
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

/** @returns names and values in order; the value of a name without `=` is undefined */
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
