import { Worker } from 'node:worker_threads';
import { failed, notStarted, tooLate, tooMuch } from '../errors.ts';
import type { FromThread, ToThread } from '../wire.ts';
import { Call, type CallRequest } from './call.ts';

/** Maximum interval of pings, which detect a blocked event loop. */
const PING_MS = 1_000;
/** For evaluating the function's modules. */
const START_MS = 20_000;
const MEGABYTE = 1024 * 1024;

/** Limits of a function, set in `[edge_runtime]` of config.toml (Supabase docs, "Edge Functions Limits"). */
interface Limits {
  /** Until the response begins. */
  answerMs: number;
  /** For a whole call, including streams. */
  callMs: number;
  /** That a function may block its event loop. */
  busyMs: number;
  memoryBytes: number;
  /** Without a call, after which the worker is stopped. */
  idleMs: number;
}

export interface ThreadOptions {
  /** Absolute path of the bundle. */
  file: string;
  env: Record<string, string>;
  limits: Limits;
  log(level: 'debug' | 'info' | 'warn' | 'error', text: string, requestId?: string): void;
}

/** A function's worker thread, stopped when it exceeds a limit. */
export class FunctionThread {
  /** Resolves when the worker accepts calls; rejects with FunctionError when it fails to start. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  readonly #calls = new Map<number, Call>();
  #next = 1;
  #ended: Error | undefined;
  #lastMessageAt = Date.now();
  #idleSince = Date.now();
  readonly #timer: NodeJS.Timeout;

  constructor(options: ThreadOptions) {
    this.#options = options;
    const { limits } = options;
    this.#worker = new Worker(options.file, {
      env: options.env,
      execArgv: ['--enable-source-maps', '--no-warnings'],
      workerData: { memoryBytes: limits.memoryBytes },
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(limits.memoryBytes / MEGABYTE) },
      // Direct writes must not appear in the server's own output.
      stdout: true,
      stderr: true,
    });
    this.#worker.unref();
    this.#timer = setInterval(() => this.#check(), Math.min(PING_MS, limits.busyMs / 2)).unref();
    this.ready = new Promise((resolve, reject) => {
      const late = setTimeout(
        () => this.end(notStarted(`did not start within ${START_MS} ms`)),
        START_MS,
      ).unref();
      this.#worker.on('message', (message: FromThread) => {
        if (message.kind === 'ready') {
          clearTimeout(late);
          resolve();
        }
        this.#handle(message);
      });
      this.#worker.on('error', (error: NodeJS.ErrnoException) => {
        const what = error.stack ?? String(error);
        const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        reject(isMemory ? tooMuch(what) : notStarted(what));
        this.end(isMemory ? tooMuch(what) : failed(what));
      });
      this.#worker.on('exit', (code) => {
        clearTimeout(late);
        reject(this.#ended ?? notStarted(`ended with exit code ${code}`));
        this.end(failed(`ended with exit code ${code}`));
      });
    });
    // Callers await it; until then a rejection must not crash the process.
    this.ready.catch(() => {});
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  call(request: CallRequest): Call {
    if (this.#ended !== undefined) throw this.#ended;
    const id = this.#next++;
    if (this.#calls.size === 0) this.#lastMessageAt = Date.now();
    const call = new Call(
      id,
      request,
      (message) => this.#send(message),
      () => {
        this.#calls.delete(id);
        this.#idleSince = Date.now();
      },
    );
    this.#calls.set(id, call);
    const { answerMs, callMs } = this.#options.limits;
    call.limit(answerMs, () => tooLate(`no response within ${answerMs} ms`), false);
    call.limit(callMs, () => tooMuch(`the call took longer than ${callMs} ms`), true);
    return call;
  }

  /** Stops the worker and fails its calls. */
  end(reason: Error): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    clearInterval(this.#timer);
    void this.#worker.terminate();
    for (const call of [...this.#calls.values()]) call.fail(reason);
  }

  #send(message: ToThread): void {
    if (this.#ended === undefined) this.#worker.postMessage(message);
  }

  #handle(message: FromThread): void {
    this.#lastMessageAt = Date.now();
    switch (message.kind) {
      case 'ready':
      case 'pong':
        return;
      case 'log':
        this.#options.log(message.level, message.text, message.requestId);
        return;
      case 'memory':
        this.end(tooMuch(`its buffers use ${Math.ceil(message.bytes / MEGABYTE)} MB`));
        return;
      case 'failed':
        this.#calls.get(message.id)?.fail(failed(message.stack));
        return;
      default:
        this.#calls.get(message.id)?.handle(message);
    }
  }

  #check(): void {
    const now = Date.now();
    const { busyMs, idleMs } = this.#options.limits;
    if (this.#calls.size === 0) {
      if (now - this.#idleSince > idleMs) this.end(failed('stopped after being idle'));
      return;
    }
    if (now - this.#lastMessageAt > busyMs) {
      this.end(tooMuch(`it blocked its thread for more than ${busyMs} ms`));
      return;
    }
    this.#send({ kind: 'ping' });
  }
}
