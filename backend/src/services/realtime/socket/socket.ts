// One client's connection: reads frames one after another, writes them as long as the client keeps up.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import {
  FAREWELL_MS,
  JOINS_PER_SECOND,
  MESSAGES_PER_SECOND,
  WAITING_BYTES,
  WAITING_FRAMES,
} from '../limits.ts';
import {
  type Broadcast,
  broadcastFrame,
  type Frame,
  frameText,
  readBinary,
  readText,
  type Version,
} from './frames.ts';
import type { OutgoingFrame, SocketLink } from './link.ts';
import { Rate } from './rate.ts';
import { TEXT, wireFrames } from './wire-frame.ts';

/** Close codes of RFC 6455 and its registry: going away, policy violation, try again later. */
const [GOING_AWAY, TOO_FAST, TOO_SLOW] = [1001, 1008, 1013];

export class Socket implements SocketLink {
  lastHeardAt: number;
  readonly joins = new Rate(JOINS_PER_SECOND);
  readonly messages = new Rate(MESSAGES_PER_SECOND);
  #tail: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(
    readonly webSocket: WebSocket,
    /** What the frames of `webSocket` go through. */
    readonly stream: Duplex,
    readonly version: Version,
    /** The key that the socket was opened with; channels that bring no token use it. */
    readonly apiKey: string,
    now: number,
  ) {
    this.lastHeardAt = now;
  }

  /** @param handle called for each frame that can be read, never for two at once */
  listen(handle: (frame: Frame) => Promise<void>, onError: (error: unknown) => void): void {
    this.webSocket.on('message', (data, isBinary) => {
      this.lastHeardAt = Date.now();
      const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
      const frame = isBinary ? readBinary(bytes) : readText(bytes.toString(), this.version);
      if (frame === undefined) return;
      this.#waiting += 1;
      if (this.#waiting > WAITING_FRAMES) {
        this.#end(TOO_FAST, 'Too many messages at once');
        return;
      }
      this.#tail = this.#tail
        .then(() => handle(frame))
        .catch(onError)
        .finally(() => {
          this.#waiting -= 1;
        });
    });
  }

  send(frame: OutgoingFrame): void {
    this.#write(frameText(this.version, frame));
  }

  sendBroadcast(topic: string, broadcast: Broadcast): void {
    const frame = broadcastFrame(this.version, topic, broadcast);
    if (frame !== undefined) this.#write(frame);
  }

  sendPieces(messages: Buffer[][]): void {
    this.sendWire(wireFrames(TEXT, messages));
  }

  sendWire(frames: Buffer): void {
    if (this.#isReady()) this.stream.write(frames);
  }

  #write(data: string | Buffer): void {
    if (this.#isReady()) this.webSocket.send(data);
  }

  #isReady(): boolean {
    const { webSocket } = this;
    if (webSocket.readyState !== webSocket.OPEN) return false;
    if (webSocket.bufferedAmount <= WAITING_BYTES) return true;
    this.dropAsSlow();
    return false;
  }

  /** Bytes that wait to be read by the client. */
  get waitingBytes(): number {
    return this.webSocket.bufferedAmount;
  }

  dropAsSlow(): void {
    this.#end(TOO_SLOW, 'Too much is waiting for you: connect again and load what you missed');
  }

  /** Says why as far as the client still reads; from here on nothing is queued for it. */
  #end(code: number, reason: string): void {
    this.webSocket.close(code, reason);
    setTimeout(() => this.webSocket.terminate(), FAREWELL_MS).unref();
  }

  goAway(): void {
    this.webSocket.close(GOING_AWAY);
  }

  terminate(): void {
    this.webSocket.terminate();
  }
}
