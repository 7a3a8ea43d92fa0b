import { readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';

/** @returns a TCP port that is unused on the loopback address */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return address.port;
}

/** Length of a Unix socket path in bytes that every system supports (sun_path has 104 on macOS). */
const MAX_PATH_BYTES = 100;

/**
 * Tries to create a socket, because some volumes (shared into a virtual machine, network drives) don't support them.
 * @param dir PostgreSQL's data directory, which exists
 * @param port that it will listen on, part of the socket's name
 * @returns the folder for the Unix socket, or undefined where only TCP works
 */
export async function socketFolder(dir: string, port: number): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  if (Buffer.byteLength(path.join(dir, `.s.PGSQL.${port}`)) > MAX_PATH_BYTES) return undefined;
  // A killed PostgreSQL leaves its socket behind; the next one uses another port.
  const stale = (await readdir(dir)).filter((name) => name.startsWith('.s.PGSQL.'));
  await Promise.all(stale.map((name) => rm(path.join(dir, name), { force: true })));
  const probe = path.join(dir, `.try.${port}`);
  const server = createServer();
  const works = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(probe, () => server.close(() => resolve(true)));
  });
  await rm(probe, { force: true });
  return works ? dir : undefined;
}
