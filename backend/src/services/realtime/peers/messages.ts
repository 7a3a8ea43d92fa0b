// Messages between the processes on one database: a JSON head and a binary payload, written to the WAL with
// pg_logical_emit_message and read from each process's change stream. Unlike a table this needs no cleanup, and unlike
// NOTIFY it has no size limit.
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import { MAX_QUEUED_PEER_BYTES } from '../limits.ts';

/** Distinguishes our messages from those of other programs. */
export const PREFIX = 'supabase_in_node';

const Topic = { topic: z.string(), private: z.boolean() };
const PresenceEntry = z.object({
  ...Topic,
  /** The same for the lifetime of a channel. */
  id: z.string(),
  key: z.string(),
  meta: z.looseObject({ phx_ref: z.string() }),
});
export type PresenceEntry = z.infer<typeof PresenceEntry>;

const Head = z.discriminatedUnion('kind', [
  /** The sender's stream has started. Other processes reply with `here`. */
  z.object({ kind: z.literal('hello'), from: z.string(), slot: z.string() }),
  /** Reply to `hello`, with the sender's presence entries. */
  z.object({
    kind: z.literal('here'),
    from: z.string(),
    slot: z.string(),
    to: z.string(),
    present: z.array(PresenceEntry),
  }),
  z.object({ kind: z.literal('bye'), from: z.string() }),
  z.object({
    kind: z.literal('broadcast'),
    from: z.string(),
    ...Topic,
    event: z.string(),
    isJson: z.boolean(),
    meta: z.string(),
  }),
  /** `meta` is null when the entry was removed. */
  z.object({
    kind: z.literal('presence'),
    from: z.string(),
    ...Topic,
    id: z.string(),
    key: z.string(),
    meta: PresenceEntry.shape.meta.nullable(),
  }),
]);
export type Head = z.infer<typeof Head>;

const LENGTH_BYTES = 4;

export function encodeMessage(head: Head, payload: Buffer = Buffer.alloc(0)): Buffer {
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text, payload]);
}

/** @returns undefined for an invalid message, for example of another version */
export function decodeMessage(content: Buffer): { head: Head; payload: Buffer } | undefined {
  if (content.length < LENGTH_BYTES) return undefined;
  const end = LENGTH_BYTES + content.readUInt32BE();
  if (end > content.length) return undefined;
  try {
    const { data } = Head.safeParse(JSON.parse(content.toString('utf8', LENGTH_BYTES, end)));
    return data && { head: data, payload: content.subarray(end) };
  } catch {
    return undefined;
  }
}

/** Transactional, because only a commit flushes the WAL at once. */
const EMIT =
  'select pg_logical_emit_message(true, $1, message) from unnest($2::bytea[]) as message';

/** Writes messages for other processes to the WAL in order, many with one commit. */
export class WalWriter {
  #queue: Buffer[] = [];
  #bytes = 0;
  #running: Promise<void> | undefined;

  constructor(
    private readonly owner: pg.Pool,
    private readonly log: FastifyBaseLogger,
  ) {}

  write(message: Buffer): void {
    if (this.#bytes + message.length > MAX_QUEUED_PEER_BYTES) {
      this.log.warn('a message for other processes was dropped: the queue is full');
      return;
    }
    this.#queue.push(message);
    this.#bytes += message.length;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when all messages were written or have failed. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      const messages = this.#queue;
      this.#queue = [];
      this.#bytes = 0;
      try {
        await this.owner.query(EMIT, [PREFIX, messages]);
      } catch (error) {
        this.log.warn({ err: error }, 'could not write messages for other processes');
      }
    }
  }
}
