const SAVE_AGAIN = 'Save it as “CSV UTF-8”, and choose that file.';

const startsWith = (bytes: Uint8Array, ...first: number[]) =>
  first.every((byte, at) => bytes[at] === byte);

/** By its byte order mark, or by the zero bytes of the first letters. */
function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (startsWith(bytes, 0xfe, 0xff)) return 'utf-16be';
  const [first, second, third, fourth] = bytes;
  if (first && second === 0 && third && fourth === 0) return 'utf-16le';
  if (first === 0 && second && third === 0 && fourth) return 'utf-16be';
  return 'utf-8';
}

function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The text of a file as spreadsheets save it: UTF-8, UTF-16 or Windows-1252.
 * @throws when it is another kind of file, or its letters can't be known
 */
export function decodeText(bytes: Uint8Array): string {
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    throw new Error(
      'This is an old or protected workbook. Save it as an Excel workbook (.xlsx) without a password, and choose that file.',
    );
  }
  const encoding = encodingOf(bytes);
  const text = decoded(bytes, encoding) ?? decoded(bytes, 'windows-1252') ?? '';
  if (text.includes('\0')) throw new Error(`This is not a CSV file. ${SAVE_AGAIN}`);
  if (encoding === 'utf-8' && decoded(bytes, 'utf-8') === undefined) {
    // Two letters of UTF-8 beside bytes that are none of it.
    if (/[ÂÃ][\u0080-\u00BF]/.test(text)) {
      throw new Error(`The file mixes encodings. ${SAVE_AGAIN}`);
    }
    // Windows-1252 has no such letters.
    if (/[\u0080-\u009F]/.test(text)) {
      throw new Error(`The encoding of the file is not known. ${SAVE_AGAIN}`);
    }
  }
  return text;
}
