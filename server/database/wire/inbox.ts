// Reads a connection's answers straight from the socket while callers use it, without an object for each message.
// What is not an answer (notices, settings) goes on to pg, which keeps the connection's state.
import type { Duplex } from 'node:stream';
import type { Connection, DatabaseError } from 'pg';
import { refusalOf } from './refusal.ts';
import { takeOver } from './reused.ts';

/** What hears of the answers. */
export interface Receiver {
  handleColumns(names: string[]): void;
  /** Whether the next row is to be read: one that is not is skipped as it arrives, without memory for it. */
  acceptsRow(bytes: number): boolean;
  /**
   * @param bytes of the row's values, each with its length before it
   * @param mayKeep whether they stay as they are after the call
   */
  handleRow(bytes: Buffer, mayKeep: boolean): void;
  handleComplete(tag: string): void;
  handleRefusal(error: DatabaseError): void;
  /** Every answer to the oldest exchange has come. */
  handleReady(): void;
}

const HEAD = 5;
const READY = 0x5a;
const REFUSED = 0x45;
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

const inboxes = new WeakMap<Duplex, Inbox>();

function namesIn(message: Buffer): string[] {
  const count = message.readUInt16BE(0);
  const names: string[] = [];
  let at = 2;
  for (let index = 0; index < count; index += 1) {
    const end = message.indexOf(0, at);
    names.push(message.toString('utf8', at, end));
    // Table, column, type, size, modifier and format follow the name.
    at = end + 1 + 18;
  }
  return names;
}

export class Inbox {
  readonly #stream: Duplex;
  readonly #pg: ((chunk: Buffer) => void)[];
  #receiver: Receiver | undefined;
  /** A message of which only the beginning has come, and how much of it. */
  #partial: Buffer | undefined;
  #filled = 0;
  /** Bytes still to come of a row that nobody wants. */
  #unwanted = 0;

  /** Takes the place of pg's own reader on this connection, which is asked for the rest. */
  static of({ stream }: Connection): Inbox {
    const known = inboxes.get(stream);
    if (known !== undefined) return known;
    const made = new Inbox(stream);
    inboxes.set(stream, made);
    return made;
  }

  private constructor(stream: Duplex) {
    this.#stream = stream;
    this.#pg = stream.listeners('data').map((listener) => (chunk) => listener.call(stream, chunk));
    if (takeOver(stream, (bytes) => this.#receive(bytes))) return;
    stream.removeAllListeners('data');
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  /** From now on answers go to the receiver, until `close`. */
  open(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  send(bytes: Buffer): void {
    this.#stream.write(bytes);
  }

  /** Keeps back what is sent from now on, until `release`. */
  hold(): void {
    this.#stream.cork();
  }

  release(): void {
    this.#stream.uncork();
  }

  /** Gives the connection back to pg, which hears that it is ready. Only when nothing is unanswered. */
  close(): void {
    this.#receiver = undefined;
    this.#pass(IDLE);
  }

  #receive(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#unwanted > 0) {
        const skipped = Math.min(this.#unwanted, chunk.length - at);
        this.#unwanted -= skipped;
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
      if (left >= HEAD && !this.#isWanted(chunk[at], size)) {
        this.#unwanted = size;
        continue;
      }
      if (left < size) {
        // Of a message cut within its head the length is not known yet.
        this.#partial = Buffer.allocUnsafe(size);
        this.#filled = chunk.copy(this.#partial, 0, at);
        return;
      }
      this.#message(chunk, at, at + size, false);
      at += size;
    }
  }

  /** @returns how many bytes of the chunk belonged to the message */
  #fill(partial: Buffer, chunk: Buffer): number {
    const taken = chunk.copy(partial, this.#filled, 0, partial.length - this.#filled);
    this.#filled += taken;
    if (this.#filled < partial.length) return taken;
    const size = partial.readInt32BE(1) + 1;
    if (partial.length === HEAD && !this.#isWanted(partial[0], size)) {
      this.#partial = undefined;
      this.#unwanted = size - HEAD;
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

  #isWanted(code: number | undefined, size: number): boolean {
    return code !== ROW || this.#receiver === undefined || this.#receiver.acceptsRow(size - HEAD);
  }

  #message(from: Buffer, start: number, end: number, isOwn: boolean): void {
    const receiver = this.#receiver;
    const code = from[start];
    if (receiver === undefined) this.#pass(from.subarray(start, end));
    else if (code === ROW) receiver.handleRow(from.subarray(start + HEAD, end), isOwn);
    else if (code === COMPLETE)
      receiver.handleComplete(from.toString('latin1', start + HEAD, end - 1));
    else if (code === COLUMNS) receiver.handleColumns(namesIn(from.subarray(start + HEAD, end)));
    else if (code === NO_DATA) receiver.handleColumns([]);
    else if (code === EMPTY) receiver.handleComplete('');
    else if (code === READY) receiver.handleReady();
    else if (code === REFUSED) receiver.handleRefusal(refusalOf(from.subarray(start + HEAD, end)));
    else if (code !== PARSED && code !== BOUND && code !== CLOSED) {
      this.#pass(from.subarray(start, end));
    }
  }

  #pass(bytes: Buffer): void {
    const kept = Buffer.from(bytes);
    for (const listener of this.#pg) listener(kept);
  }
}
