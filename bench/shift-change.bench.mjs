// A month's shift change: 50,000 guards clock in within 15 minutes, over connections that lose answers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { child } from '../backend/bench/support/child.mjs';
import { processorTimeOfTree } from '../backend/bench/support/processor-time.mjs';
import { milliseconds, seconds, table } from '../backend/bench/support/report.mjs';
import { SetupError } from '../scripts/setup.mjs';
import { built } from './built.mjs';
import { comingGuards, fill, GUARDS, STORED } from './shift-change/company.mjs';

const MINUTES = 15;
const PER_SECOND = GUARDS / MINUTES / 60;
/** Clock-ins before the measurement, which load code and plans. */
const FIRST = 1_000;
/** Phones of other guards that have the app open. */
const LISTENING = 1_000;
/** Subscriptions of their first screen. */
const LISTENED = ['attendance', 'assignments'];
const GOAL_MS = 500;

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
const verdict = (isMet) => (isMet ? 'yes' : '**no**');

function minutesOf(options) {
  const index = options.indexOf('--minutes');
  const minutes = index < 0 ? MINUTES : Number(options[index + 1]);
  if (!(minutes > 0 && minutes <= MINUTES))
    throw new SetupError(`--minutes needs a number above 0, ${MINUTES} at most.`);
  return minutes;
}

async function startPhones() {
  const entry = path.join(import.meta.dirname, 'shift-change', 'phones.mjs');
  return child(await built(entry, 'bench-shift-change-phones'));
}

/** Each with a filter for its own rows, as `ownRows` in the app. */
async function listen({ url, anonKey }, guards) {
  const listeners = await child(
    path.join(import.meta.dirname, '../backend/bench/realtime/clients.mjs'),
  );
  const clients = guards.map(({ userId, token }) => ({ token, filter: `user_id=eq.${userId}` }));
  for (const table of LISTENED) {
    await listeners.ask('join', { port: Number(new URL(url).port), anonKey, table, clients });
  }
  return listeners;
}

async function measure(server, phones, minutes) {
  const database = new pg.Client(server.ready.connection);
  await database.connect();
  try {
    const count = Math.min(GUARDS - FIRST - LISTENING, Math.round(PER_SECOND * 60 * minutes));
    console.error(`Filling in ${GUARDS} guards`);
    // A third of them comes after the shift has begun.
    await database.query(fill((minutes * 2) / 3));
    const { rows } = await database.query(comingGuards(FIRST + count + LISTENING));
    const tokens = await server.ask(
      'tokens',
      rows.map(({ userId }) => userId),
    );
    const guards = rows.map((row, index) => ({ ...row, token: tokens[index] }));
    const { url, anonKey } = server.ready;
    const clockIn = (some) =>
      phones.ask('change', { guards: some, perSecond: PER_SECOND, url, anonKey });
    const listeners = await listen(server.ready, guards.splice(FIRST + count));
    const first = await clockIn(guards.slice(0, FIRST));
    console.error(`${count} clock-ins, ${PER_SECOND.toFixed(1)} a second`);
    const before = processorTimeOfTree(server.pid);
    const run = await clockIn(guards.slice(FIRST));
    const after = processorTimeOfTree(server.pid);
    listeners.end();
    const sent = [...first.events, ...run.events];
    const { rows: stored } = await database.query(STORED, [sent.map(({ id }) => id)]);
    return { run, sent: sent.length, stored: stored[0], before, after };
  } finally {
    await database.end();
  }
}

function report({ run, sent, stored, before, after }) {
  const { events, counts, tookMs } = run;
  const answers = Float64Array.from(events.flatMap(({ attempts }) => attempts)).sort();
  const whole = Float64Array.from(events.flatMap((event) => event.tookMs ?? [])).sort();
  const p99 = at(answers, 0.99);
  const lost = sent - Math.min(stored.known, stored.records, stored.present);
  const doubled = stored.events - stored.known + stored.doubled;
  const each = (part) => milliseconds((after[part] - before[part]) / events.length);
  table(
    ['figure', 'measured', 'goal'],
    [
      ['clock-ins sent', String(events.length), ''],
      ['phones that listen to live changes', String(LISTENING), ''],
      ['in', seconds(tookMs), ''],
      ['requests, with repeats', String(counts.requests), ''],
      ['answers lost, connections cut', `${counts.lostAnswers}, ${counts.cut}`, ''],
      ['stored', `${stored.known} of ${sent}`, ''],
      ['lost', String(lost), `0: ${verdict(lost === 0)}`],
      ['doubled', String(doubled), `0: ${verdict(doubled === 0)}`],
      ['refused, out of order', `${counts.refused}, ${stored.broken}`, '0, 0'],
      ['answer, median', milliseconds(at(answers, 0.5)), ''],
      ['answer, p95', milliseconds(at(answers, 0.95)), ''],
      ['answer, p99', milliseconds(p99), `${GOAL_MS} ms: ${verdict(p99 < GOAL_MS)}`],
      ['answer, slowest', milliseconds(at(answers, 1)), ''],
      ['clock-in confirmed, repeats included, p99', milliseconds(at(whole, 0.99)), ''],
      ['processor time per clock-in, server', each('own'), ''],
      ['processor time per clock-in, PostgreSQL', each('descendants'), ''],
    ],
  );
}

/** @param {string[]} options `--minutes` of the 15, at the same rate */
export default async function shiftChange(options = []) {
  const minutes = minutesOf(options);
  const dataDir = mkdtempSync(path.join(tmpdir(), 'statesman-bench-'));
  const entry = path.join(import.meta.dirname, 'offline', 'server.mjs');
  const server = await child(await built(entry, 'bench-offline-server'), { DATA_DIR: dataDir });
  try {
    const phones = await startPhones();
    try {
      report(await measure(server, phones, minutes));
    } finally {
      phones.end();
    }
  } finally {
    await server.ask('stop').catch(() => {});
    server.end();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
