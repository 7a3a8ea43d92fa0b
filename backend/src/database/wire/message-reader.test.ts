import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import pg, { type DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { MessageReader } from './message-reader.ts';
import { decodeRow, decodeRowWithBytes } from './messages.ts';

function message(code: string, body: Buffer | string): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5, code);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

function row(cells: (string | null)[]): Buffer {
  const count = Buffer.alloc(2);
  count.writeUInt16BE(cells.length);
  const parts = cells.map((cell) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(cell === null ? -1 : Buffer.byteLength(cell));
    return Buffer.concat([length, Buffer.from(cell ?? '')]);
  });
  return Buffer.concat([count, ...parts]);
}

/** Table (4 bytes), column (2), type (4), size (2), modifier (4) and format (2). */
const OF_TEXT = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 0, 0, 0, 0, 0]);
const NOTICE = message('N', 'SNOTICE\0Mhello\0\0');
const MESSAGES = [
  message('1', ''),
  message('2', ''),
  message('T', Buffer.concat([Buffer.from([0, 1]), Buffer.from('näme\0'), OF_TEXT])),
  message('D', row(['ünï', null, '', 'x'.repeat(300)])),
  NOTICE,
  message('D', row(['2'])),
  message('C', 'SELECT 2\0'),
  message('Z', 'I'),
  message('E', 'SERROR\0C23505\0Mtwice\0Dwhy\0\0'),
  message('Z', 'I'),
];

/**
 * Returns what the receiver and pg get from these chunks.
 * @param maxRowBytes that the receiver accepts
 */
async function received(
  chunks: Buffer[],
  maxRowBytes = Number.POSITIVE_INFINITY,
): Promise<{ events: unknown[]; passed: Buffer }> {
  const stream = new PassThrough();
  const connection = new pg.Connection({ stream: () => stream });
  const passed: Buffer[] = [];
  connection.stream.on('data', (chunk: Buffer) => passed.push(Buffer.from(chunk)));
  const events: unknown[] = [];
  let ready = 0;
  const reader = MessageReader.of(connection);
  reader.open({
    handleColumns: (columns) => events.push(columns),
    acceptsRow: (bytes) => bytes <= maxRowBytes,
    handleRow: (from, start, end) => events.push(decodeRow(from.subarray(start, end))),
    handleComplete: (tag) => events.push(tag),
    handleErrorResponse: (error: DatabaseError) =>
      events.push([error.code, error.message, error.detail, error.severity]),
    handleReady: () => {
      ready += 1;
      events.push('ready');
      if (ready === 2) reader.close();
    },
  });
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await new Promise((resolve) => stream.once('end', resolve));
  return { events, passed: Buffer.concat(passed) };
}

const EVENTS = [
  [{ name: 'näme', type: 25 }],
  ['ünï', null, '', 'x'.repeat(300)],
  ['2'],
  'SELECT 2',
  'ready',
  ['23505', 'twice', 'why', 'ERROR'],
  'ready',
];

/** Cuts all messages at up to `maxLength` places, in any way. */
const inChunks = (maxLength: number): fc.Arbitrary<Buffer[]> => {
  const all = Buffer.concat(MESSAGES);
  return fc
    .uniqueArray(fc.integer({ min: 1, max: all.length - 1 }), { maxLength })
    .map((places) => {
      const ends = [...places.sort((a, b) => a - b), all.length];
      return ends.map((end, index) => all.subarray(ends[index - 1] ?? 0, end));
    });
};

describe('MessageReader', () => {
  it('reads the same whatever the chunks, and passes on to pg what is not a response', async () => {
    await fc.assert(
      fc.asyncProperty(inChunks(12), async (chunks) => {
        const { events, passed } = await received(chunks);
        expect(events).toEqual(EVENTS);
        expect(passed).toEqual(Buffer.concat([NOTICE, message('Z', 'I')]));
      }),
      { numRuns: 60 },
    );
  });

  it('skips rows that are too long, whatever the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(inChunks(40), async (chunks) => {
        const { events, passed } = await received(chunks, 100);
        expect(events).toEqual(EVENTS.filter((_, index) => index !== 1));
        expect(passed).toEqual(Buffer.concat([NOTICE, message('Z', 'I')]));
      }),
      { numRuns: 60 },
    );
  });

  it('reads byte by byte', async () => {
    const bytes = [...Buffer.concat(MESSAGES)].map((byte) => Buffer.from([byte]));
    expect((await received(bytes)).events).toEqual(EVENTS);
  });

  it('returns a long first value as bytes', () => {
    const long = 'ü'.repeat(5000);
    const { cells, bytes } = decodeRowWithBytes(row([long, null, 'b']), 4096, true);
    expect([cells, bytes?.toString()]).toEqual([['', null, 'b'], long]);
    expect(decodeRowWithBytes(row(['short', null]), 4096, true)).toEqual({
      cells: ['short', null],
      bytes: undefined,
    });
    expect(decodeRowWithBytes(row([null]), 4096, false).cells).toEqual([null]);
  });
});
