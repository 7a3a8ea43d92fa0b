// npm run dev stops what it has started, also after a change of a source has restarted the server.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, utimes } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { isAlive } from '#backend/processes.ts';
import { bareStart, emptyFolder, gone, kill, postmasterOf } from './program.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

let child: ChildProcess | undefined;

afterEach(async () => {
  if (child !== undefined) await kill(child, 'SIGTERM');
});

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** @returns a port that is free, as the next one is */
async function twoPorts(): Promise<number> {
  for (let port = 20_000 + (process.pid % 10_000); ; port += 2) {
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
}

/** @returns `shows`, which waits until the output has as many lines with `text` */
function dev(env: Record<string, string>) {
  const program = spawn(process.execPath, ['scripts/dev.mjs'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEMO: 'off', ...env },
  });
  child = program;
  let output = '';
  program.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  program.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const shows = (text: string, count: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (output.split(text).length > count) resolve();
      };
      look();
      program.stdout.on('data', look);
      program.once('exit', (code) => reject(new Error(`It ended with ${code}:\n${output}`)));
    });
  return { program, shows, output: () => output };
}

it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'on %s',
  async (signal) => {
    const port = await twoPorts();
    const bare = await bareStart();
    const { DATA_DIR } = bare;
    const { program, shows } = dev({ ...bare, PORT: String(port) });
    await shows('Ready at', 1);
    const first = await postmasterOf(DATA_DIR);
    await utimes(path.join(ROOT, 'server', 'config.ts'), new Date(), new Date());
    await shows('Ready at', 2);
    expect(isAlive(first)).toBe(false);

    const postmaster = await postmasterOf(DATA_DIR);
    const code = await kill(program, signal);
    // Of a killed one, the server stops by itself.
    await gone(postmaster);
    if (signal !== 'SIGKILL') {
      expect(code).toBe(0);
      expect(await readdir(DATA_DIR)).not.toContain('server.lock');
      expect([await isFree(port), await isFree(port + 1)]).toEqual([true, true]);
    }
    // Two servers from their sources.
  },
  240_000,
);

it('names the port that is taken before it starts anything', async () => {
  const port = await twoPorts();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(port + 1, '127.0.0.1', resolve));
  const DATA_DIR = await emptyFolder();
  const { program, output } = dev({ DATA_DIR, PORT: String(port) });
  const code = await new Promise((resolve) => program.once('close', resolve));
  other.close();
  expect([code, output()]).toEqual([
    1,
    expect.stringContaining(`Port ${port + 1} is taken by another program.`),
  ]);
  expect(await readdir(DATA_DIR)).toEqual([]);
});
