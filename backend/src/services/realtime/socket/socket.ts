import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import {
  CLOSE_WAIT_MS,
  JOINS_PER_SECOND,
  MAX_BUFFERED_BYTES,
  MAX_QUEUED_FRAMES,
  MESSAGES_PER_SECOND,
} from '../limits.ts';
import {
  type Broadcast,
  broadcastFrame,
  type Frame,
  frameText,
  readBinary,
  readText,
  TEXT,
  type Version,
  wireFrames,
} from './frames.ts';

class Rate {
  #since = 0;
  #count = 0;

  constructor(readonly limit: number) {}

  /** @param now milliseconds since 1970 @returns whether the limit allows another one */
  take(now: number): boolean {
    if (now - this.#since >= 1000) {
      this.#since = now;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= this.limit;
  }
}

/** Close codes (RFC 6455 section 7.4 and its registry). */
const [GOING_AWAY, POLICY_VIOLATION, TRY_AGAIN_LATER] = [1001, 1008, 1013];

export class Socket {
  lastMessageAt: number;
  readonly joins = new Rate(JOINS_PER_SECOND);
  readonly messages = new Rate(MESSAGES_PER_SECOND);
  #tail: Promise<void> = Promise.resolve();
  #queued = 0;

  constructor(
    readonly webSocket: WebSocket,
    /** The underlying stream of `webSocket`. */
    readonly stream: Duplex,
    readonly version: Version,
    /** The key that the socket was opened with; used by channels without a token. */
    readonly apiKey: string,
    now: number,
  ) {
    this.lastMessageAt = now;
  }

  /** @param handle called for each valid frame, one at a time */
  listen(handle: (frame: Frame) => Promise<void>, onError: (error: unknown) => void): void {
    this.webSocket.on('message', (data, isBinary) => {
      this.lastMessageAt = Date.now();
      const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
      const frame = isBinary ? readBinary(bytes) : readText(bytes.toString(), this.version);
      if (frame === undefined) return;
      this.#queued += 1;
      if (this.#queued > MAX_QUEUED_FRAMES) {
        this.#closeWith(POLICY_VIOLATION, 'Too many messages at once');
        return;
      }
      this.#tail = this.#tail
        .then(() => handle(frame))
        .catch(onError)
        .finally(() => {
          this.#queued -= 1;
        });
    });
  }

  send(frame: Frame & { payload: string }): void {
    this.#write(frameText(this.version, frame));
  }

  /** Answers a frame (Supabase docs, "Realtime Protocol"). */
  reply(
    { joinRef, ref, topic }: Pick<Frame, 'joinRef' | 'ref' | 'topic'>,
    status: 'ok' | 'error',
    response: unknown,
  ): void {
    const payload = JSON.stringify({ status, response });
    this.send({ joinRef, ref, topic, event: 'phx_reply', payload });
  }

  sendBroadcast(topic: string, broadcast: Broadcast): void {
    const frame = broadcastFrame(this.version, topic, broadcast);
    if (frame !== undefined) this.#write(frame);
  }

  /** @param messages text messages in UTF-8, each in parts that other sockets may share */
  sendPieces(messages: Buffer[][]): void {
    this.sendWire(wireFrames(TEXT, messages));
  }

  /** @param frames of `broadcastWire`, shared with other sockets of the same version */
  sendWire(frames: Buffer): void {
    if (this.#isReady()) this.stream.write(frames);
  }

  #write(data: string | Buffer): void {
    if (this.#isReady()) this.webSocket.send(data);
  }

  #isReady(): boolean {
    const { webSocket } = this;
    if (webSocket.readyState !== webSocket.OPEN) return false;
    if (webSocket.bufferedAmount <= MAX_BUFFERED_BYTES) return true;
    this.closeAsTooSlow();
    return false;
  }

  /** Bytes that the client has not read yet. */
  get bufferedBytes(): number {
    return this.webSocket.bufferedAmount;
  }

  closeAsTooSlow(): void {
    this.#closeWith(TRY_AGAIN_LATER, 'Client reads too slowly: reconnect and reload');
  }

  /** Sends the reason if the client still reads; nothing more is sent after it. */
  #closeWith(code: number, reason: string): void {
    this.webSocket.close(code, reason);
    setTimeout(() => this.webSocket.terminate(), CLOSE_WAIT_MS).unref();
  }

  close(): void {
    this.webSocket.close(GOING_AWAY);
  }

  terminate(): void {
    this.webSocket.terminate();
  }
}
