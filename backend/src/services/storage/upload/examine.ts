import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { tooLarge } from '../errors/catalogue.ts';

/** Hexadecimal digits of the SHA-256. */
const ETAG_LENGTH = 32;

/** Limits the size of a stream, and computes its ETag. */
export class UploadMeter extends Transform {
  /** Bytes so far. Not named `size`, because libraries treat a stream with that property as a file of known length. */
  seen = 0;
  readonly #hash = createHash('sha256');
  readonly #limit: number;

  /** @param limit in bytes; more fails with EntityTooLarge */
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

  /** Call after the end of the stream. @returns the quoted ETag */
  eTag(): string {
    return `"${this.#hash.digest('hex').slice(0, ETAG_LENGTH)}"`;
  }
}
