// The data service against pgbench with the same statements, against @supabase/lite, and in growing tables.
// The machine's absolute figures drift: runs alternate, and only ratios are judged.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startLite } from '../backend/bench/data-service/compare-lite.mjs';
import { growth } from '../backend/bench/data-service/growth.mjs';
import { hasPgbench, pgbench } from '../backend/bench/data-service/pgbench.mjs';
import { load } from '../backend/bench/data-service/run-load.mjs';
import { median, milliseconds, table } from '../backend/bench/support/report.mjs';
import { compare, compareTraces } from './data-service/against.mjs';
import { casesOf } from './data-service/cases.mjs';
import { startMeasured } from './data-service/measured.mjs';
import { onService, signIn } from './data-service/sign-in.mjs';

const ROUNDS = 3;
const RUN_MS = 3_000;
const CONNECTIONS = 32;
/** As many as the server opens. */
const CLIENTS = 8;
const OVER_LITE = 10;

const verdict = (isMet) => (isMet ? 'yes' : '**no**');

async function throughput(measured, cases, token, folder, lite) {
  const rows = [];
  const withPgbench = hasPgbench();
  if (!withPgbench) console.log('pgbench is not installed (postgresql-contrib): left out.\n');
  if (!lite) console.log('@supabase/lite could not be installed or started: left out.\n');
  for (const one of cases) {
    const input = { connections: CONNECTIONS, token, requests: onService(one.requests) };
    // Several rows: with one, pgbench's clients would wait for each other's lock.
    const scripts = [];
    for (const request of one.requests.slice(0, 32)) {
      scripts.push(await measured.ask('capture', { ...request, token }));
    }
    // Warm up until the hot code is compiled.
    await load({ ...input, port: measured.port, ms: RUN_MS });
    // Its first requests prepare the database and fail when sent concurrently.
    if (lite) await load({ ...input, port: lite.port, connections: 1, ms: RUN_MS });
    const options = { ...measured, clients: CLIENTS, seconds: RUN_MS / 1000, folder };
    const runs = { ours: [], pgbench: [], lite: [], p99: [], p99OfPgbench: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      runs.ours.push((await load({ ...input, port: measured.port, ms: RUN_MS })).perSecond);
      if (withPgbench) {
        runs.pgbench.push((await pgbench(scripts, options)).perSecond);
      }
      if (lite) runs.lite.push((await load({ ...input, port: lite.port, ms: RUN_MS })).perSecond);
    }
    const ours = median(runs.ours);
    for (let round = 0; round < ROUNDS; round += 1) {
      const paced = await load({ ...input, port: measured.port, ms: RUN_MS, rate: ours / 2 });
      runs.p99.push(paced.p99);
      if (!withPgbench) continue;
      // The same rate without a server in between, for comparison.
      const bare = await pgbench(scripts, { ...options, rate: Math.round(ours / 2) });
      runs.p99OfPgbench.push(bare.p99);
    }
    const p99 = median(runs.p99);
    const ofPgbench = withPgbench ? ours / median(runs.pgbench) : Number.NaN;
    const ofLite = lite ? ours / median(runs.lite) : Number.NaN;
    rows.push([
      one.what,
      ours.toFixed(0),
      withPgbench ? median(runs.pgbench).toFixed(0) : '',
      withPgbench ? ofPgbench.toFixed(2) : '',
      withPgbench ? `${one.goal}: ${verdict(ofPgbench >= one.goal)}` : '',
      lite ? median(runs.lite).toFixed(0) : '',
      lite ? `${ofLite.toFixed(1)}x: ${verdict(ofLite >= OVER_LITE)}` : '',
      `${milliseconds(p99)}: ${verdict(p99 < 25)}`,
      withPgbench ? milliseconds(median(runs.p99OfPgbench)) : '',
    ]);
  }
  table(
    [
      'request',
      'a second',
      'pgbench',
      'of pgbench',
      'goal',
      'lite',
      'over lite (goal 10x)',
      'p99 at half (goal 25 ms)',
      'the same of pgbench',
    ],
    rows,
  );
}

async function growing(measured, token) {
  const { small, large, deep } = await growth({ ...measured, token });
  const row = (what, ms, base) => [
    what,
    milliseconds(ms),
    (ms / base).toFixed(2),
    `1.3: ${verdict(ms / base <= 1.3)}`,
  ];
  table(
    ['page of 50', 'median', 'of its base', 'goal'],
    [
      row('first of 1,000 rows', small, small),
      row('first of 1,000,000 rows', large, small),
      row('keyset page nine tenths down, of the first', deep, large),
    ],
  );
}

/**
 * `--against <folder of another clone> [--rounds 7] [--only 'insert|update']` compares the two servers instead;
 * `--traces <ratio>` this one with traces of this part of the requests and without.
 */
export default async function data(options) {
  const { values } = parseArgs({
    args: options,
    options: {
      against: { type: 'string' },
      traces: { type: 'string' },
      rounds: { type: 'string', default: '7' },
      only: { type: 'string' },
    },
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'statesman-bench-'));
  const comparing = { rounds: Number(values.rounds), only: values.only };
  if (values.against !== undefined) return compare(values.against, folder, comparing);
  if (values.traces !== undefined) return compareTraces(Number(values.traces), folder, comparing);
  const dataDir = path.join(folder, 'data');
  const measured = await startMeasured(dataDir);
  let lite;
  try {
    const { token, user } = await signIn(measured);
    const cases = await casesOf(measured);
    const password = readFileSync(path.join(dataDir, 'keys', 'postgres-password'), 'utf8').trim();
    const url = `postgres://postgres:${password}@127.0.0.1:${measured.connection.port}/postgres`;
    const claims = JSON.stringify({ sub: user, role: 'authenticated' });
    lite = await startLite(folder, { url, claims });
    await throughput(measured, cases, token, folder, lite);
    lite?.stop();
    console.log('');
    await growing(measured, token);
  } finally {
    lite?.stop();
    await measured.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
