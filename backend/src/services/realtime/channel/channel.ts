// One joined channel of one socket: what it may do, what it listens to, and what it is told.
import { FilterError } from '../changes/filter.ts';
import type { Push, Subscriber, Subscription } from '../changes/subscriptions.ts';
import { aroundPayload, type Ref } from '../socket/frames.ts';
import type { SocketLink } from '../socket/link.ts';
import { type Binding, type JoinConfig, nextBindingId, subscriptionOf } from './join-payload.ts';
import type { Grant } from './token.ts';
import type { TopicRights } from './topic-rights.ts';

/** Sets of bindings whose texts a channel remembers. */
const HEADS = 16;

export type Extension = 'system' | 'postgres_changes';

export class Channel implements Subscriber {
  /** Answered to the client in this order: the bindings as given, each with an id. */
  readonly bindings: (Binding & { id: number })[];
  readonly subscriptions: Subscription[] = [];
  /** Why a binding can't be served. */
  readonly faults: string[] = [];
  /** The join is answered; before, nothing is delivered. */
  isJoined = false;
  isClosed = false;
  /** It wants to know when broadcasts of the database arrive, and has not been told. */
  awaitsReplication = false;
  rights: Grant;
  readonly #changeFrame: { head: string; tail: Buffer };
  readonly #heads = new Map<string, Buffer>();

  constructor(
    readonly socket: SocketLink,
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
        this.faults.push(error.message);
      }
    }
  }

  /** The topic without its `realtime:`. */
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

  /** What stands before the data of a change; nearly always the same, so it is made once. */
  #headFor(ids: number[]): Buffer {
    const key = ids.join(',');
    const known = this.#heads.get(key);
    if (known !== undefined) return known;
    const head = Buffer.from(`${this.#changeFrame.head}{"ids":[${key}],"data":`);
    if (this.#heads.size < HEADS) this.#heads.set(key, head);
    return head;
  }

  tell(extension: Extension, status: 'ok' | 'error', message: string): void {
    this.push('system', JSON.stringify({ extension, status, message, channel: this.name }));
  }

  /** Tells the client that the channel is closed; the client drops it and does not come back by itself. */
  sendClose(): void {
    const { topic, joinRef } = this;
    this.socket.send({ joinRef, ref: joinRef, topic, event: 'phx_close', payload: '{}' });
  }
}
