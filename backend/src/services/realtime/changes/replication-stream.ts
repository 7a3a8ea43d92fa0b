import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { LogicalReplicationService, PgoutputPlugin } from 'pg-logical-replication';
import { type Change, Decoder, type LogMessage, type Relation } from './pgoutput.ts';

/** The application's tables, and the internal ones. */
const PUBLICATIONS = ['supabase_realtime', 'realtime_service'];
export const SLOT_PREFIX = 'supabase_in_node_';
/** Fixes the text format of values, and disables timeouts. */
const SESSION = [
  'datestyle=ISO',
  'timezone=UTC',
  'intervalstyle=postgres',
  'bytea_output=hex',
  'extra_float_digits=1',
  'statement_timeout=0',
  'lock_timeout=0',
  'idle_session_timeout=0',
];

class TemporarySlot extends PgoutputPlugin {
  readonly #decoder: Decoder;
  readonly #onError: (error: Error) => void;

  constructor(wants: (relation: Relation) => boolean, onError: (error: Error) => void) {
    super({ protoVersion: 1, publicationNames: PUBLICATIONS });
    this.#decoder = new Decoder(wants);
    this.#onError = onError;
  }

  // The grammar of replication commands accepts capitals only.
  override async start(client: pg.Client, slot: string): Promise<unknown> {
    await client.query(
      `CREATE_REPLICATION_SLOT "${slot}" TEMPORARY LOGICAL pgoutput (SNAPSHOT 'nothing')`,
    );
    return client.query(
      `START_REPLICATION SLOT "${slot}" LOGICAL 0/0 (proto_version '1', publication_names '${PUBLICATIONS.join(',')}', messages 'true')`,
    );
  }

  // The library passes the result on; its type describes its own messages.
  override parse(bytes: Buffer): never {
    try {
      return this.#decoder.decode(bytes) as never;
    } catch (error) {
      // The caller is a socket event handler: throwing would crash the process.
      this.#onError(error as Error);
      return undefined as never;
    }
  }
}

export interface StreamHandlers {
  wants(relation: Relation): boolean;
  /** Pauses the stream until the promise resolves. */
  onChange(change: Change | LogMessage): Promise<void> | undefined;
  /** @param slot the name of its replication slot */
  onLive(slot: string): void;
}

/** One run of the stream. Its temporary slot ends with the connection, so none is left behind. */
export class ReplicationStream {
  readonly #service: LogicalReplicationService;
  readonly #handlers: StreamHandlers;

  constructor(owner: pg.ClientConfig, handlers: StreamHandlers) {
    this.#handlers = handlers;
    this.#service = new LogicalReplicationService(
      {
        ...owner,
        application_name: 'realtime',
        connectionTimeoutMillis: 10_000,
        keepAlive: true,
        options: SESSION.map((setting) => `-c ${setting}`).join(' '),
      },
      { acknowledge: { auto: false, timeoutSeconds: 10 }, flowControl: { enabled: true } },
    );
  }

  /**
   * Streams until `stop` is called.
   * @throws when the connection ends
   */
  async run(): Promise<void> {
    const service = this.#service;
    // These failures also reject `subscribe`; without a listener they would crash the process.
    let failure: Error | undefined;
    service.on('error', (error) => {
      failure ??= error;
    });
    service.on('data', async (_lsn, change: Change | LogMessage | undefined) => {
      if (change !== undefined) await this.#handlers.onChange(change);
    });
    service.on('heartbeat', async (lsn, _at, mustAnswer) => {
      if (mustAnswer) await service.acknowledge(lsn);
    });
    const slot = `${SLOT_PREFIX}${randomBytes(6).toString('hex')}`;
    service.on('start', () => this.#handlers.onLive(slot));
    const plugin = new TemporarySlot(this.#handlers.wants, (error) => {
      failure ??= error;
      void service.stop();
    });
    await service.subscribe(plugin, slot);
    if (failure !== undefined) throw failure;
  }

  async stop(): Promise<void> {
    await this.#service.destroy();
  }
}
