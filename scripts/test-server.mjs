// Runs the built product on a free port with its own data directory, for browser tests and measurements.
import { spawn } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureBuilt, ROOT, SetupError } from './setup.mjs';

/** The first start fills the demo company, which takes a busy machine minutes. */
const START_LIMIT_MS = 300_000;

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Collects what a child process prints, in a file if one is given. */
function outputTo(log) {
  if (log === undefined) {
    let output = '';
    const listen = (child) => {
      child.stdout.on('data', (chunk) => (output += chunk));
      child.stderr.on('data', (chunk) => (output += chunk));
    };
    return { stdio: ['ignore', 'pipe', 'pipe'], listen, read: () => output };
  }
  const file = openSync(log, 'a', 0o600);
  const read = () => readFileSync(log, 'utf8');
  return { stdio: ['ignore', file, file], listen: () => closeSync(file), read };
}

/**
 * @param {{ dataDir: string, port: number, env?: Record<string, string>, root?: string, untilPage?: boolean, log?: string }} options;
 * `root`: another clone than this one; `untilPage`: doesn't wait for the demo company's months of history; `log`: file for its output
 * @returns {Promise<{ child: import('node:child_process').ChildProcess, url: string, ms: number, output: () => string }>} once it is ready; `ms` since the process was started
 */
export async function launch({ dataDir, port, env = {}, root = ROOT, untilPage = false, log }) {
  const started = performance.now();
  const output = outputTo(log);
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    stdio: output.stdio,
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), ...env },
  });
  output.listen(child);
  const url = `http://127.0.0.1:${port}`;
  while (performance.now() - started < START_LIMIT_MS && child.exitCode === null) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    const history = answer?.ok ? (await answer.json()).demoHistory : 'unknown';
    if (history === undefined || (untilPage && history === 'filling'))
      return { child, url, ms: performance.now() - started, output: output.read };
    if (history === 'failed') break;
    await pause(history === 'filling' ? 200 : 10);
  }
  child.kill('SIGKILL');
  throw new SetupError(`The server did not start:\n${output.read()}`);
}

/** Stops a launched server and waits until it has exited. @returns {Promise<number>} milliseconds it took */
export async function stop(child) {
  const started = performance.now();
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
  return performance.now() - started;
}

/**
 * Fills a data directory with the demo company, which takes one core half a minute, so that other work can run beside it.
 * @returns {{ dataDir: Promise<string>, remove: () => Promise<void> }} `dataDir`: complete, of a server that has stopped
 */
export function fillDemo() {
  const folder = mkdtempSync(path.join(tmpdir(), 'statesman-demo-'));
  const filled = fillInto(folder);
  // An error reaches those who wait for `dataDir`; if an earlier part has failed, that is nobody.
  const ended = filled.catch(() => {});
  return {
    dataDir: filled,
    remove: async () => {
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function fillInto(dataDir) {
  const { child } = await launch({ dataDir, port: await freePort() });
  await stop(child);
  return dataDir;
}

/**
 * Runs `count` servers, each with its own database, while `work` runs.
 * @template T @param {number} count @param {(servers: { url: string, dataDir: string, log: string }[]) => Promise<T>} work
 * @param {{ filled?: string, env?: Record<string, string> }} options `filled`: a data directory that each gets a copy of; without
 * it each fills its own
 */
export async function withServers(count, work, { filled, env = {} } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'statesman-e2e-'));
  const servers = [];
  try {
    // Build once here: servers starting in parallel would each build into the same folder.
    await ensureBuilt();
    const started = await Promise.allSettled(
      Array.from({ length: count }, async (_, number) => {
        const dataDir = path.join(folder, String(number));
        if (filled)
          await cp(filled, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE });
        const log = path.join(folder, `${number}.log`);
        const launched = await launch({ dataDir, port: await freePort(), env, log });
        servers[number] = { dataDir, log, ...launched };
      }),
    );
    const refused = started.find(({ status }) => status === 'rejected');
    if (refused) throw refused.reason;
    return await work(servers);
  } finally {
    await Promise.all(servers.flatMap((server) => (server ? [stop(server.child)] : [])));
    rmSync(folder, { recursive: true, force: true });
  }
}
