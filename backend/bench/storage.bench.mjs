// 20 MB up and down against plain Fastify on the same disk, small files, and the memory that large ones take.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SignJWT } from 'jose';
import { memoryOfTree } from './support/memory.mjs';
import { median, megabytes, milliseconds, table } from './support/report.mjs';
import { startProject } from './support/start-project.mjs';

const MB = 1024 * 1024;
const ROUNDS = 15;
const AT_ONCE = 8;
const TRANSFERS = 40;
const SECRET = randomBytes(32).toString('hex');

async function plainServer(folder) {
  const program = path.join(import.meta.dirname, 'storage', 'plain-server.mjs');
  const child = spawn(process.execPath, [program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { child, url: String(line).trim() };
}

/** Milliseconds until the last byte of the response. */
async function timed(url, init) {
  const started = performance.now();
  const response = await fetch(url, init);
  const bytes = (await response.arrayBuffer()).byteLength;
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return { ms: performance.now() - started, bytes };
}

const token = (role) =>
  new SignJWT({ role })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET));

/** Interleaved, so that other load on the machine affects both. @returns [ours, plain] medians */
async function compared(ours, plain) {
  const times = [[], []];
  for (let round = 0; round < ROUNDS + 2; round += 1) {
    for (const [index, work] of [ours, plain].entries()) {
      const { ms } = await work(round);
      if (round >= 2) times[index].push(ms);
    }
  }
  return times.map(median);
}

/** @returns the server's peak memory growth in bytes */
async function growth(pid, work) {
  const before = memoryOfTree(pid).bytes;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, memoryOfTree(pid).bytes);
  }, 50);
  await work();
  clearInterval(timer);
  return { before, most };
}

async function manyAtOnce(work) {
  let next = 0;
  const lane = async () => {
    while (next < TRANSFERS) {
      next += 1;
      await work(next);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

async function measure(folder) {
  const plainFolder = path.join(folder, 'plain');
  mkdirSync(plainFolder);
  const server = await startProject({ DATA_DIR: path.join(folder, 'data'), JWT_SECRET: SECRET });
  const { url } = server.ready;
  const plain = await plainServer(plainFolder);
  try {
    const headers = {
      authorization: `Bearer ${await token('service_role')}`,
      'content-type': 'application/octet-stream',
      'x-upsert': 'true',
    };
    const storage = `${url}/storage/v1`;
    await timed(`${storage}/bucket`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'bench' }),
    });
    const put = (body) => [
      (round) => timed(`${storage}/object/bench/${round}`, { method: 'POST', headers, body }),
      (round) =>
        timed(`${plain.url}/files/${round}`, {
          method: 'PUT',
          headers: { 'content-type': 'application/octet-stream' },
          body,
        }),
    ];
    const get = [
      () => timed(`${storage}/object/bench/0`, { headers }),
      () => timed(`${plain.url}/files/0`),
    ];
    const rows = [];
    for (const [name, size] of [
      ['20 MB', 20 * MB],
      ['100 KB', 100 * 1024],
    ]) {
      const body = randomBytes(size);
      for (const [direction, pair] of [
        ['up', put(body)],
        ['down', get],
      ]) {
        const [ours, theirs] = await compared(...pair);
        rows.push([
          `${name} ${direction}`,
          milliseconds(ours),
          milliseconds(theirs),
          (ours / theirs).toFixed(2),
        ]);
      }
    }
    table([`median of ${ROUNDS}`, 'storage service', 'plain Fastify', 'ratio (goal: 1.5)'], rows);

    const large = randomBytes(20 * MB);
    const [send] = put(large);
    await send(0);
    const up = await growth(server.pid, () => manyAtOnce(send));
    const down = await growth(server.pid, () => manyAtOnce(get[0]));
    console.log('');
    table(
      [`${TRANSFERS} x 20 MB, ${AT_ONCE} at once`, 'before', 'at most'],
      [
        ['up', megabytes(up.before), megabytes(up.most)],
        ['down', megabytes(down.before), megabytes(down.most)],
      ],
    );
  } finally {
    plain.child.kill('SIGTERM');
    await server.ask('stop');
  }
}

export default async function storage() {
  const folder = mkdtempSync(path.join(tmpdir(), 'backend-bench-'));
  try {
    await measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
