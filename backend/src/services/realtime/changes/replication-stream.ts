// One run of the replication stream: a temporary slot that ends with its connection, so none is ever left behind.
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { LogicalReplicationService, PgoutputPlugin } from 'pg-logical-replication';
import { type Change, Decoder, type LogMessage, type Relation } from './pgoutput.ts';

/** The application's tables, and what the service itself needs to know. */
const PUBLICATIONS = ['supabase_realtime', 'realtime_service'];
/** What the slots of this program begin with. */
export const SLOT_PREFIX = 'statesman_realtime_';
/** What the values' text depends on, and what may end a session that waits long. */
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

  // Capitals: the grammar of replication commands knows no others.
  override async start(client: pg.Client, slot: string): Promise<unknown> {
    await client.query(
      `CREATE_REPLICATION_SLOT "${slot}" TEMPORARY LOGICAL pgoutput (SNAPSHOT 'nothing')`,
    );
    return client.query(
      `START_REPLICATION SLOT "${slot}" LOGICAL 0/0 (proto_version '1', publication_names '${PUBLICATIONS.join(',')}', messages 'true')`,
    );
  }

  // The library hands the result through untouched; its own messages have another shape.
  override parse(bytes: Buffer): never {
    try {
      return this.#decoder.decode(bytes) as never;
    } catch (error) {
      // Thrown here it would end the process: the caller is a socket's event.
      this.#onError(error as Error);
      return undefined as never;
    }
  }
}

export interface StreamHandlers {
  wants(relation: Relation): boolean;
  /** The stream is not read further until the promise resolves. */
  onChange(change: Change | LogMessage): Promise<void> | undefined;
  /** @param slot the name of its replication slot */
  onLive(slot: string): void;
}

export class ReplicationStream {
  readonly #service: LogicalReplicationService;
  readonly #handlers: StreamHandlers;

  constructor(owner: pg.ClientConfig, handlers: StreamHandlers) {
    this.#handlers = handlers;
    this.#service = new LogicalReplicationService(
      {
        ...owner,
        application_name: 'statesman realtime',
        connectionTimeoutMillis: 10_000,
        keepAlive: true,
        options: SESSION.map((setting) => `-c ${setting}`).join(' '),
      },
      { acknowledge: { auto: false, timeoutSeconds: 10 }, flowControl: { enabled: true } },
    );
  }

  /**
   * Streams until the connection ends.
   * @throws what ended it; returns only after `stop`
   */
  async run(): Promise<void> {
    const service = this.#service;
    // The same failures reject `subscribe`; without a listener the library would throw them once more.
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
