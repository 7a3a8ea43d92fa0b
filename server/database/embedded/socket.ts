// Whether PostgreSQL can be reached through a socket file in its own folder, which costs less than the loopback address.
import { readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';

/** Bytes of a socket's address that every system takes. */
const LONGEST = 100;

/**
 * Some volumes (shared into a virtual machine, network drives) take files but no sockets: one is tried.
 * @param dir PostgreSQL's folder, which exists
 * @param port that it will listen on, part of the socket's name
 * @returns the folder for the socket, or undefined where only TCP will do
 */
export async function socketFolder(dir: string, port: number): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  if (Buffer.byteLength(path.join(dir, `.s.PGSQL.${port}`)) > LONGEST) return undefined;
  // A killed PostgreSQL leaves the socket of a port that nobody uses again.
  const left = (await readdir(dir)).filter((name) => name.startsWith('.s.PGSQL.'));
  await Promise.all(left.map((name) => rm(path.join(dir, name), { force: true })));
  const tried = path.join(dir, `.try.${port}`);
  const server = createServer();
  const works = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(tried, () => server.close(() => resolve(true)));
  });
  await rm(tried, { force: true });
  return works ? dir : undefined;
}
