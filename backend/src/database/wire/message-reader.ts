// Reads a connection's responses directly from the socket while callers use it, without allocating an object per message.
// Everything else (notices, parameter status) is passed on to pg, which tracks the connection's state.
import net from 'node:net';
import type { Duplex } from 'node:stream';
import type { Connection, DatabaseError } from 'pg';
import type { Column } from './json-rows.ts';
import { decodeError } from './messages.ts';

export interface Receiver {
  handleColumns(columns: Column[]): void;
  /** Whether to read the next row; otherwise it is skipped as it arrives, without buffering it. */
  acceptsRow(bytes: number): boolean;
  /**
   * The body of a DataRow message is in `from`, from `start` to before `end`.
   * @param isOwned whether the bytes stay valid after the call
   */
  handleRow(from: Buffer, start: number, end: number, isOwned: boolean): void;
  handleComplete(tag: string): void;
  handleErrorResponse(error: DatabaseError): void;
  /** The response to the oldest exchange is complete. */
  handleReady(): void;
}

/** Bytes of a message's type and length. */
const HEAD = 5;
// Message types (PostgreSQL docs, "Message Formats").
const READY = 0x5a;
const ERROR = 0x45;
const ROW = 0x44;
const COLUMNS = 0x54;
const NO_DATA = 0x6e;
const COMPLETE = 0x43;
const EMPTY = 0x49;
const PARSED = 0x31;
const BOUND = 0x32;
const CLOSED = 0x33;

/** ReadyForQuery of a connection outside a transaction. */
const IDLE = Buffer.from([READY, 0, 0, 0, 5, 0x49]);

const readersByStream = new WeakMap<Duplex, MessageReader>();

function decodeColumns(message: Buffer): Column[] {
  const count = message.readUInt16BE(0);
  const columns: Column[] = [];
  let at = 2;
  for (let index = 0; index < count; index += 1) {
    const end = message.indexOf(0, at);
    const name = message.toString('utf8', at, end);
    // Table, column, type, size, modifier and format follow the name.
    columns.push({ name, type: message.readUInt32BE(end + 1 + 6) });
    at = end + 1 + 18;
  }
  return columns;
}

export class MessageReader {
  readonly #stream: Duplex;
  readonly #pg: ((chunk: Buffer) => void)[];
  #receiver: Receiver | undefined;
  /** An incomplete message. */
  #partial: Buffer | undefined;
  /** Bytes received of `#partial`. */
  #filled = 0;
  /** Bytes left to skip of a row that was not accepted. */
  #skipping = 0;

  /** Replaces pg's reader of this connection; unknown messages are still passed to it. */
  static of({ stream }: Connection): MessageReader {
    const known = readersByStream.get(stream);
    if (known !== undefined) return known;
    const made = new MessageReader(stream);
    readersByStream.set(stream, made);
    return made;
  }

