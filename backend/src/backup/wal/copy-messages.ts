// A command of the replication protocol that is answered with a stream (PostgreSQL documentation, "Streaming Replication Protocol").
import { Readable } from 'node:stream';
import type { Connection, Submittable } from 'pg';

const COPY_DATA = 'd'.charCodeAt(0);
/** Messages in memory, each at most 128 KB. */
const BUFFERED = 64;

/** The messages of CopyData, and the rows around them. A slow reader slows the server down. */
export class CopyMessages extends Readable implements Submittable {
  readonly rows: (string | null)[][] = [];
  #connection: Connection | undefined;

  constructor(private readonly command: string) {
    super({ objectMode: true, highWaterMark: BUFFERED });
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(this.command);
  }

  send(message: Buffer): void {
    const start = Buffer.alloc(5);
    start.writeUInt8(COPY_DATA);
    start.writeUInt32BE(message.length + 4, 1);
    this.#connection?.stream.write(Buffer.concat([start, message]));
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  // Called by pg.

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.destroyed) return;
    // pg uses the memory again.
    if (!this.push(Buffer.from(chunk))) this.#connection?.stream.pause();
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.rows.push(fields);
  }

  handleError(error: Error): void {
    this.#connection?.stream.resume();
    this.destroy(error);
  }

  handleReadyForQuery(): void {
    if (!this.destroyed) this.push(null);
  }

  handleRowDescription(): void {}
  handleCommandComplete(): void {}
}
