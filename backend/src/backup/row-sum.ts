import { createHash } from 'node:crypto';

const NEWLINE = 0x0a;
const LANES = 4;

/**
 * Checksum of the rows of a COPY, whatever their order: PostgreSQL may store restored rows in another one. Guards against
 * faults, not forgery, which the archive's encryption notices.
 */
export class RowSum {
  readonly #lanes = new Uint32Array(LANES);
  #rest: Buffer[] = [];

  async *over(data: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of data) {
      this.#update(chunk);
      yield chunk;
    }
  }

  /** Call at the end: each row ends with a newline. */
  digest(): string {
    return Buffer.from(this.#lanes.buffer).toString('hex');
  }

  #update(chunk: Buffer): void {
    let start = 0;
    // Newlines within values are written as \n by COPY.
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#rest.push(chunk.subarray(start));
  }

  #add(end: Buffer): void {
    const hash = createHash('sha256');
    for (const part of this.#rest) hash.update(part);
    this.#rest = [];
    const sum = hash.update(end).digest();
    for (let lane = 0; lane < LANES; lane += 1) {
      this.#lanes[lane] = (this.#lanes[lane] ?? 0) + sum.readUInt32LE(lane * 4);
    }
  }
}
