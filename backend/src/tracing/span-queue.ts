// Finished spans on their way to the collector. It may be slow or down: the queue is bounded, and what doesn't fit is dropped
// and counted. The SDK's BatchSpanProcessor counts for its own log alone.
import { setTimeout as pause } from 'node:timers/promises';
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { TracingSettings } from './settings.ts';

/** As `ExportResultCode.SUCCESS` of `@opentelemetry/core`, which is loaded only when it is needed. */
const SUCCESS = 0;

type Limits = Pick<TracingSettings, 'queueSize' | 'batchSize' | 'delayMs'>;

export class SpanQueue implements SpanProcessor {
  sent = 0;
  dropped = 0;
  /** Called when batches begin to fail, with the error's code, and when they arrive again. */
  onChange: (isFailing: boolean, code: unknown) => void = () => {};
  #waiting: ReadableSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isFailing = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly limits: Limits,
  ) {}

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.#waiting.length >= this.limits.queueSize) {
      this.dropped += 1;
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= this.limits.batchSize) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), this.limits.delayMs).unref();
  }

  /** Resolves when everything was sent or dropped. */
  async forceFlush(): Promise<void> {
    while (this.#waiting.length > 0 || this.#sending) {
      this.#send();
      await this.#sending;
    }
  }

  async shutdown(): Promise<void> {
    await this.forceFlush();
    await this.exporter.shutdown();
  }

  /** Sends what waits, for at most so long. @param hurry ends it at once */
  async stop(limitMs: number, hurry: AbortSignal): Promise<void> {
    const limit = new AbortController();
    const signal = AbortSignal.any([hurry, limit.signal]);
    const late = pause(limitMs, undefined, { signal, ref: false }).catch(() => {});
    await Promise.race([this.shutdown().catch(() => {}), late]);
    limit.abort();
    clearTimeout(this.#timer);
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  /** One batch at a time, so that a slow collector gets no more requests. */
  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.limits.batchSize);
      const error = await this.#export(batch);
      const isFailing = error !== undefined;
      if (isFailing) this.dropped += batch.length;
      else this.sent += batch.length;
      if (isFailing === this.#isFailing) continue;
      this.#isFailing = isFailing;
      this.onChange(isFailing, error?.code);
    }
  }

  /** @returns the error, which is logged by its code alone: an answer may quote what was sent */
  #export(batch: ReadableSpan[]): Promise<{ code: unknown } | undefined> {
    return new Promise((resolve) => {
      try {
        this.exporter.export(batch, ({ code, error }) => {
          const reason = error === undefined ? undefined : Reflect.get(error, 'code');
          resolve(code === SUCCESS ? undefined : { code: reason });
        });
      } catch {
        resolve({ code: undefined });
      }
    });
  }
}
