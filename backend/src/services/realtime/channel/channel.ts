import { z } from 'zod';
import { FilterError, parseFilter } from '../changes/filter.ts';
import type { ChangeType } from '../changes/pgoutput.ts';
import type { Push, Subscriber, Subscription } from '../changes/subscriptions.ts';
import { BINDINGS_PER_CHANNEL, REPLAYED_MESSAGES } from '../limits.ts';
import { aroundPayload, type Ref } from '../socket/frames.ts';
import type { Socket } from '../socket/socket.ts';
import type { Grant, TopicRights } from './rights.ts';

/** Maximum cached heads of change frames per channel. */
const MAX_HEADS = 16;

type Extension = 'system' | 'postgres_changes';

export class Channel implements Subscriber {
  /** The client's bindings in order, each with an id. */
  readonly bindings: (Binding & { id: number })[];
  readonly subscriptions: Subscription[] = [];
  /** Error messages of invalid bindings. */
  readonly problems: string[] = [];
  /** Set when the join is answered; nothing is delivered before. */
  isJoined = false;
  isClosed = false;
  /** Whether to send a system message when broadcasts from the database arrive. */
  awaitsReplication = false;
  rights: Grant;
  readonly #changeFrame: { head: string; tail: Buffer };
  readonly #heads = new Map<string, Buffer>();

  constructor(
    readonly socket: Socket,
    readonly topic: string,
    readonly joinRef: Ref,
    readonly config: JoinConfig,
    grant: Grant,
    public topicRights: TopicRights,
  ) {
    this.rights = grant;
    const frame = { joinRef, ref: null, topic, event: 'postgres_changes' };
    const [head, tail] = aroundPayload(socket.version, frame);
    this.#changeFrame = { head, tail: Buffer.from(`}${tail}`) };
    this.bindings = config.postgres_changes.map((binding) => ({ ...binding, id: nextBindingId() }));
    for (const { id, ...binding } of this.bindings) {
      try {
        this.subscriptions.push(subscriptionOf(this, id, binding));
      } catch (error) {
        if (!(error instanceof FilterError)) throw error;
        this.problems.push(error.message);
      }
    }
  }

  /** The topic without the prefix `realtime:`. */
  get name(): string {
    return this.topic.slice('realtime:'.length);
  }

  /** @param payload JSON text */
  push(event: string, payload: string): void {
    this.socket.send({ joinRef: this.joinRef, ref: null, topic: this.topic, event, payload });
  }

  reply(ref: Ref, status: 'ok' | 'error', response: unknown): void {
    this.socket.reply({ joinRef: this.joinRef, ref, topic: this.topic }, status, response);
  }

  deliver(pushes: Push[]): void {
    if (!this.isJoined || this.isClosed || this.rights.expiresAt <= Date.now()) return;
    const { tail } = this.#changeFrame;
    this.socket.sendPieces(pushes.map(({ ids, data }) => [this.#headFor(ids), data, tail]));
  }

  /** The frame up to the change's data; cached because it is nearly always the same. */
  #headFor(ids: number[]): Buffer {
    const key = ids.join(',');
    const known = this.#heads.get(key);
    if (known !== undefined) return known;
    const head = Buffer.from(`${this.#changeFrame.head}{"ids":[${key}],"data":`);
    if (this.#heads.size < MAX_HEADS) this.#heads.set(key, head);
    return head;
  }

  sendSystem(extension: Extension, status: 'ok' | 'error', message: string): void {
    this.push('system', JSON.stringify({ extension, status, message, channel: this.name }));
  }

  /** The client does not rejoin a channel that was closed by the server. */
  sendClose(): void {
    const { topic, joinRef } = this;
    this.socket.send({ joinRef, ref: joinRef, topic, event: 'phx_close', payload: '{}' });
  }
}

// The payload of phx_join (Supabase docs, "Realtime Protocol").

const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

const Replay = z.object({
  /** Milliseconds since 1970. */
  since: z.number().min(0).max(8.64e15),
  limit: z.number().int().min(1).max(REPLAYED_MESSAGES).nullish(),
});

const Config = z.object({
  broadcast: z
    .object({ ack: flag, self: flag, replication_ready: flag, replay: Replay.nullish() })
    .nullish(),
  presence: z.object({ key: z.string().max(255).nullish(), enabled: flag }).nullish(),
  postgres_changes: z
    .array(z.record(z.string(), z.unknown()))
    .max(BINDINGS_PER_CHANNEL)
    .nullish()
    .transform((value) => value ?? []),
  private: flag,
});

export const JoinPayload = z.object({
  config: Config.nullish().transform((value) => value ?? Config.parse({})),
  access_token: z.string().nullish(),
});

type JoinConfig = z.infer<typeof Config>;
type Binding = JoinConfig['postgres_changes'][number];

let lastId = 0;

/** @returns an id that is unique in this process */
function nextBindingId(): number {
  lastId = (lastId % 0x7fffffff) + 1;
  return lastId;
}

function eventOf(value: unknown): ChangeType | '*' {
  const name = typeof value === 'string' ? value.toUpperCase() : '*';
  return name === 'INSERT' || name === 'UPDATE' || name === 'DELETE' ? name : '*';
}

const isText = (value: unknown): value is string | undefined | null =>
  value === undefined || value === null || typeof value === 'string';

/** @throws FilterError whose message is sent to the client */
function subscriptionOf(subscriber: Subscriber, id: number, binding: Binding): Subscription {
  const { schema, table, filter, select } = binding;
  if (!isText(schema) || !isText(table) || !isText(filter) || (!schema && !table)) {
    throw new FilterError(
      `No subscription params provided. Please provide at least a \`schema\` or \`table\` to subscribe to: ${JSON.stringify(binding)}`,
    );
  }
  const columns = Array.isArray(select) ? select.filter((name) => typeof name === 'string') : [];
  if (select !== undefined && select !== null && !Array.isArray(select)) {
    throw new FilterError(
      'Error parsing `select` params: expected a list of column name strings, e.g. select: ["col1", "col2"]',
    );
  }
  if (JSON.stringify(binding).includes('\\u0000')) {
    throw new FilterError('Subscription params may not hold a NUL character');
  }
  const isWild = schema === '*' || !table || table === '*';
  if (isWild && columns.length > 0) {
    throw new FilterError(
      'Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.',
    );
  }
  const conditions = parseFilter(filter ?? '');
  const selected = columns.length > 0 ? columns : undefined;
  return {
    subscriber,
    id,
    event: eventOf(binding.event),
    schema: schema || 'public',
    table: schema === '*' ? '*' : table || '*',
    filter: conditions,
    filterKey: conditions.length > 0 ? JSON.stringify(conditions) : '',
    select: selected,
    selectKey: JSON.stringify(selected ?? null),
    since: undefined,
  };
}
