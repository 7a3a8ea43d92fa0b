// One joined channel of one socket: what it may do, what it listens to, and what it is told.
import { FilterError } from '../changes/filter.ts';
import type { Subscriber, Subscription } from '../changes/subscriptions.ts';
import type { Ref } from '../socket/frames.ts';
import type { SocketLink } from '../socket/link.ts';
import { type Binding, type JoinConfig, nextBindingId, subscriptionOf } from './join-payload.ts';
import type { Grant } from './token.ts';
import type { TopicRights } from './topic-rights.ts';

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
  rights: Grant;

  constructor(
    readonly socket: SocketLink,
    readonly topic: string,
    readonly joinRef: Ref,
    readonly config: JoinConfig,
    grant: Grant,
    public topicRights: TopicRights,
  ) {
    this.rights = grant;
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

  deliver(ids: number[], data: string): void {
    if (!this.isJoined || this.isClosed || this.rights.expiresAt <= Date.now()) return;
    this.push('postgres_changes', `{"ids":${JSON.stringify(ids)},"data":${data}}`);
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
