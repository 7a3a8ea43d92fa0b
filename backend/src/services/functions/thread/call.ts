// One call of a function, as the server sees it: its bodies both ways, and its answer.
import { IncomingBody, OutgoingBody } from '../body.ts';
import type { AnswerMessage, BodyMessage, CallMessage, ToThread } from '../wire.ts';

export interface Answer {
  status: number;
  statusText: string;
  headers: AnswerMessage['headers'];
  body: ReadableStream<Uint8Array> | undefined;
}

export type CallRequest = Omit<CallMessage, 'kind' | 'id' | 'hasBody'> & {
  body: AsyncIterable<Uint8Array> | undefined;
};

export class Call {
  readonly answer: Promise<Answer>;
  readonly #id: number;
  readonly #send: (message: ToThread) => void;
  readonly #over: () => void;
  readonly #upload: OutgoingBody;
  readonly #timers: NodeJS.Timeout[] = [];
  #download: IncomingBody | undefined;
  #resolve: (answer: Answer) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #isOver = false;

  /** @param over called once, when nothing more will come of the call */
  constructor(
    id: number,
    { body, ...request }: CallRequest,
    send: (message: ToThread) => void,
    over: () => void,
  ) {
    this.#id = id;
    this.#send = send;
    this.#over = over;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#upload = new OutgoingBody(id, send);
    send({ kind: 'call', id, hasBody: body !== undefined, ...request });
    if (body !== undefined) void this.#upload.pump(body);
  }

  /** Ends the call with what `error` makes, unless it has answered (or, for `always`, ended) by then. */
  limit(ms: number, error: () => Error, always: boolean): void {
    const timer = setTimeout(() => {
      if (always || this.#download === undefined) this.cancel(error());
    }, ms);
    this.#timers.push(timer.unref());
  }

  take(message: AnswerMessage | BodyMessage): void {
    switch (message.kind) {
      case 'answer':
        this.#answered(message);
        return;
      case 'chunk':
        this.#download?.push(message.bytes);
        return;
      case 'end':
        this.#download?.end();
        this.#finish();
        return;
      case 'broken':
        this.fail(new Error('The answer broke off.'));
        return;
      case 'more':
        this.#upload.more();
        return;
      case 'enough':
        this.#upload.stop();
        return;
    }
  }

  #answered({ status, statusText, headers, hasBody }: AnswerMessage): void {
    if (hasBody) {
      this.#download = new IncomingBody(this.#id, (message) => {
        this.#send(message);
        if (message.kind === 'enough') this.#finish();
      });
    }
    this.#resolve({ status, statusText, headers, body: this.#download?.stream });
    if (!hasBody) this.#finish();
  }

  /** No answer will come, or no more of it. */
  fail(error: Error): void {
    if (this.#isOver) return;
    this.#reject(error);
    this.#download?.break(error.message);
    this.#finish();
  }

  /** Tells the function that nobody waits any more. */
  cancel(error: Error): void {
    if (this.#isOver) return;
    this.#send({ kind: 'cancel', id: this.#id });
    this.fail(error);
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#upload.stop();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#over();
  }
}
