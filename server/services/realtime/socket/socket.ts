// One client's connection: reads frames one after another, writes them as long as the client keeps up.
import type { WebSocket } from 'ws';
import { WAITING_BYTES, WAITING_FRAMES } from '../limits.ts';
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

/** Close code: try again later (RFC 6455 registry). */
const GOING_AWAY = 1001;

export class Socket implements SocketLink {
  lastHeardAt: number;
  #tail: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(
    readonly webSocket: WebSocket,
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
        this.webSocket.terminate();
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

  #write(data: string | Buffer): void {
    const { webSocket } = this;
    if (webSocket.readyState !== webSocket.OPEN) return;
    if (webSocket.bufferedAmount > WAITING_BYTES) {
      // It reads more slowly than it is told: it comes back by itself and loads what it missed.
      webSocket.terminate();
      return;
    }
    webSocket.send(data);
  }

  goAway(): void {
    this.webSocket.close(GOING_AWAY);
  }

  terminate(): void {
    this.webSocket.terminate();
  }
}
