// A ZIP archive of uncompressed files (APPNOTE.TXT 4.3): an export is small, and a library for it would not be.

export type ZipFile = { name: string; bytes: Uint8Array };

const POLYNOMIAL = 0xedb88320;
const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) {
    value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  }
  return value;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Little-endian fields of 2 or 4 bytes. */
function fields(...values: (readonly [size: 2 | 4, value: number])[]): Uint8Array {
  const bytes = new Uint8Array(values.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of values) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}

const VERSION = 20;
const UTF8_NAMES = 0x0800;
/** January 1, 1980: the archive names its date inside. */
const NO_DATE = 0x0021;

/** @param files with names in the archive, unique, with `/` between folders */
export function zip(files: readonly ZipFile[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  const push = (list: Uint8Array<ArrayBuffer>[], ...added: Uint8Array[]) => {
    for (const bytes of added) list.push(new Uint8Array(bytes));
    return added.reduce((sum, { length }) => sum + length, 0);
  };
  let directorySize = 0;
  for (const { name, bytes } of files) {
    const path = new TextEncoder().encode(name);
    const shared = [
      [2, UTF8_NAMES],
      [2, 0],
      [2, 0],
      [2, NO_DATE],
      [4, crc32(bytes)],
      [4, bytes.length],
      [4, bytes.length],
      [2, path.length],
      [2, 0],
    ] as const;
    const start = offset;
    offset += push(parts, fields([4, 0x04034b50], [2, VERSION], ...shared), path, bytes);
    directorySize += push(
      directory,
      fields(
        [4, 0x02014b50],
        [2, VERSION],
        [2, VERSION],
        ...shared,
        [2, 0],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, start],
      ),
      path,
    );
  }
  const end = fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
    [4, directorySize],
    [4, offset],
    [2, 0],
  );
  return new Blob([...parts, ...directory, new Uint8Array(end)], { type: 'application/zip' });
}
