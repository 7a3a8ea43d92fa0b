// Reads the tar stream of a base backup. PostgreSQL writes plain ustar headers: no long names, no links without tablespaces.
import { StartError } from '../../start-error.ts';
import { ByteReader } from '../byte-reader.ts';

const BLOCK = 512;
const PIECE = 256 * 1024;
const FILE = '0';
const FOLDER = '5';

interface TarEntry {
  /** Ends with a slash for a folder. */
  path: string;
  data: AsyncGenerator<Buffer>;
}

const textAt = (block: Buffer, start: number, length: number): string =>
  block.toString('latin1', start, start + length).replace(/\0.*$/s, '');

/** The data of an entry must be read before the next entry. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const reader = new ByteReader(source);
  for (;;) {
    const block = await reader.read(BLOCK);
    if (block === undefined) return;
    // Two empty blocks at the end.
    if (block[0] === 0) continue;
    const name = textAt(block, 0, 100).replace(/\/$/, '');
    const type = textAt(block, 156, 1);
    const size = Number.parseInt(textAt(block, 124, 12), 8);
    if (type !== FILE && type !== FOLDER) {
      throw new StartError(
        `The database has a tablespace or a link (${name}), which a backup for restores to a point in time can't hold.`,
      );
    }
    if (type === FOLDER) yield { path: `${name}/`, data: nothing() };
    else yield { path: name, data: pieces(reader, size) };
  }
}

async function* nothing(): AsyncGenerator<Buffer> {}

async function* pieces(reader: ByteReader, size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; ) {
    const piece = await reader.readExactly(Math.min(left, PIECE));
    left -= piece.length;
    yield piece;
  }
  const padding = (BLOCK - (size % BLOCK)) % BLOCK;
  if (padding > 0) await reader.readExactly(padding);
}
