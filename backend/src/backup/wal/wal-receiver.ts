// Saves the write-ahead log while the system runs: receives it by the replication protocol, and writes each full segment with
// the objects and keys that came with it. PostgreSQL retains what is not saved, because only saved segments are acknowledged.
import path from 'node:path';
import pg, { type Pool } from 'pg';
import { deriveSeriesKey, type SeriesKey } from '../archive-format.ts';
import { type BackupOptions, majorVersion } from '../create-backup.ts';
import { dumpFiles, dumpVersions } from '../dump-files.ts';
import { writeEntry } from '../entries.ts';
import { explain } from '../explain.ts';
import { writeToFolder } from '../folder-place.ts';
import { writeArchive } from '../write-archive.ts';
import { CopyMessages } from './copy-messages.ts';
import {
  formatPosition,
  parsePosition,
  SEGMENT_BYTES,
  segmentName,
  toSegment,
} from './positions.ts';
import { type CurrentRun, openRun, WAL_SLOT } from './run.ts';
import { readReach, readRun } from './wal-folder.ts';

/** The most that is lost with the machine. */
const MARK_MS = 60_000;
/** Below `wal_sender_timeout`, also while a segment is being written. */
const STATUS_MS = 10_000;
/** Longest that the last segment may delay the stop of the server. */
const LAST_SEGMENT_MS = 2_500;
/** Rows may be committed this much later than they say. */
const OVERLAP = '10 minutes';
/** Microseconds from 1970 to 2000, where PostgreSQL's times begin. */
const EPOCH = 946_684_800_000_000n;

const XLOG_DATA = 'w'.charCodeAt(0);
const KEEPALIVE = 'k'.charCodeAt(0);
const STATUS = 'r'.charCodeAt(0);
const DATA_START = 25;

type ReceiverOptions = Pick<
  BackupOptions,
  'connection' | 'dataDir' | 'blobs' | 'passphrase' | 'product' | 'signal'
> & {
  /** Absolute path of the one of all runs. */
  folder: string;
  owner: Pool;
};

export class WalReceiver {
  #client: pg.Client | undefined;
  #stream: CopyMessages | undefined;
  #key: SeriesKey | undefined;
  #major = 0;
  #saved = 0;
  /** Moments that all later commits are after, with their positions. */
  #marks: { at: string; position: number }[] = [];
  #reach = new Date(0).toISOString();
  /** Objects that the last scan found, and when it was. */
  #scan: { at: string; versions: ReadonlySet<string> } | undefined;
  #onSaved: () => void = () => {};

  /** The moment until which changes are saved; undefined before the first segment of this run. */
  get reach(): Date | undefined {
    const reach = new Date(this.#reach);
    return +reach === 0 ? undefined : reach;
  }

  constructor(private readonly options: ReceiverOptions) {}

  /** Saves segments until `stop` is called. @throws StartError, or when the connection ends */
  async run(): Promise<void> {
    const { owner, passphrase, connection, folder } = this.options;
    this.#key ??= await deriveSeriesKey(passphrase);
    const run = await openRun(owner);
    const target = path.join(folder, run.name);
    const last = (await readRun(target)).segments.at(-1);
    if (last) {
      this.#reach = (await readReach(last)).toISOString();
      // Left to the previous process; a new folder begins with a base, which has all objects.
      this.#scan ??= { at: this.#reach, versions: new Set() };
    }
    this.#major = await majorVersion(owner);
    const client = new pg.Client({ ...connection, ...{ replication: 'database' } });
    client.on('error', () => {});
    await client.connect();
    this.#client = client;
    let status: NodeJS.Timeout | undefined;
    let marks: NodeJS.Timeout | undefined;
    try {
      const start = toSegment(run.saved) * SEGMENT_BYTES;
      this.#saved = start;
      const stream = client.query(
        new CopyMessages(
          `START_REPLICATION SLOT "${WAL_SLOT}" PHYSICAL ${formatPosition(start)} TIMELINE ${run.timeline}`,
        ),
      );
      this.#stream = stream;
      status = setInterval(() => this.#acknowledge(), STATUS_MS);
      // A failed mark is followed by the end of the stream, or by the next one.
      const mark = (): void => void this.#mark().catch(() => {});
      marks = setInterval(mark, MARK_MS);
      mark();
      await explain(target, () => this.#receive(stream, run, start, target));
    } finally {
      clearInterval(status);
      clearInterval(marks);
      this.#stream = undefined;
      this.#client = undefined;
      await client.end();
    }
  }

  /** Saves what was committed until now, if that does not take long. */
  async stop(): Promise<void> {
    if (this.#client === undefined) return;
    const end = await this.#mark().catch(() => undefined);
    if (end !== undefined && this.#saved < end) {
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, LAST_SEGMENT_MS);
        this.#onSaved = () => {
          if (this.#saved < end && this.#client !== undefined) return;
          clearTimeout(late);
          resolve();
        };
      });
    }
    await this.#client?.end();
  }

  async #receive(
    stream: CopyMessages,
    run: CurrentRun,
    start: number,
    folder: string,
  ): Promise<void> {
    let segment = toSegment(start);
    let bytes = Buffer.alloc(SEGMENT_BYTES);
    let filled = 0;
    for await (const message of stream as AsyncIterable<Buffer>) {
      if (message[0] === KEEPALIVE && message[17] === 1) this.#acknowledge();
      if (message[0] !== XLOG_DATA) continue;
      // PostgreSQL sends no message across the end of a segment, but does not promise it.
      for (let data = message.subarray(DATA_START); data.length > 0; ) {
        const taken = data.copy(bytes, filled);
        filled += taken;
        data = data.subarray(taken);
        if (filled < SEGMENT_BYTES) continue;
        await this.#save(folder, segmentName(run.timeline, segment), bytes, segment + 1);
        segment += 1;
        bytes = Buffer.alloc(SEGMENT_BYTES);
        filled = 0;
      }
    }
  }

