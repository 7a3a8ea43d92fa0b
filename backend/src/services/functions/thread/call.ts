import { IncomingBody, OutgoingBody } from '../body.ts';
import type { BodyMessage, CallMessage, ResponseMessage, ToThread } from '../wire.ts';

export interface FunctionResponse {
  status: number;
  statusText: string;
  headers: ResponseMessage['headers'];
  body: ReadableStream<Uint8Array> | undefined;
}

export type CallRequest = Omit<CallMessage, 'kind' | 'id' | 'hasBody'> & {
  body: AsyncIterable<Uint8Array> | undefined;
};

/** One call of a function, on the server's side. */
export class Call {
  readonly response: Promise<FunctionResponse>;
  readonly #id: number;
  readonly #send: (message: ToThread) => void;
  readonly #onEnd: () => void;
  readonly #upload: OutgoingBody;
  readonly #timers: NodeJS.Timeout[] = [];
  #download: IncomingBody | undefined;
  #resolve: (response: FunctionResponse) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #hasEnded = false;

  /** @param onEnd called once, when the call has ended */
  constructor(
    id: number,
    { body, ...request }: CallRequest,
    send: (message: ToThread) => void,
    onEnd: () => void,
  ) {
    this.#id = id;
    this.#send = send;
    this.#onEnd = onEnd;
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
    switch (message.kind) {
      case 'response':
        this.#handleResponse(message);
        return;
      case 'chunk':
        this.#download?.push(message.bytes);
        return;
      case 'end':
        this.#download?.end();
        this.#finish();
        return;
      case 'broken':
        this.fail(new Error('The response is incomplete.'));
        return;
      case 'more':
        this.#upload.more();
        return;
      case 'enough':
        this.#upload.stop();
        return;
    }
  }

  #handleResponse({ status, statusText, headers, hasBody }: ResponseMessage): void {
    if (hasBody) {
      this.#download = new IncomingBody(this.#id, (message) => {
        this.#send(message);
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

  /** Aborts the function's request. */
  cancel(error: Error): void {
    if (this.#hasEnded) return;
    this.#send({ kind: 'cancel', id: this.#id });
    this.fail(error);
  }

  #finish(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#upload.stop();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#onEnd();
  }
}
