// Spans of what this process does, if a collector is configured. Nothing here is global: who records spans is given a Tracing.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes, Context, Span, SpanContext, SpanKind, Tracer } from '@opentelemetry/api';
import { counter, type Metric } from '../metrics/text.ts';
import type { SpanQueue } from './span-queue.ts';
import type { StatementSummary } from './statement.ts';

/** The functions of OpenTelemetry's API, loaded by `openTracing`. */
export interface Api {
  tracer: Tracer;
  /** The W3C header `traceparent`; null if it is none. */
  parseTraceParent(header: string): SpanContext | null;
  contextOf(span: Span): Context;
  contextOfRemote(parent: SpanContext): Context;
  root: Context;
}

// Values of const enums of OpenTelemetry's API.
const INTERNAL: SpanKind = 0;
const SERVER: SpanKind = 1;
const CLIENT: SpanKind = 2;
const ERROR = 2;

/** Work after a response (mails) belongs to its request. What lives on for good, such as a connection's timers, does not. */
const LATE_MS = 60_000;

/** SQLSTATE, system error or class: no message, which may have values. */
export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && /^[\w.-]{1,40}$/.test(code)) return code;
  return error instanceof Error ? error.constructor.name : 'unknown';
}

interface Times {
  start: number;
  /** Default: now. */
  end?: number;
}

interface Clock {
  /** Milliseconds since 1970, when `performance.now()` was `counter`. */
  epoch: number;
  counter: number;
}

const newClock = (): Clock => ({ epoch: Date.now(), counter: performance.now() });

/** A sampled span that work belongs to. Its tree shares one clock, so that children lie within it whatever NTP does. */
export class ActiveSpan {
  #endedAt: number | undefined;

  constructor(
    readonly span: Span,
    readonly context: Context,
    readonly clock: Clock,
  ) {}

  /** Milliseconds since 1970. */
  now(): number {
    return this.clock.epoch + performance.now() - this.clock.counter;
  }

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  get isOver(): boolean {
    return this.#endedAt !== undefined && performance.now() - this.#endedAt > LATE_MS;
  }

  fail(code: string): void {
    this.span.setStatus({ code: ERROR }).setAttribute('error.type', code);
  }

  end(): void {
    this.#endedAt = performance.now();
    this.span.end(this.now());
  }
}

/** A request, or other work, that is not sampled: no part of it begins a trace of its own. */
export class Unsampled {
  readonly #since = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#since > LATE_MS;
  }
}

export class Tracing {
  readonly #current = new AsyncLocalStorage<ActiveSpan | Unsampled>();

  constructor(
    private readonly api: Api,
    private readonly queue: SpanQueue,
  ) {}

  /** The sampled span that the running code belongs to. */
  get active(): ActiveSpan | undefined {
    const current = this.#current.getStore();
    return current instanceof ActiveSpan && !current.isOver ? current : undefined;
  }

  run<T>(current: ActiveSpan | Unsampled, work: () => T): T {
    return this.#current.run(current, work);
  }

  /** @param traceParent of a caller that is trusted */
  startRequest(name: string, traceParent?: string): ActiveSpan | Unsampled {
    const remote = traceParent === undefined ? null : this.api.parseTraceParent(traceParent);
    const context = remote === null ? this.api.root : this.api.contextOfRemote(remote);
    return this.#start(name, SERVER, context);
  }

  /** Work that begins here, for example a message on a socket. */
  request<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#within(this.startRequest(name), work);
  }

  /** A call to another system: of the active request, or on its own. */
  outgoing<T>(name: string, work: () => Promise<T>): Promise<T> {
    const current = this.#current.getStore();
    if (current instanceof Unsampled && !current.isOver) return work();
    const { active } = this;
    const span =
      active === undefined
        ? this.#start(name, CLIENT, this.api.root)
        : this.#start(name, CLIENT, active.context, { ...active.clock, start: active.now() });
    return this.#within(span, work);
  }

  /** A repeated job. @param work returns whether there was something to do: looking every second is not recorded */
  async job(name: string, work: () => Promise<boolean>): Promise<boolean> {
    const clock = newClock();
    const record = (error?: unknown): void => {
      const root = this.#start(name, INTERNAL, this.api.root, clock);
      if (root instanceof Unsampled) return;
      if (error !== undefined) root.fail(errorCode(error));
      root.end();
    };
    try {
      const isDone = await work();
      if (isDone) record();
      return isDone;
    } catch (error) {
      record(error);
      throw error;
    }
  }

  /** A wait that is over. */
  recordWait(parent: ActiveSpan, times: Times, error?: unknown): void {
    this.#record(parent, 'wait for a connection', INTERNAL, {}, times, error);
  }

  /** A statement that has ended. */
  recordStatement(
    parent: ActiveSpan,
    { operation, target }: StatementSummary,
    times: Times,
    error?: unknown,
  ): void {
    const summary = target === undefined ? operation : `${operation} ${target}`;
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': summary,
    };
    this.#record(parent, summary, CLIENT, attributes, times, error);
  }

  metrics(): Metric[] {
    const { sent, dropped } = this.queue;
    return [
      counter('trace_spans_sent_total', 'Spans that the collector took.', { value: sent }),
      counter('trace_spans_dropped_total', 'Spans lost: collector down, slow or refusing.', {
        value: dropped,
      }),
    ];
  }

  /** @param warn is called once when the collector begins to fail, and once when it works again */
  reportTo(warn: (details: object, message: string) => void): void {
    this.queue.onChange = (isFailing, code) => {
      if (isFailing) warn({ code }, 'traces are lost: the collector does not answer, or refuses');
      else warn({ dropped: this.queue.dropped }, 'traces reach the collector again');
    };
  }

  /** Sends what waits. @param hurry ends it at once */
  stop(limitMs: number, hurry: AbortSignal): Promise<void> {
    return this.queue.stop(limitMs, hurry);
  }

  #start(
    name: string,
    kind: SpanKind,
    parent: Context,
    clock: Clock & { start?: number } = newClock(),
  ): ActiveSpan | Unsampled {
    const options = { kind, startTime: clock.start ?? clock.epoch };
    const span = this.api.tracer.startSpan(name, options, parent);
    if (!span.isRecording()) return new Unsampled();
    return new ActiveSpan(span, this.api.contextOf(span), clock);
  }

  async #within<T>(span: ActiveSpan | Unsampled, work: () => Promise<T>): Promise<T> {
    if (span instanceof Unsampled) return this.run(span, work);
    try {
      return await this.run(span, work);
    } catch (error) {
      span.fail(errorCode(error));
      throw error;
    } finally {
      span.end();
    }
  }

  #record(
    parent: ActiveSpan,
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    { start, end = parent.now() }: Times,
    error: unknown,
  ): void {
    const options = { kind, attributes, startTime: start };
    const span = this.api.tracer.startSpan(name, options, parent.context);
    if (error !== undefined) {
      span.setStatus({ code: ERROR }).setAttribute('error.type', errorCode(error));
    }
    span.end(end);
  }
}