  async #save(folder: string, segment: string, bytes: Buffer, next: number): Promise<void> {
    const { product, signal } = this.options;
    const end = next * SEGMENT_BYTES;
    const reached = this.#marks.filter(({ position }) => position <= end).at(-1);
    if (reached) this.#reach = reached.at;
    this.#marks = this.#marks.filter(({ position }) => position > end);
    const { name, version } = product;
    const header = { kind: 'wal' as const, product: name, version, postgres: this.#major };
    const scan = await this.#objects();
    // An object that was removed since is named by no row that this segment leaves.
    const known = this.#scan?.versions;
    const added = [...scan.versions].filter((version) => known?.has(version) !== true);
    await writeArchive({
      signal,
      header: { ...header, takenAt: this.#reach },
      store: (archive) => writeToFolder(folder, () => `${segment}.wal`, archive),
      content: this.#content(segment, bytes, added),
      secret: this.#key ?? this.options.passphrase,
    });
    this.#scan = scan;
    this.#saved = end;
    this.#acknowledge();
    this.#onSaved();
  }

  async *#content(
    segment: string,
    bytes: Buffer,
    objects: Iterable<string>,
  ): AsyncGenerator<Buffer> {
    const { blobs, dataDir } = this.options;
    yield* writeEntry({ kind: 'wal', segment }, [bytes]);
    yield* dumpVersions(objects, blobs, []);
    yield* dumpFiles(dataDir, undefined, ['keys']);
  }

  /** Objects whose rows were committed since the last scan, and some before. */
  async #objects(): Promise<{ at: string; versions: Set<string> }> {
    const { rows } = await this.options.owner.query<{ at: string; versions: string[] }>(
      `select now()::text as at, array(
         select o.version from storage.objects o
         where o.version is not null and o.updated_at > coalesce($1::timestamptz, now()) - interval '${OVERLAP}'
       ) as versions`,
      [this.#scan?.at],
    );
    const { at = '', versions = [] } = rows[0] ?? {};
    return { at, versions: new Set(versions) };
  }

  /** Ends the segment with a commit, so that it reaches a known moment. @returns its position */
  async #mark(): Promise<number> {
    const { owner } = this.options;
    const { rows } = await owner.query<{ at: Date }>(
      'select clock_timestamp() as at, pg_current_xact_id()',
    );
    const ended = await owner.query<{ position: string }>(
      'select pg_switch_wal()::text as position',
    );
    const position = parsePosition(ended.rows[0]?.position ?? '0/0');
    const at = (rows[0]?.at ?? new Date(0)).toISOString();
    this.#marks.push({ at, position });
    return position;
  }

  #acknowledge(): void {
    const message = Buffer.alloc(34);
    message.writeUInt8(STATUS);
    for (const offset of [1, 9, 17]) message.writeBigUInt64BE(BigInt(this.#saved), offset);
    message.writeBigInt64BE(BigInt(Date.now()) * 1000n - EPOCH, 25);
    this.#stream?.send(message);
  }
}