  private constructor(stream: Duplex) {
    this.#stream = stream;
    this.#pg = stream.listeners('data').map((listener) => (chunk) => listener.call(stream, chunk));
    if (takeOver(stream, (bytes) => this.#receive(bytes))) return;
    stream.removeAllListeners('data');
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  /** Passes responses to the receiver until `close`. */
  open(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  send(bytes: Buffer): void {
    this.#stream.write(bytes);
  }

  cork(): void {
    this.#stream.cork();
  }

  uncork(): void {
    this.#stream.uncork();
  }

  /** Returns the connection to pg with a ReadyForQuery. Only when no response is outstanding. */
  close(): void {
    this.#receiver = undefined;
    this.#pass(IDLE);
  }

  #receive(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#skipping > 0) {
        const skipped = Math.min(this.#skipping, chunk.length - at);
        this.#skipping -= skipped;
        at += skipped;
        continue;
      }
      if (this.#receiver === undefined && this.#partial === undefined) {
        this.#pass(at === 0 ? chunk : chunk.subarray(at));
        return;
      }
      if (this.#partial !== undefined) {
        at += this.#fill(this.#partial, chunk.subarray(at));
        continue;
      }
      const left = chunk.length - at;
      const size = left < HEAD ? HEAD : chunk.readInt32BE(at + 1) + 1;
      if (left >= HEAD && !this.#accepts(chunk[at], size)) {
        this.#skipping = size;
        continue;
      }
      if (left < size) {
        // When the head itself is incomplete, the message's length is not known yet.
        this.#partial = Buffer.allocUnsafe(size);
        this.#filled = chunk.copy(this.#partial, 0, at);
        return;
      }
      this.#message(chunk, at, at + size, false);
      at += size;
    }
  }

  /** @returns how many bytes of the chunk belong to the message */
  #fill(partial: Buffer, chunk: Buffer): number {
    const taken = chunk.copy(partial, this.#filled, 0, partial.length - this.#filled);
    this.#filled += taken;
    if (this.#filled < partial.length) return taken;
    const size = partial.readInt32BE(1) + 1;
    if (partial.length === HEAD && !this.#accepts(partial[0], size)) {
      this.#partial = undefined;
      this.#skipping = size - HEAD;
      return taken;
    }
    if (size > partial.length) {
      this.#partial = Buffer.allocUnsafe(size);
      partial.copy(this.#partial);
      return taken;
    }
    this.#partial = undefined;
    this.#message(partial, 0, size, true);
    return taken;
  }

  #accepts(code: number | undefined, size: number): boolean {
    return code !== ROW || this.#receiver === undefined || this.#receiver.acceptsRow(size - HEAD);
  }

  #message(from: Buffer, start: number, end: number, isOwned: boolean): void {
    const receiver = this.#receiver;
    const code = from[start];
    if (receiver === undefined) this.#pass(from.subarray(start, end));
    else if (code === ROW) receiver.handleRow(from, start + HEAD, end, isOwned);
    else if (code === COMPLETE)
      receiver.handleComplete(from.toString('latin1', start + HEAD, end - 1));
    else if (code === COLUMNS) {
      receiver.handleColumns(decodeColumns(from.subarray(start + HEAD, end)));
    } else if (code === NO_DATA) receiver.handleColumns([]);
    else if (code === EMPTY) receiver.handleComplete('');
    else if (code === READY) receiver.handleReady();
    else if (code === ERROR) {
      receiver.handleErrorResponse(decodeError(from.subarray(start + HEAD, end)));
    } else if (code !== PARSED && code !== BOUND && code !== CLOSED) {
      this.#pass(from.subarray(start, end));
    }
  }

  #pass(bytes: Buffer): void {
    const copy = Buffer.from(bytes);
    for (const listener of this.#pg) listener(copy);
  }
}

// A socket that reads into one buffer shared by all connections: allocating a buffer per read costs more than parsing it.

/** Larger than the kernel's receive buffer, so that one read takes everything. */
const BUFFER = Buffer.allocUnsafeSlow(256 * 1024);

interface SocketReader {
  take: (bytes: Buffer) => void;
}

const sockets = new WeakMap<Duplex, SocketReader>();

/** @returns a socket for pg that emits `data` until `takeOver` */
export function sharedBufferSocket(): net.Socket {
  const reader: SocketReader = { take: (bytes) => socket.emit('data', Buffer.from(bytes)) };
  const onread: net.OnReadOpts = {
    buffer: BUFFER,
    callback: (size) => {
      reader.take(BUFFER.subarray(0, size));
      return true;
    },
  };
  const options = { allowHalfOpen: false, onread };
  const socket = new net.Socket(options);
  sockets.set(socket, reader);
  return socket;
}

/**
 * @param take called with everything read from now on; the bytes are valid only during the call
 * @returns false for another kind of socket, such as one with TLS
 */
function takeOver(stream: Duplex, take: (bytes: Buffer) => void): boolean {
  const reader = sockets.get(stream);
  if (reader === undefined) return false;
  reader.take = take;
  return true;
}
