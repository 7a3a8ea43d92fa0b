// A base backup: the files of the running PostgreSQL, which WAL makes consistent, and everything else of DATA_DIR.
import path from 'node:path';
import pg from 'pg';
import { withClient } from '../../database/with-client.ts';
import { StartError } from '../../start-error.ts';
import { type BackupOptions, lockBackups, majorVersion } from '../create-backup.ts';
import { dumpBlobs, dumpFiles } from '../dump-files.ts';
import { writeEntry } from '../entries.ts';
import { explain } from '../explain.ts';
import { writeToFolder } from '../folder-place.ts';
import { writeArchive } from '../write-archive.ts';
import { CopyMessages } from './copy-messages.ts';
import { parsePosition, segmentName, toSegment } from './positions.ts';
import { readTar } from './tar.ts';
import { baseName } from './wal-folder.ts';

type BaseOptions = Pick<
  BackupOptions,
  'connection' | 'dataDir' | 'blobs' | 'passphrase' | 'product' | 'signal'
> & {
  /** Absolute path of the one of the database's run, whose slot exists. */
  folder: string;
};

// The grammar of replication commands accepts capitals only.
const COMMAND = "BASE_BACKUP (LABEL 'backup', CHECKPOINT 'fast', WAIT false, MANIFEST 'no')";
/** Types of messages ("BASE_BACKUP" in the protocol's documentation). */
const TYPE = { archive: 'n'.charCodeAt(0), data: 'd'.charCodeAt(0) };

/** @returns the path of the file @throws StartError; no part of it is left */
export async function createBase(options: BaseOptions): Promise<string> {
  const { connection, folder, product, passphrase, signal } = options;
  return explain(folder, () =>
    withClient(connection, async (client) => {
      await lockBackups(client);
      const content = new Content(client, options);
      const header = {
        kind: 'base' as const,
        product: product.name,
        version: product.version,
        postgres: await majorVersion(client),
        takenAt: await timeOf(client),
      };
      return writeArchive({
        ...{ header, signal },
        store: (archive) => writeToFolder(folder, () => content.name(), archive),
        content: content.read(),
        secret: passphrase,
      });
    }),
  );
}

async function timeOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at');
  return (rows[0]?.at ?? new Date()).toISOString();
}

class Content {
  #endedAt = '';
  #firstSegment = '';

  constructor(
    private readonly client: pg.Client,
    private readonly options: BaseOptions,
  ) {}

  async *read(): AsyncGenerator<Buffer> {
    const { connection, blobs, dataDir } = this.options;
    // `replication` is a parameter of the connection that pg passes on.
    const streaming = new pg.Client({ ...connection, ...{ replication: 'database' } });
    streaming.on('error', () => {});
    await streaming.connect();
    try {
      yield* this.#database(streaming);
    } finally {
      await streaming.end();
    }
    this.#endedAt = await timeOf(this.client);
    // Objects that are added from now on come with the WAL.
    yield* dumpBlobs(this.client, blobs, []);
    yield* dumpFiles(dataDir);
  }

  async *#database(streaming: pg.Client): AsyncGenerator<Buffer> {
    const messages = streaming.query(new CopyMessages(COMMAND));
    for await (const { path: name, data } of readTar(tarOf(messages))) {
      yield* writeEntry({ kind: 'file', path: path.posix.join('postgres', name) }, data);
    }
    const [position, timeline] = messages.rows[0] ?? [];
    if (!position || !timeline) throw new Error('PostgreSQL named no start of the base backup.');
    this.#firstSegment = segmentName(Number(timeline), toSegment(parsePosition(position)));
  }

  name(): string {
    return baseName(this.#endedAt, this.#firstSegment);
  }
}

async function* tarOf(messages: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let archives = 0;
  for await (const message of messages) {
    if (message[0] === TYPE.archive) archives += 1;
    if (archives > 1) {
      throw new StartError(
        'The database has tablespaces, which a backup for restores to a point in time can not hold.',
      );
    }
    if (message[0] === TYPE.data) yield message.subarray(1);
  }
}
