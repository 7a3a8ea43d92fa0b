import { FilterError } from '../changes/filter.ts';
import type { Push, Subscriber, Subscription } from '../changes/subscriptions.ts';
import { aroundPayload, type Ref } from '../socket/frames.ts';
import type { Socket } from '../socket/socket.ts';
import { type Binding, type JoinConfig, nextBindingId, subscriptionOf } from './join-payload.ts';
import type { Grant } from './token.ts';
import type { TopicRights } from './topic-rights.ts';

/** Maximum cached heads of change frames per channel. */
const MAX_HEADS = 16;

export type Extension = 'system' | 'postgres_changes';

/** One channel of one socket. */
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
    this.socket.send({
      joinRef: this.joinRef,
      ref,
      topic: this.topic,
      event: 'phx_reply',
      payload: JSON.stringify({ status, response }),
    });
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
