// The inside of an archive: entries, each with a header, data of any length, and a record with its checksum.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { damaged } from './archive-format.ts';
import { ByteReader } from './byte-reader.ts';

const Header = z.discriminatedUnion('kind', [
  /** First: the versions of the applied files. */
  z.object({
    kind: z.literal('schema'),
    platform: z.array(z.string()),
    project: z.array(z.string()),
  }),
  /** Rows as PostgreSQL's COPY writes them. */
  z.object({
    kind: z.literal('table'),
    schema: z.string(),
    name: z.string(),
    columns: z.array(z.string()),
    /** Creates the table, if no applied file does. */
    definition: z.array(z.string()),
  }),
  /** JSON of sequences and settings of roles. */
  z.object({ kind: z.literal('state') }),
  /** The bytes of a stored object, by its version. */
  z.object({ kind: z.literal('blob'), id: z.uuid() }),
  /** A file of DATA_DIR, by its path in it; an empty folder has a slash at the end. */
  z.object({ kind: z.literal('file'), path: z.string() }),
  /** A segment of the write-ahead log, by its name. */
  z.object({ kind: z.literal('wal'), segment: z.string() }),
]);
export type EntryHeader = z.infer<typeof Header>;

const Rows = z.object({
  rows: z.number(),
  /** Checksum in any order (`row-sum.ts`). */
  content: z.string(),
});

const Sum = z.object({ bytes: z.number(), sha256: z.string(), table: Rows.optional() });

export type EntryRecord = EntryHeader & z.infer<typeof Sum>;

const FRAME = { entry: 1, data: 2, end: 3 } as const;

function frame(type: number, payload: Buffer): Buffer[] {
  const start = Buffer.alloc(5);
  start.writeUInt8(type);
  start.writeUInt32BE(payload.length, 1);
  return [start, payload];
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** @param table called after the data of a table */
export async function* writeEntry(
  header: EntryHeader,
  data: AsyncIterable<Buffer> | Iterable<Buffer>,
  table: () => z.infer<typeof Rows> | undefined = () => undefined,
): AsyncGenerator<Buffer, EntryRecord> {
  yield* frame(FRAME.entry, json(header));
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of data) {
    hash.update(chunk);
    bytes += chunk.length;
    yield* frame(FRAME.data, chunk);
  }
  const sum = { bytes, sha256: hash.digest('hex'), table: table() };
  yield* frame(FRAME.end, json(sum));
  return { ...header, ...sum };
}

/**
 * Calls `take` with each entry in order. Data that it does not read is skipped.
 * @returns the manifest
 * @throws StartError when the data of an entry is not what its record says
 */
export async function readEntries(
  source: AsyncIterable<Buffer>,
  take: (header: EntryHeader, data: AsyncGenerator<Buffer>) => Promise<void>,
): Promise<EntryRecord[]> {
  const reader = new ByteReader(source);
  const records: EntryRecord[] = [];
  for (;;) {
    const next = await readFrame(reader);
    if (next === undefined) return records;
    if (next.type !== FRAME.entry) throw damaged('its parts are out of order');
    const header = Header.parse(parse(next.payload));
    const entry = new EntryData(reader);
    const data = entry.read();
    await take(header, data);
    await entry.skip();
    records.push({ ...header, ...entry.sum() });
  }
}

const parse = (payload: Buffer): unknown => JSON.parse(payload.toString('utf8'));

async function readFrame(
  reader: ByteReader,
): Promise<{ type: number; payload: Buffer } | undefined> {
  const start = await reader.read(5);
  if (start === undefined) return undefined;
  return { type: start.readUInt8(), payload: await reader.readExactly(start.readUInt32BE(1)) };
}

class EntryData {
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #sum: z.infer<typeof Sum> | undefined;

  constructor(private readonly reader: ByteReader) {}

  async *read(): AsyncGenerator<Buffer> {
    for (let chunk = await this.#next(); chunk !== undefined; chunk = await this.#next()) {
      yield chunk;
    }
  }

  async skip(): Promise<void> {
    while ((await this.#next()) !== undefined);
  }

  /** @throws StartError when the data does not match */
  sum(): z.infer<typeof Sum> {
    const found = { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
    if (this.#sum?.bytes !== found.bytes || this.#sum.sha256 !== found.sha256) {
      throw damaged('a checksum is wrong');
    }
    return this.#sum;
  }

  async #next(): Promise<Buffer | undefined> {
    if (this.#sum !== undefined) return undefined;
    const next = await readFrame(this.reader);
    if (next?.type === FRAME.data) {
      this.#hash.update(next.payload);
      this.#bytes += next.payload.length;
      return next.payload;
    }
    if (next?.type !== FRAME.end) throw damaged('its parts are out of order');
    this.#sum = Sum.parse(parse(next.payload));
    return undefined;
  }
}
