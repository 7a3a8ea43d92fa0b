import { StartError } from '../start-error.ts';

export class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #ready: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** @returns undefined at the end; @throws StartError if it ends within the piece */
  async read(size: number): Promise<Buffer | undefined> {
    const pieces = [this.#ready];
    let bytes = this.#ready.length;
    while (bytes < size) {
      const next = await this.#source.next();
      if (next.done) {
        if (bytes === 0) return undefined;
        throw cutShort();
      }
      pieces.push(next.value);
      bytes += next.value.length;
    }
    const all = pieces.length === 1 ? this.#ready : Buffer.concat(pieces);
    this.#ready = all.subarray(size);
    return all.subarray(0, size);
  }

  /** @throws StartError at the end of the stream */
  async readExactly(size: number): Promise<Buffer> {
    const piece = await this.read(size);
    if (piece === undefined) throw cutShort();
    return piece;
  }
}

const cutShort = (): StartError =>
  new StartError(
    'The archive is damaged: its end is missing. Nothing was changed. Copy it again, or use another archive.',
  );
