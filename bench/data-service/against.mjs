// This clone's server against that of another clone, usually at an earlier commit. Requests a second depend on what else
// the machine does; processor time per request much less, and alternating rounds share what is left.
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { load } from '../../backend/bench/data-service/run-load.mjs';
import { processorTimeOfTree } from '../../backend/bench/support/processor-time.mjs';
import { median, table } from '../../backend/bench/support/report.mjs';
import { casesOf } from './cases.mjs';
import { startMeasured } from './measured.mjs';
import { onService, signIn } from './sign-in.mjs';

const CONNECTIONS = 32;
const WARM_UP_MS = 2_000;
const RUN_MS = 2_000;

/** The process of a measured server: an older clone's `startMeasured` doesn't return it. */
function serverOf(dataDir) {
  const isServer = (pid) => {
    try {
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return args.includes(dataDir) && args.some((arg) => arg.endsWith('bench-data-server.mjs'));
    } catch {
      // It has ended since it was listed.
      return false;
    }
  };
  return Number(readdirSync('/proc').find((name) => /^\d+$/.test(name) && isServer(name)));
}

/** @param {typeof startMeasured} start of one of the clones, which may be older than this file */
async function startSide(start, dataDir) {
  const measured = await start(dataDir);
  const { token } = await signIn(measured);
  return { measured, pid: serverOf(dataDir), token, cases: await casesOf(measured) };
}

/** @returns microseconds of processor time per request, of the server and of PostgreSQL, and requests a second */
async function run({ measured, pid, token, cases }, at, ms) {
  const before = processorTimeOfTree(pid);
  const input = { port: measured.port, connections: CONNECTIONS, token, ms };
  const { count, perSecond } = await load({ ...input, requests: onService(cases[at].requests) });
  const after = processorTimeOfTree(pid);
  const each = (part) => ((after[part] - before[part]) * 1000) / count;
  return { server: each('own'), postgres: each('descendants'), perSecond };
}

const both = ({ server, postgres }) => server + postgres;
const medianOf = (runs, figure) => median(runs.map(figure));

/** Figures of the two sides and the median of the ratios of each round. */
function row(what, ours, theirs) {
  const pair = (figure) =>
    `${medianOf(theirs, figure).toFixed(0)} to ${medianOf(ours, figure).toFixed(0)}`;
  const ratio = (figure) =>
    median(ours.map((one, i) => figure(one) / figure(theirs[i]))).toFixed(2);
  return [
    what,
    pair(({ server }) => server),
    pair(({ postgres }) => postgres),
    pair(both),
    ratio(both),
    ratio(({ perSecond }) => perSecond),
  ];
}

/**
 * @param {string} folder another clone, with its packages installed
 * @param {string} dataDirs where both keep their data
 * @param {{ rounds: number, only?: string }} options `only`: a regular expression for the names of the requests
 */
export async function compare(folder, dataDirs, options) {
  const other = path.join(path.resolve(folder), 'bench', 'data-service', 'measured.mjs');
  const { startMeasured: startOther } = await import(pathToFileURL(other).href);
  await alternate([startMeasured, startOther], dataDirs, options);
}

/**
 * This server with traces against itself without.
 * @param {number} ratio of requests that are traced
 */
export async function compareTraces(ratio, dataDirs, options) {
  // A collector that takes everything at once; its own time is not counted.
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.address().port}`,
    OTEL_TRACES_SAMPLER_ARG: String(ratio),
    OTEL_BSP_MAX_QUEUE_SIZE: '50000',
  };
  try {
    const traced = (dataDir) => startMeasured(dataDir, [], env);
    await alternate([traced, startMeasured], dataDirs, options);
  } finally {
    collector.close();
  }
}

async function alternate(starts, dataDirs, { rounds, only = '' }) {
  const sides = [];
  try {
    for (const [i, start] of starts.entries()) {
      sides.push(await startSide(start, path.join(dataDirs, String(i))));
    }
    const rows = [];
    for (const [at, { what }] of sides[0].cases.entries()) {
      if (!new RegExp(only).test(what)) continue;
      for (const side of sides) await run(side, at, WARM_UP_MS);
      const [ours, theirs] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        // The second of a round finds a warmer or a busier machine, so they take turns.
        const turns = [() => run(sides[0], at, RUN_MS).then((one) => ours.push(one))];
        turns.push(() => run(sides[1], at, RUN_MS).then((one) => theirs.push(one)));
        for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
      }
      rows.push(row(what, ours, theirs));
    }
    console.log(`${rounds} rounds; microseconds of processor time per request, before to after.\n`);
    table(
      [
        'request',
        'server',
        'PostgreSQL',
        'both',
        'both, after / before',
        'a second, after / before',
      ],
      rows,
    );
  } finally {
    for (const { measured } of sides) await measured.stop();
    rmSync(dataDirs, { recursive: true, force: true });
  }
}
