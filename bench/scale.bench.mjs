// The demo company grown to many times its size: how long every screen's requests take on both, and the start.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { register } from 'tsx/esm/api';
import { milliseconds, seconds, table } from '../backend/bench/support/report.mjs';
import { SetupError } from '../scripts/setup.mjs';
import { freePort, launch, stop } from '../scripts/test-server.mjs';
import { clockInTime } from './scale/clock-ins.mjs';
import { growCompany, PERIODS_A_YEAR } from './scale/grow-company.mjs';
import { screenCalls } from './scale/screen-calls.mjs';

const GOAL_MS = 300;
const SLOWEST = 25;
/** What a copy of the company takes on disk for one period, with room for building indexes. */
const BYTES = 300e6;
/** What the machine keeps. */
const RESERVE_BYTES = 10e9;
/** One for each core of a small machine. */
const CONNECTIONS = 2;

const BULK = {
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  fsync: 'off',
  autovacuum: 'off',
};

/** @returns {{ copies: number, years: number }} */
function sizeOf(options, folder) {
  const given = (name, usual) => {
    const at = options.indexOf(name);
    const value = at < 0 ? usual : Number(options[at + 1]);
    if (!(value > 0)) throw new SetupError(`${name} needs a number above 0.`);
    return value;
  };
  const copies = given('--copies', 100);
  const years = given('--years', 5);
  const { bavail, bsize } = statfsSync(folder);
  const room = (bavail * bsize - RESERVE_BYTES) / (BYTES * copies * PERIODS_A_YEAR);
  if (room < years)
    console.error(`The disk has room for ${room.toFixed(1)} years of ${copies} copies.`);
  return { copies, years: Math.min(years, room) };
}

/** With the database of a company that no server uses. */
async function withDatabase(dataDir, settings, work) {
  const unregister = register();
  const { startCluster } = await import('../backend/src/database/embedded/cluster.ts');
  await unregister();
  const cluster = await startCluster({ dataDir, settings });
  const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client(cluster.connection));
  try {
    for (const client of clients) await client.connect();
    return await work(clients);
  } finally {
    for (const client of clients) await client.end();
    await cluster.stop();
  }
}

async function measured(dataDir) {
  const { child, url, ms } = await launch({ dataDir, port: await freePort() });
  const calls = await screenCalls(url).finally(() => stop(child));
  return { ms, calls, clockIn: await withDatabase(dataDir, {}, clockInTime) };
}

/** @returns a figure in milliseconds, or that it has none: the request failed or took too long */
const shown = (ms) => (ms === undefined ? '-' : Number.isFinite(ms) ? milliseconds(ms) : 'none');

/** @param {string[]} options `--copies` of the demo's 520 guards and 90 sites, and `--years` */
export default async function scale(options = []) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'statesman-scale-'));
  try {
    const size = sizeOf(options, dataDir);
    console.error('Measuring the demo company');
    const demo = await measured(dataDir);
    const started = performance.now();
    const rows = await withDatabase(dataDir, BULK, (clients) =>
      growCompany(clients, { ...size, say: console.error }),
    );
    const took = performance.now() - started;
    console.error('Measuring the large company');
    const large = await measured(dataDir);

    console.log(
      `${(size.copies * 520).toLocaleString('en')} guards, ${(size.copies * 90).toLocaleString('en')} sites: ${rows.toLocaleString('en')} assignments and records of attendance, built in ${seconds(took)}.\n`,
    );
    const all = [...large.calls].sort(([, a], [, b]) => b.ms - a.ms);
    const slow = all.filter(([, { ms }]) => ms >= GOAL_MS);
    table(
      ['what', 'goal', 'measured'],
      [
        ['warm start', 'under 5 s', seconds(large.ms)],
        [
          `requests of all screens under ${GOAL_MS} ms`,
          'all',
          `${all.length - slow.length} of ${all.length}`,
        ],
        [
          'clock-in in the database, median',
          `under 1.3 times the demo's ${milliseconds(demo.clockIn)}`,
          milliseconds(large.clockIn),
        ],
      ],
    );
    console.log(`\nThe ${SLOWEST} slowest, each the slowest of six:\n`);
    table(
      ['as', 'first screen with it', 'request', 'demo', 'large', 'times'],
      all.slice(0, SLOWEST).map(([key, { role, screen, call, ms }]) => {
        const before = demo.calls.get(key)?.ms;
        const times = Number.isFinite(ms / before) ? (ms / before).toFixed(1) : '-';
        return [role, screen, call, shown(before), shown(ms), times];
      }),
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
