import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { readHeader, type Seal, Sealer, unseal, writeHeader } from './archive-format.ts';
import { ByteReader } from './byte-reader.ts';

const HEADER = {
  kind: 'rows' as const,
  product: 'company',
  version: '1.2.3',
  postgres: 18,
  takenAt: '2026-11-23T04:00:00.000Z',
};
const PASSPHRASE = 'twelve guards at the gate';
/** More than two chunks. */
const PLAIN = Buffer.alloc(150_000, 'a night shift at the gate, ');

let header: Buffer;
let seal: Seal;
let sealed: Buffer;

/** In uneven pieces, as a disk or a network returns them. */
function readerOf(bytes: Buffer): ByteReader {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 997) }, (_, i) =>
    bytes.subarray(i * 997, (i + 1) * 997),
  );
  return new ByteReader(Readable.from(pieces));
}

const open = (bytes: Buffer): Promise<Buffer> => buffer(unseal(readerOf(bytes), seal));

function changed(bytes: Buffer, place: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(place) ^ 1, place);
  return copy;
}

/** Each chunk has 5 bytes before and 16 after it. */
const CHUNK = 65_536 + 21;

beforeAll(async () => {
  const made = await writeHeader(HEADER, PASSPHRASE);
  header = made.bytes;
  seal = made.seal;
  sealed = await buffer(Readable.from([PLAIN]).pipe(new Sealer(seal)));
});

describe('the header of an archive', () => {
  it('opens the archive with its passphrase, and with no other', async () => {
    const reader = readerOf(Buffer.concat([header, sealed]));
    const found = await readHeader(reader, PASSPHRASE);
    expect(found.header).toMatchObject(HEADER);
    expect((await buffer(unseal(reader, found.seal))).equals(PLAIN)).toBe(true);
    await expect(readHeader(readerOf(header), `${PASSPHRASE}!`)).rejects.toThrow(
      'is not the passphrase',
    );
  });

  it('is refused when it was cut or changed, or is of another file', async () => {
    const read = (bytes: Buffer) => readHeader(readerOf(bytes), PASSPHRASE);
    await expect(read(header.subarray(0, 40))).rejects.toThrow('end is missing');
    await expect(read(changed(header, 30))).rejects.toThrow('header was changed');
    await expect(read(Buffer.from('a text file, long enough'))).rejects.toThrow('not an archive');
    await expect(read(Buffer.alloc(0))).rejects.toThrow('not an archive');
  });
});

describe('the content of an archive', () => {
  it('can be read only as a whole', async () => {
    expect((await open(sealed)).equals(PLAIN)).toBe(true);
    expect(sealed.includes('night shift')).toBe(false);
    for (const length of [0, 1000, CHUNK, sealed.length - 1]) {
      await expect(open(sealed.subarray(0, length)), `${length}`).rejects.toThrow('end is missing');
    }
  });

  it('is refused when it was changed', async () => {
    // The mark of the last chunk, the content, the last byte.
    for (const place of [0, 70_000, sealed.length - 1]) {
      await expect(open(changed(sealed, place)), `${place}`).rejects.toThrow('was changed');
    }
    const parts = [sealed.subarray(CHUNK, 2 * CHUNK), sealed.subarray(0, CHUNK)];
    const swapped = Buffer.concat([...parts, sealed.subarray(2 * CHUNK)]);
    await expect(open(swapped)).rejects.toThrow('was changed');
    await expect(open(Buffer.concat([sealed, Buffer.from('x')]))).rejects.toThrow('added');
  });
});
