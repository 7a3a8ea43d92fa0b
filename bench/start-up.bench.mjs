// From a fresh clone to a page, first and warm starts, stop, memory at rest and disk: three runs of each.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { memoryOfTree } from '../backend/bench/support/memory.mjs';
import { megabytes, seconds, table } from '../backend/bench/support/report.mjs';
import { ROOT } from '../scripts/setup.mjs';
import { freePort, launch, stop } from '../scripts/test-server.mjs';

const RUNS = 3;
/** Long enough for start-up work to finish and the garbage collector to run. */
const REST_MS = 10_000;
/** A start collects the garbage of its own work for the last time after a minute and a half (scripts/start-memory.mjs). */
const AFTER_FIRST_MS = 95_000;
const HISTORY = /all months of history are there, after (\d+) s/;
/** As scripts/display.mjs prints a step: `  Step 3 of 5  Building the web app ... 8.1 s`. */
const STEP = /^ {2}(?:Step \d+ of \d+ {2})?(.+?) \.\.\. ([\d.]+) s$/gm;

async function withFolder(work) {
  const folder = mkdtempSync(path.join(tmpdir(), 'statesman-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bytes of all files in a folder; links are not followed. */
function bytesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}

/** @returns milliseconds of each step that a start has printed */
function stepsOf(output) {
  return new Map([...output.matchAll(STEP)].map(([, label, s]) => [label, Number(s) * 1000]));
}

async function memoryAtRest({ child, url }, afterMs = REST_MS) {
  await fetch(url);
  await pause(afterMs);
  return memoryOfTree(child.pid).bytes;
}

/** Waits until the months of the demo company are filled, in the background. */
async function untilHistory({ url }) {
  while ((await (await fetch(`${url}/readyz`)).json()).demoHistory === 'filling') await pause(200);
}

/** A clone of HEAD, as a new user gets it, from nothing to a second start. */
function measureClone() {
  return withFolder(async (folder) => {
    const clone = path.join(folder, 'clone');
    const dataDir = path.join(folder, 'data');
    const launchIt = async (options) =>
      launch({ dataDir, port: await freePort(), root: clone, ...options });
    const cloning = performance.now();
    execFileSync('git', ['clone', '--quiet', ROOT, clone]);
    const cloned = performance.now() - cloning;
    const first = await launchIt({ untilPage: true });
    await untilHistory(first);
    const afterFirst = await memoryAtRest(first, AFTER_FIRST_MS);
    const steps = stepsOf(first.output());
    const stops = [await stop(first.child)];
    const data = bytesOf(dataDir);
    const second = await launchIt();
    const atRest = await memoryAtRest(second);
    stops.push(await stop(second.child));
    const installing = steps.get('Installing packages') ?? 0;
    return {
      total: cloned + first.ms,
      afterInstall: first.ms - installing,
      web: steps.get('Building the web app'),
      demo: steps.get('Loading the demo company'),
      history: Number(HISTORY.exec(first.output())?.[1]) * 1000,
      warm: second.ms,
      stop: Math.max(...stops),
      afterFirst,
      atRest,
      packages: bytesOf(path.join(clone, 'node_modules')),
      data,
    };
  });
}

/** @type {[what: string, goal: string, name: string, format: (value: number) => string][]} */
const ROWS = [
  ['fresh clone to page, packages in the npm cache', 'under 60 s', 'total', seconds],
  ['after the packages to page', 'under 25 s', 'afterInstall', seconds],
  ['building the web app', 'under 10 s', 'web', seconds],
  ["demo company's today", 'under 8 s', 'demo', seconds],
  ["demo company's months of history", 'under 60 s', 'history', seconds],
  ['warm start to first answer', 'under 3 s', 'warm', seconds],
  ['stop on SIGTERM (longer of two)', 'under 5 s', 'stop', seconds],
  ['memory at rest after the first start', 'under 300 MB', 'afterFirst', megabytes],
  ['memory at rest after a warm start', 'under 300 MB', 'atRest', megabytes],
  ['installed for running', 'under 450 MB', 'packages', megabytes],
  ['demo data', 'under 250 MB', 'data', megabytes],
];

export default async function startUp() {
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await measureClone());
  table(
    ['what', 'goal', 'run 1', 'run 2', 'run 3'],
    ROWS.map(([what, goal, name, format]) => [
      what,
      goal,
      ...runs.map((run) => (run[name] === undefined ? 'not printed' : format(run[name]))),
    ]),
  );
}
