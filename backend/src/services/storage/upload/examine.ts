// Measures a file while it passes by: size, and a hash for its ETag.
import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { tooLarge } from '../errors/catalogue.ts';

/** Hexadecimal digits of SHA-256 that an ETag has. */
const TAG_LENGTH = 32;

export class Examine extends Transform {
  /** Bytes so far. Not called `size`: libraries take a stream that has one for a file of that length. */
  seen = 0;
  readonly #hash = createHash('sha256');
  readonly #limit: number;

  /** @param limit bytes; one more ends the stream with EntityTooLarge */
  constructor(limit: number) {
    super({ highWaterMark: 256 * 1024 });
    this.#limit = limit;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.seen += chunk.length;
    if (this.seen > this.#limit) {
      done(tooLarge());
      return;
    }
    this.#hash.update(chunk);
    done(null, chunk);
  }

  /** Once all has passed. @returns quoted, as HTTP writes it */
  eTag(): string {
    return `"${this.#hash.digest('hex').slice(0, TAG_LENGTH)}"`;
  }
}
