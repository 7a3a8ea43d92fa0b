// The operations room: from a clock event to 50 open boards of 600 posts, and what the control room waits for.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { asking } from '../backend/bench/data-service/run-load.mjs';
import {
  median,
  milliseconds,
  quantile,
  seconds,
  table,
} from '../backend/bench/support/report.mjs';
import { built } from './built.mjs';
import { startMeasured } from './data-service/measured.mjs';
import { signIn } from './data-service/sign-in.mjs';
import kiosk from './kiosk.bench.mjs';
import { ASSIGNMENTS, clockIn, FILL, POSTS, timeDueAlerts } from './operations/company.mjs';
import { rankingTimes } from './operations/ranking.mjs';

const BOARDS = 50;
const EVENTS = 200;
/** Five a second: 600 guards in two minutes. */
const BETWEEN_MS = 200;
/** Changes still on their way after the last event. */
const SETTLE_MS = 3_000;
const RUNS = 30;
const DUE = 10_000;

const verdict = (isMet) => (isMet ? 'yes' : '**no**');

/** @returns {Promise<number>} milliseconds in the database, without the way there */
async function timeOf(measured, statement) {
  const [{ 'QUERY PLAN': plan }] = await measured.ask('query', {
    text: `explain (analyze, timing off, format json) ${statement}`,
  });
  return plan[0]['Execution Time'];
}

/** The same for a caller. */
const asCaller = (user, statement) =>
  `with caller as materialized (select set_config('request.jwt.claims',
    '{"sub":"${user}","role":"authenticated"}', true)) select (${statement}) from caller`;

async function eventsToBoards(measured, token) {
  const entry = await built(
    path.join(import.meta.dirname, 'operations', 'boards.mjs'),
    'bench-operations-boards',
  );
  const boards = fork(entry, [measured.url, measured.anonKey, token, String(BOARDS)]);
  try {
    await once(boards, 'message');
    await pause(SETTLE_MS);
    const ask = asking(boards);
    const before = await ask({});
    const guards = await measured.ask('query', { text: ASSIGNMENTS });
    for (const { id, user_id } of guards.slice(0, EVENTS)) {
      await ask({ expect: id });
      await measured.ask('query', { text: clockIn(id, user_id) });
      await pause(BETWEEN_MS);
    }
    await pause(SETTLE_MS);
    const { delays, requests } = await ask({});
    return { delays, requests: requests - before.requests };
  } finally {
    boards.kill();
  }
}

export default async function operations() {
  const folder = mkdtempSync(path.join(tmpdir(), 'statesman-bench-'));
  const measured = await startMeasured(path.join(folder, 'data'));
  try {
    const { token, user } = await signIn(measured);
    const rankings = await rankingTimes((text) => measured.ask('query', { text }));
    await measured.ask('query', { text: FILL });
    const readings = [];
    for (let run = 0; run < RUNS; run += 1) {
      readings.push(await timeOf(measured, asCaller(user, 'public.operations_board()')));
    }
    const { delays, requests } = await eventsToBoards(measured, token);
    await measured.ask('query', { text: timeDueAlerts(DUE) });
    const [due] = await measured.ask('query', { text: 'select * from bench_times' });
    const p99 = quantile(delays, 0.99);
    const ranking = quantile(rankings, 0.95);
    const all = EVENTS * BOARDS;
    console.log(
      `${POSTS} posts, ${BOARDS} boards, ${EVENTS} clock events: ${requests} requests of the boards.\n`,
    );
    table(
      ['figure', 'measured', 'goal'],
      [
        [
          'clock events that reached the boards',
          `${delays.length}`,
          `${all}: ${verdict(delays.length === all)}`,
        ],
        ['event to board, median', milliseconds(median(delays)), ''],
        ['event to board, p99', milliseconds(p99), `1,000 ms: ${verdict(p99 < 1_000)}`],
        ['whole board, database, median', milliseconds(median(readings)), ''],
        [
          `${due.found} due alerts found`,
          milliseconds(due.find_ms),
          `100 ms: ${verdict(due.find_ms < 100)}`,
        ],
        ['the same stored and told', seconds(due.store_ms), ''],
        [
          `ranking of replacements for ${rankings.length} shifts, p95`,
          milliseconds(ranking),
          `200 ms: ${verdict(rankings.length > 0 && ranking < 200)}`,
        ],
      ],
    );
  } finally {
    await measured.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log('');
  await kiosk();
}
