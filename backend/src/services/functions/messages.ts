// Messages between the server and a function's worker. Plain values, because they are copied.

/** Streams a body, in either direction. */
export type BodyMessage =
  | { kind: 'chunk'; id: number; bytes: Uint8Array }
  | { kind: 'end'; id: number }
  | { kind: 'broken'; id: number }
  /** Credit for one more chunk. */
  | { kind: 'more'; id: number }
  /** The reader has cancelled the stream. */
  | { kind: 'enough'; id: number };

export type Headers = [name: string, value: string][];

export interface CallMessage {
  kind: 'call';
  id: number;
  requestId: string;
  method: string;
  url: string;
  headers: Headers;
  hasBody: boolean;
  remote: { hostname: string; port: number };
}

export interface ResponseMessage {
  kind: 'response';
  id: number;
  status: number;
  statusText: string;
  headers: Headers;
  hasBody: boolean;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type ToThread =
  | CallMessage
  | BodyMessage
  | { kind: 'cancel'; id: number }
  | { kind: 'ping' };

export type FromThread =
  | { kind: 'ready' }
  | ResponseMessage
  | BodyMessage
  /** The handler threw before responding. */
  | { kind: 'failed'; id: number; stack: string }
  | { kind: 'log'; level: LogLevel; text: string; requestId: string | undefined }
  | { kind: 'pong' }
  | { kind: 'memory'; bytes: number };

type Send = (message: BodyMessage) => void;

export class OutgoingBody {
  #credit = 1;
  #stopped = false;
  #wake: () => void = () => {};

  constructor(
    private readonly id: number,
    private readonly send: Send,
  ) {}

  /** Sends all of `source`. An error in it breaks the reader's stream. */
  async pump(source: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const bytes of source) {
        while (this.#credit === 0 && !this.#stopped) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
        // Also closes the source.
        if (this.#stopped) return;
        this.#credit -= 1;
        this.send({ kind: 'chunk', id: this.id, bytes });
      }
      this.send({ kind: 'end', id: this.id });
    } catch {
      this.send({ kind: 'broken', id: this.id });
    }
  }

  more(): void {
    this.#credit += 1;
    this.#wake();
  }

  stop(): void {
    this.#stopped = true;
    this.#wake();
  }
}

export class IncomingBody {
  readonly stream: ReadableStream<Uint8Array>;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #over = false;

  constructor(id: number, send: Send) {
    this.stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => send({ kind: 'more', id }),
      cancel: () => {
        this.#over = true;
        send({ kind: 'enough', id });
      },
    });
  }

  push(bytes: Uint8Array): void {
    if (!this.#over) this.#controller?.enqueue(bytes);
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#controller?.close();
  }

  break(reason: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#controller?.error(new Error(reason));
  }
}

/** Passes a message to the body that it is for. @param reason of a broken body, for the reader */
export function deliver(
  message: BodyMessage,
  incoming: IncomingBody | undefined,
  outgoing: OutgoingBody | undefined,
  reason: string,
): void {
  if (message.kind === 'chunk') incoming?.push(message.bytes);
  else if (message.kind === 'end') incoming?.end();
  else if (message.kind === 'broken') incoming?.break(reason);
  else if (message.kind === 'more') outgoing?.more();
  else outgoing?.stop();
}
