// Spans of callers' statements: how long they waited for a connection, and how long PostgreSQL took.

import type { Pool } from 'pg';
import { type Caller, Callers } from '../database/callers.ts';
import {
  Exchange,
  type ExchangeOptions,
  type Statement,
  type Statements,
} from '../database/exchange.ts';
import type { ShareLimits } from '../database/fair-pool.ts';
import { summarize } from './statement.ts';
import type { ActiveSpan, Tracing } from './tracing.ts';

export class TracedCallers extends Callers {
  constructor(
    private readonly tracing: Tracing,
    ...[pool, onError, limits]: [Pool, (error: Error) => void, ShareLimits]
  ) {
    super(pool, onError, limits);
  }

  protected override exchange(
    statements: Statement[],
    caller: Caller,
    options: ExchangeOptions,
  ): Exchange {
    const { active } = this.tracing;
    if (active === undefined) return super.exchange(statements, caller, options);
    return new TracedExchange(this.tracing, active, statements, caller.role, options);
  }
}

class TracedExchange extends Exchange {
  readonly #createdAt: number;
  #sentAt: number | undefined;
  #isRecorded = false;

  constructor(
    private readonly tracing: Tracing,
    private readonly active: ActiveSpan,
    private readonly traced: readonly Statement[],
    role: string,
    options: ExchangeOptions,
  ) {
    super(traced, role, options);
    this.#createdAt = active.now();
  }

  override bytesFor(known: Statements): Buffer {
    this.#sentAt = this.active.now();
    return super.bytesFor(known);
  }

  override fail(error: Error): void {
    this.#record(0, error);
    super.fail(error);
  }

  override finish(ms: number): void {
    this.#record(ms);
    super.finish(ms);
  }

  /** @param ms PostgreSQL's time, without that for exchanges before it on the same connection; 0 if unknown */
  #record(ms: number, error?: Error): void {
    if (this.#isRecorded) return;
    this.#isRecorded = true;
    const { tracing, active } = this;
    const sentAt = this.#sentAt;
    if (sentAt === undefined) {
      tracing.recordWait(active, { start: this.#createdAt }, error);
      return;
    }
    const end = active.now();
    const start = ms === 0 ? sentAt : Math.max(sentAt, end - ms);
    tracing.recordWait(active, { start: this.#createdAt, end: start });
    tracing.recordStatement(active, this.#summary, { start, end }, error);
  }

  /** The first statement that has one; the others are settings. */
  get #summary() {
    const own = this.traced.find(({ summary }) => summary !== undefined);
    return own?.summary ?? summarize(this.traced[1]?.text ?? '');
  }
}
