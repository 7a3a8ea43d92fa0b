// The demo company grown to many times its size: how long every screen's requests take on both, and the start.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { register } from 'tsx/esm/api';
import { milliseconds, quantile, seconds, table } from '../backend/bench/support/report.mjs';
import { SetupError } from '../scripts/setup.mjs';
import { freePort, launch, stop } from '../scripts/test-server.mjs';
import { clockInTimes } from './scale/clock-ins.mjs';
import { growCompany, PERIODS_A_YEAR } from './scale/grow-company.mjs';
import { screenCalls } from './scale/screen-calls.mjs';
import { screenTimes } from './scale/screen-times.mjs';

const PASSWORD = 'Statesman-Demo-1';
const GOAL_MS = 300;
const SLOWEST = 25;
/** Disk space of a copy of the company for one period, with room for building indexes. */
const BYTES = 300e6;
/** Disk space to leave free. */
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
  const measuredScreens = async () => ({
    screens: await screenTimes(url, { email: 'admin@statesman.example', password: PASSWORD }),
    calls: await screenCalls(url, PASSWORD),
  });
  const shown = await measuredScreens().finally(() => stop(child));
  return { ms, ...shown, clockIns: await withDatabase(dataDir, {}, clockInTimes) };
}

/** @returns a figure in milliseconds, or that it has none: the request failed or took too long */
const shown = (ms) => (ms === undefined ? '-' : Number.isFinite(ms) ? milliseconds(ms) : 'none');

async function measuredDemo() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'statesman-demo-'));
  try {
    console.error('Measuring the demo company');
    return await measured(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Fills the folder with the large company, unless an earlier run has. @returns what was built, and how long it took */
async function grown(dataDir, options) {
  const record = path.join(dataDir, 'grown.json');
  if (existsSync(record)) return JSON.parse(readFileSync(record, 'utf8'));
  const size = sizeOf(options, dataDir);
  const { child } = await launch({ dataDir, port: await freePort() });
  await stop(child);
  const started = performance.now();
  const rows = await withDatabase(dataDir, BULK, (clients) =>
    growCompany(clients, { ...size, say: console.error }),
  );
  const result = { ...size, rows, ms: performance.now() - started };
  writeFileSync(record, JSON.stringify(result));
  return result;
}

/**
 * @param {string[]} options `--copies` of the demo's 520 guards and 90 sites, and `--years`; `--keep` names a folder where the
 * large company stays, so that the next run needs not build it
 */
export default async function scale(options = []) {
  const kept = options.includes('--keep') ? options[options.indexOf('--keep') + 1] : undefined;
  if (kept) mkdirSync(kept, { recursive: true });
  const demo = await measuredDemo();
  const dataDir = kept ?? mkdtempSync(path.join(tmpdir(), 'statesman-scale-'));
  try {
    const { copies, rows, ms } = await grown(dataDir, options);
    console.error('Measuring the large company');
    const large = await measured(dataDir);

    console.log(
      `${(copies * 520).toLocaleString('en')} guards, ${(copies * 90).toLocaleString('en')} sites: ${rows.toLocaleString('en')} assignments and records of attendance, built in ${seconds(ms)}.\n`,
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
        ...[
          ['again', 'clock-in in the database, median'],
          ['missing', 'of a guard for whom an alert is open'],
          ['first', 'the first after a start'],
        ].map(([which, what]) => [
          what,
          `under 1.3 times the demo's ${milliseconds(demo.clockIns[which])}`,
          milliseconds(large.clockIns[which]),
        ]),
      ],
    );
    console.log(
      '\nFrom press to rows, 1.6 Mbit/s, 150 ms round trip, CPU 4x slower (goal: under 2 times):\n',
    );
    table(
      ['screen', 'demo', 'large', 'times'],
      [...large.screens]
        .map(([screen, now]) => ({ screen, before: demo.screens.get(screen), now }))
        .sort((a, b) => b.now / b.before - a.now / a.before)
        .map(({ screen, before, now }) => [
          screen,
          milliseconds(before),
          milliseconds(now),
          (now / before).toFixed(2),
        ]),
    );
    console.log('\nAs each role, 95 of 100 requests within:\n');
    table(
      ['as', 'requests', 'demo', 'large'],
      [...new Set(all.map(([, { role }]) => role))].sort().map((role) => {
        const own = all.filter(([, call]) => call.role === role);
        const before = own.flatMap(([key]) => demo.calls.get(key)?.ms ?? []);
        const now = own.map(([, { ms }]) => ms);
        return [role, own.length, shown(quantile(before, 0.95)), shown(quantile(now, 0.95))];
      }),
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
    if (!kept) rmSync(dataDir, { recursive: true, force: true });
  }
}
