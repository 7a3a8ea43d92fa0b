// What would stop a start, found before anything is installed: each with one sentence and the command that helps.
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { ROOT, SetupError } from './child.mjs';
import { isAlive } from './setup-lock.mjs';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

/**
 * The settings that the checks need, read as the server reads them (backend/src/config.ts, server/config.ts).
 * @param {Record<string, string | undefined>} env
 */
export function readSettings(env) {
  const port = Number(env.PORT ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new SetupError(
      `The setting PORT is not usable: ${env.PORT} is no number from 0 to 65535. Start with another one: PORT=3000 npm start`,
    );
  }
  const host = (env.HOST ?? '127.0.0.1').trim();
  const isDemo = (env.DEMO?.trim() || (LOOPBACK.test(host) ? 'on' : 'off')) === 'on';
  return {
    port,
    host,
    dataDir: path.resolve(ROOT, (env.DATA_DIR ?? './data').trim()),
    isEmbedded: !env.DATABASE_URL?.trim(),
    isDemo: isDemo && !env.PROJECT_DIR?.trim(),
  };
}

/** @returns the server that runs on the data directory, from its lock (backend/src/instance-lock.ts) */
function runningServer(dataDir) {
  try {
    const holder = JSON.parse(readFileSync(path.join(dataDir, 'server.lock'), 'utf8'));
    return Number.isInteger(holder.pid) && isAlive(holder) ? holder : undefined;
  } catch {
    // None, or one that the server will explain.
    return undefined;
  }
}

export function refuseSecondServer({ dataDir, port }, command = 'npm start') {
  const server = runningServer(dataDir);
  if (server === undefined) return;
  const at = server.url === undefined ? '' : ` at ${server.url}`;
  throw new SetupError(
    `Another server (process ${server.pid}) is running on ${dataDir}${at}. Stop it first, or set DATA_DIR and PORT to start a second one: DATA_DIR=./data-2 PORT=${port + 1} ${command}`,
  );
}

/** As backend/src/listen.ts explains it, which checks again: the port may have been taken by then. */
function explainPort(code, { host, port }, command) {
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program. Stop it, or start with another port: PORT=${port + 1} ${command}`;
  }
  if (code === 'EACCES') {
    return `This account may not listen on port ${port}. Use a port above 1023, for example PORT=3000.`;
  }
  return `This machine can't listen on ${host}:${port} (${code}). Set HOST to an address of this machine.`;
}

/** @param {{ host: string, port: number }} address */
export function requireFreePort(address, command = 'npm start') {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', ({ code }) => reject(new SetupError(explainPort(code, address, command))));
    server.listen(address, () => server.close(() => resolve()));
  });
}

/** The folder itself, or the nearest above it that exists. */
function nearestExisting(folder) {
  let at = folder;
  while (!existsSync(at) && path.dirname(at) !== at) at = path.dirname(at);
  return at;
}

/** Why this account can't write a folder, or can't create it; undefined if it can. */
function whyReadOnly(folder) {
  const place = nearestExisting(folder);
  try {
    if (!statSync(place).isDirectory()) return place === folder ? 'EEXIST' : 'ENOTDIR';
    accessSync(place, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return error.code;
  }
}

export function requireWritable({ dataDir, changesClone }) {
  const code = whyReadOnly(dataDir);
  if (code !== undefined) {
    throw new SetupError(
      `DATA_DIR ${dataDir} can't be written (${code}). Give this account write access to it, or set DATA_DIR to another folder.`,
    );
  }
  const ownCode = changesClone ? whyReadOnly(ROOT) : undefined;
  if (ownCode !== undefined) {
    throw new SetupError(
      `${ROOT} can't be written (${ownCode}), and packages and builds belong there. Give this account write access to it.`,
    );
  }
}

/**
 * @param {{ folder: string, megabytes: number }[]} needs folders on one disk are added up
 * @param {(folder: string) => Promise<{ bavail: number, bsize: number }>} readSpace
 */
export async function requireSpace(needs, readSpace = statfs) {
  const disks = new Map();
  for (const { folder, megabytes } of needs) {
    const place = nearestExisting(folder);
    const { dev } = statSync(place);
    const disk = disks.get(dev) ?? { place, megabytes: 0 };
    disk.megabytes += megabytes;
    disks.set(dev, disk);
  }
  for (const { place, megabytes } of disks.values()) {
    const { bavail, bsize } = await readSpace(place);
    const free = Math.floor((bavail * bsize) / 1e6);
    if (free >= megabytes) continue;
    throw new SetupError(
      `This start needs about ${megabytes} MB on the disk of ${place}, which has ${free} MB free. Free some space and start again, for example with: npm cache clean --force`,
    );
  }
}

/** Node 20 gets no security fixes since 30 April 2026 (nodejs.org/en/about/previous-releases). Said once in a clone. */
export function adviseNode(say, version = process.versions.node) {
  const [major] = version.split('.').map(Number);
  if (major >= 22) return;
  const mark = path.join(ROOT, '.cache', `advised-node-${major}`);
  if (existsSync(mark)) return;
  say(`This is Node ${major}, which gets no more security fixes. Node 24 is recommended.`);
  mkdirSync(path.dirname(mark), { recursive: true });
  writeFileSync(mark, '');
}
