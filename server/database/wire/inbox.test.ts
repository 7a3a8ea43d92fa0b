// Answers arrive in pieces of any size: whatever the cuts, the same is heard, and pg gets what is not an answer.
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import pg, { type DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { Inbox } from './inbox.ts';
import { cellsOf, cellsWithBytes } from './row.ts';

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

const NOTICE = message('N', 'SNOTICE\0Mhello\0\0');
const ANSWERS = [
  message('1', ''),
  message('2', ''),
  message('T', Buffer.concat([Buffer.from([0, 1]), Buffer.from('näme\0'), Buffer.alloc(18)])),
  message('D', row(['ünï', null, '', 'x'.repeat(300)])),
  NOTICE,
  message('D', row(['2'])),
  message('C', 'SELECT 2\0'),
  message('Z', 'I'),
  message('E', 'SERROR\0C23505\0Mtwice\0Dwhy\0\0'),
  message('Z', 'I'),
];

/**
 * What a receiver hears of these pieces, and what pg gets.
 * @param longest bytes of a row that it accepts
 */
async function heard(
  pieces: Buffer[],
  longest = Number.POSITIVE_INFINITY,
): Promise<{ events: unknown[]; passed: Buffer }> {
  const stream = new PassThrough();
  const connection = new pg.Connection({ stream: () => stream });
  const passed: Buffer[] = [];
  connection.stream.on('data', (chunk: Buffer) => passed.push(Buffer.from(chunk)));
  const events: unknown[] = [];
  let ready = 0;
  const inbox = Inbox.of(connection);
  inbox.open({
    handleColumns: (names) => events.push(names),
    acceptsRow: (bytes) => bytes <= longest,
    handleRow: (bytes) => events.push(cellsOf(bytes)),
    handleComplete: (tag) => events.push(tag),
    handleRefusal: (error: DatabaseError) =>
      events.push([error.code, error.message, error.detail, error.severity]),
    handleReady: () => {
      ready += 1;
      events.push('ready');
      if (ready === 2) inbox.close();
    },
  });
  for (const piece of pieces) stream.write(piece);
  stream.end();
  await new Promise((resolve) => stream.once('end', resolve));
  return { events, passed: Buffer.concat(passed) };
}

const EVENTS = [
  ['näme'],
  ['ünï', null, '', 'x'.repeat(300)],
  ['2'],
  'SELECT 2',
  'ready',
  ['23505', 'twice', 'why', 'ERROR'],
  'ready',
];

describe('answers', () => {
  it('are the same wherever they are cut', async () => {
    const all = Buffer.concat(ANSWERS);
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: all.length - 1 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const ends = [...places.sort((a, b) => a - b), all.length];
        const pieces = ends.map((end, index) => all.subarray(ends[index - 1] ?? 0, end));
        const { events, passed } = await heard(pieces);
        expect(events).toEqual(EVENTS);
        expect(passed).toEqual(Buffer.concat([NOTICE, message('Z', 'I')]));
      }),
      { numRuns: 60 },
    );
  });

  it('without the rows that are too long are the same wherever they are cut', async () => {
    const all = Buffer.concat(ANSWERS);
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: all.length - 1 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const ends = [...places.sort((a, b) => a - b), all.length];
        const pieces = ends.map((end, index) => all.subarray(ends[index - 1] ?? 0, end));
        const { events, passed } = await heard(pieces, 100);
        expect(events).toEqual(EVENTS.filter((_, index) => index !== 1));
        expect(passed).toEqual(Buffer.concat([NOTICE, message('Z', 'I')]));
      }),
      { numRuns: 60 },
    );
  });

  it('are the same byte by byte', async () => {
    const bytes = [...Buffer.concat(ANSWERS)].map((byte) => Buffer.from([byte]));
    expect((await heard(bytes)).events).toEqual(EVENTS);
  });

  it('keep a long first value as it came', () => {
    const long = 'ü'.repeat(5000);
    const { cells, bytes } = cellsWithBytes(row([long, null, 'b']), 4096, true);
    expect([cells, bytes?.toString()]).toEqual([['', null, 'b'], long]);
    expect(cellsWithBytes(row(['short', null]), 4096, true)).toEqual({
      cells: ['short', null],
      bytes: undefined,
    });
    expect(cellsWithBytes(row([null]), 4096, false).cells).toEqual([null]);
  });
});
