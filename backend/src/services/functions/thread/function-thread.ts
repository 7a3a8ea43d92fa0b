import { Worker } from 'node:worker_threads';
import { failed, notStarted, tooLate, tooMuch } from '../errors.ts';
import {
  type BodyMessage,
  type CallMessage,
  deliver,
  type FromThread,
  IncomingBody,
  OutgoingBody,
  type ResponseMessage,
  type ToThread,
} from '../messages.ts';

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
  /** How long a function may block its event loop. */
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

export class FunctionThread {
  /** Resolves when the worker accepts calls; rejects with FunctionError when it fails to start. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #calls = new Map<number, Call>();
  #next = 1;
  #ended: Error | undefined;
  #lastMessageAt = Date.now();
  #idleSince = Date.now();
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly options: ThreadOptions) {
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
    const { answerMs, callMs } = this.options.limits;
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
        this.options.log(message.level, message.text, message.requestId);
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
    const { busyMs, idleMs } = this.options.limits;
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

export interface FunctionResponse {
  status: number;
  statusText: string;
  headers: ResponseMessage['headers'];
  body: ReadableStream<Uint8Array> | undefined;
}

export type CallRequest = Omit<CallMessage, 'kind' | 'id' | 'hasBody'> & {
  body: AsyncIterable<Uint8Array> | undefined;
};

export class Call {
  readonly response: Promise<FunctionResponse>;
  readonly #upload: OutgoingBody;
  readonly #timers: NodeJS.Timeout[] = [];
  #download: IncomingBody | undefined;
  #resolve: (response: FunctionResponse) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #hasEnded = false;

  /** @param onEnd called once, when the call has ended */
  constructor(
    private readonly id: number,
    { body, ...request }: CallRequest,
    private readonly send: (message: ToThread) => void,
    private readonly onEnd: () => void,
  ) {
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#upload = new OutgoingBody(id, send);
    send({ kind: 'call', id, hasBody: body !== undefined, ...request });
    if (body !== undefined) void this.#upload.pump(body);
  }

  /** Cancels the call after a time, unless it has responded, or with `always` ended, before. */
  limit(ms: number, error: () => Error, always: boolean): void {
    const timer = setTimeout(() => {
      if (always || this.#download === undefined) this.cancel(error());
    }, ms);
    this.#timers.push(timer.unref());
  }

  handle(message: ResponseMessage | BodyMessage): void {
    if (message.kind === 'response') this.#handleResponse(message);
    else if (message.kind === 'broken') this.fail(new Error('The response is incomplete.'));
    else deliver(message, this.#download, this.#upload, '');
    if (message.kind === 'end') this.#finish();
  }

  #handleResponse({ status, statusText, headers, hasBody }: ResponseMessage): void {
    if (hasBody) {
      this.#download = new IncomingBody(this.id, (message) => {
        this.send(message);
        if (message.kind === 'enough') this.#finish();
      });
    }
    this.#resolve({ status, statusText, headers, body: this.#download?.stream });
    if (!hasBody) this.#finish();
  }

  fail(error: Error): void {
    if (this.#hasEnded) return;
    this.#reject(error);
    this.#download?.break(error.message);
    this.#finish();
  }

  cancel(error: Error): void {
    if (this.#hasEnded) return;
    this.send({ kind: 'cancel', id: this.id });
    this.fail(error);
  }

  #finish(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#upload.stop();
    for (const timer of this.#timers) clearTimeout(timer);
    this.onEnd();
  }
}
