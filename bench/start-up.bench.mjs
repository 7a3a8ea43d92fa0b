// From a fresh clone to a page, first and warm starts, stop, and memory at rest.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { memoryOfTree } from '../backend/bench/support/memory.mjs';
import { median, megabytes, seconds, table } from '../backend/bench/support/report.mjs';
import { ROOT } from '../scripts/setup.mjs';
import { freePort, launch, stop } from '../scripts/test-server.mjs';

const WARM_STARTS = 5;
/** Long enough for start-up work to finish and the garbage collector to run. */
const REST_MS = 10_000;

async function withFolder(work) {
  const folder = mkdtempSync(path.join(tmpdir(), 'statesman-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A clone of HEAD, as a new user gets it. */
function freshClone() {
  return withFolder(async (folder) => {
    const clone = path.join(folder, 'clone');
    const started = performance.now();
    execFileSync('git', ['clone', '--quiet', ROOT, clone]);
    const { child } = await launch({
      dataDir: path.join(folder, 'data'),
      port: await freePort(),
      root: clone,
    });
    const ms = performance.now() - started;
    await stop(child);
    return ms;
  });
}

export default async function startUp() {
  const rows = [];
  rows.push([
    'fresh clone to page (packages from the npm cache, build, first database)',
    'under 60 s',
    seconds(await freshClone()),
  ]);
  await withFolder(async (dataDir) => {
    const first = await launch({ dataDir, port: await freePort() });
    rows.push(['first start after install and build', 'under 8 s', seconds(first.ms)]);
    const stops = [await stop(first.child)];
    const starts = [];
    for (let round = 0; round < WARM_STARTS; round += 1) {
      const { child, ms } = await launch({ dataDir, port: await freePort() });
      starts.push(ms);
      stops.push(await stop(child));
    }
    rows.push([
      `warm start to first answer (median of ${WARM_STARTS})`,
      'under 3 s',
      seconds(median(starts)),
    ]);
    rows.push(['stop on SIGTERM (longest)', 'under 5 s', seconds(Math.max(...stops))]);
    const { child, url } = await launch({ dataDir, port: await freePort() });
    await fetch(url);
    await pause(REST_MS);
    const { bytes, kind, processes } = memoryOfTree(child.pid);
    rows.push([
      `server and PostgreSQL at rest (${kind}, ${processes} processes)`,
      'under 250 MB',
      megabytes(bytes),
    ]);
    await stop(child);
  });
  table(['what', 'goal', 'measured'], rows);
}
