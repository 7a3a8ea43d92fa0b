import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** @returns the text of a file; undefined if it does not exist */
export function readIfExists(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    // Node names no file when reading a folder fails.
    throw Object.assign(error, { path: file });
  });
}

/** Written to a temporary file and renamed: a crash leaves no truncated file. Mode 0600. */
export async function replaceFile(
  file: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, content, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}
