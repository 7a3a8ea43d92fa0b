import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
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
  constructor(
    private readonly decoder: Decoder,
    private readonly onError: (error: Error) => void,
  ) {
    super({ protoVersion: 1, publicationNames: PUBLICATIONS });
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
      return this.decoder.decode(bytes) as never;
    } catch (error) {
      // The caller is a socket event handler: throwing would crash the process.
      this.onError(error as Error);
      return undefined as never;
    }
  }
}

interface StreamHandlers {
  wants(relation: Relation): boolean;
  /** Pauses the stream until the promise resolves. */
  onChange(change: Change | LogMessage): Promise<void> | undefined;
  /** @param slot the name of its replication slot */
  onLive(slot: string): void;
}

/** One run of the stream. Its temporary slot ends with the connection, so none is left behind. */
class ReplicationStream {
  readonly #service: LogicalReplicationService;

  constructor(
    owner: pg.ClientConfig,
    private readonly handlers: StreamHandlers,
  ) {
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
      if (change !== undefined) await this.handlers.onChange(change);
    });
    service.on('heartbeat', async (lsn, _at, mustAnswer) => {
      if (mustAnswer) await service.acknowledge(lsn);
    });
    const slot = `${SLOT_PREFIX}${randomBytes(6).toString('hex')}`;
    service.on('start', () => this.handlers.onLive(slot));
    const plugin = new TemporarySlot(new Decoder(this.handlers.wants), (error) => {
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

/** `off`: no channel needs it. `unavailable`: the database does not permit it and an operator must act. */
export type StreamState = 'off' | 'starting' | 'live' | 'lost' | 'unavailable';

interface StreamRunnerOptions {
  owner: pg.ClientConfig;
  log: FastifyBaseLogger;
  handlers: Omit<StreamHandlers, 'onLive'>;
  /** Called with the name of the replication slot before `live`. */
  onSlot(slot: string): void;
  /** Called for each change of state. Changes committed between `lost` and the next `live` are never delivered. */
  onState(state: StreamState): void;
}

const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1_000;
/** While unavailable: often enough that a fixed configuration needs no restart of the server. */
const UNAVAILABLE_PAUSE_MS = 30_000;
/** How long the stream keeps running without a channel, so that a page reload finds it live. */
const LINGER_MS = 60_000;
/** wal_level too low, no replication right, no entry in pg_hba.conf, no free slot or sender. */
const NOT_PERMITTED = new Set(['55000', '42501', '28000', '53400', '53300']);

export const UNAVAILABLE =
  'Live changes are not available: the database does not permit logical replication (wal_level = logical and a role with REPLICATION are needed).';

/** Runs the replication stream while it is needed, and restarts it when it fails. */
export class StreamRunner {
  #state: StreamState = 'off';
  #stream: ReplicationStream | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;
  #isClosed = false;
  #wake: () => void = () => {};
  #linger: NodeJS.Timeout | undefined;
  #hasWarned = false;

  constructor(private readonly options: StreamRunnerOptions) {}

  get state(): StreamState {
    return this.#state;
  }

  start(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#linger);
    this.#linger = undefined;
    this.#stopped = false;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Stops the stream after a while unless `start` is called before. */
  stopLater(): void {
    this.#linger ??= setTimeout(() => void this.#stop(), LINGER_MS).unref();
  }

  /** Restarts the stream, because changes were lost on the way to subscribers. */
  interrupt(): void {
    if (this.#state === 'live') void this.#stream?.stop();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#stop();
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#linger);
    this.#linger = undefined;
    this.#stopped = true;
    this.#wake();
    await this.#stream?.stop();
    await this.#running;
    this.#set('off');
  }

  #set(state: StreamState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.options.onState(state);
  }

  async #run(): Promise<void> {
    let delay = MIN_PAUSE_MS;
    this.#set('starting');
    while (!this.#stopped) {
      const error = await this.#streamOnce((slot) => {
        this.options.onSlot(slot);
        delay = MIN_PAUSE_MS;
        this.#hasWarned = false;
        this.#set('live');
      });
      if (this.#stopped) return;
      const isForbidden = error instanceof pg.DatabaseError && NOT_PERMITTED.has(error.code ?? '');
      if (isForbidden) this.#refuse(error);
      else {
        this.options.log.warn({ err: error }, 'the change stream ended and is being restarted');
        this.#set('lost');
      }
      await this.#pause(isForbidden ? UNAVAILABLE_PAUSE_MS : delay);
      delay = Math.min(delay * 2, MAX_PAUSE_MS);
    }
  }

  /** @returns the error that ended the stream; undefined when it was stopped */
  async #streamOnce(onLive: (slot: string) => void): Promise<unknown> {
    const { owner, handlers } = this.options;
    const stream = new ReplicationStream(owner, { ...handlers, onLive });
    this.#stream = stream;
    try {
      await stream.run();
      return undefined;
    } catch (error) {
      return error;
    } finally {
      this.#stream = undefined;
      await stream.stop();
    }
  }

  #refuse(error: pg.DatabaseError): void {
    if (!this.#hasWarned) this.options.log.error({ err: error }, UNAVAILABLE);
    this.#hasWarned = true;
    this.#set('unavailable');
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => {};
  }
}
