// Calls in the worker: message → Request → handler → Response → messages.
import {
  type CallMessage,
  deliver,
  type FromThread,
  IncomingBody,
  OutgoingBody,
  type ToThread,
} from '../messages.ts';
import { handle, requests } from './deno.ts';

interface Call {
  abort: AbortController;
  request: IncomingBody | undefined;
  response: OutgoingBody | undefined;
  complete: () => void;
}

/** Null body statuses of the Fetch standard. */
const NULL_BODY_STATUSES = new Set([101, 204, 205, 304]);

export class Calls {
  readonly #calls = new Map<number, Call>();

  constructor(private readonly send: (message: FromThread) => void) {}

  take(message: ToThread): void {
    if (message.kind === 'ping') {
      this.send({ kind: 'pong' });
      return;
    }
    if (message.kind === 'call') {
      requests.run(message.requestId, () => void this.#serve(message));
      return;
    }
    const call = this.#calls.get(message.id);
    if (call === undefined) return;
    if (message.kind !== 'cancel') {
      deliver(message, call.request, call.response, 'The request body is incomplete.');
      return;
    }
    call.response?.stop();
    call.request?.break('The client disconnected.');
    call.abort.abort();
  }

  async #serve(message: CallMessage): Promise<void> {
    const { id } = message;
    const request = message.hasBody ? new IncomingBody(id, this.send) : undefined;
    let complete = () => {};
    const completed = new Promise<void>((resolve) => {
      complete = resolve;
    });
    const call: Call = { abort: new AbortController(), request, response: undefined, complete };
    this.#calls.set(id, call);
    try {
      const response = await handle(this.#requestOf(message, call), {
        remoteAddr: { ...message.remote, transport: 'tcp' },
        completed,
      });
      if (!(response instanceof Response)) {
        throw new TypeError('The handler did not return a Response.');
      }
      await this.#respond(message, call, response);
    } catch (error) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.send({ kind: 'failed', id, stack });
    } finally {
      this.#calls.delete(id);
      complete();
    }
  }

  #requestOf({ url, method, headers }: CallMessage, { abort, request }: Call): Request {
    const init = { method, headers, signal: abort.signal };
    return request === undefined
      ? new Request(url, init)
      : new Request(url, Object.assign({ body: request.stream, duplex: 'half' }, init));
  }

  async #respond({ id, method }: CallMessage, call: Call, response: Response): Promise<void> {
    const { status, statusText, body } = response;
    const hasBody = body !== null && method !== 'HEAD' && !NULL_BODY_STATUSES.has(status);
    const headers = [...response.headers];
    if (hasBody) call.response = new OutgoingBody(id, this.send);
    this.send({ kind: 'response', id, status, statusText, headers, hasBody });
    if (hasBody) await call.response?.pump(body);
    else await body?.cancel();
  }
}
