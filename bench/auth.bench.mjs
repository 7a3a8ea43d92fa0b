// How long a light read waits while others sign in, the cost of a token check, and whether timing tells if an account exists.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median, milliseconds, table } from '../backend/bench/support/report.mjs';
import { ROOT } from '../scripts/setup.mjs';
import { freePort, launch, stop } from '../scripts/test-server.mjs';

const READS_PER_SECOND = 50;
const SIGN_INS_PER_SECOND = 30;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
/** Idle and busy rounds alternate, so that other load on the machine affects both. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const PASSWORD = 'A-Password-Of-The-Bench-1';
const NAMES = ['anna', 'ben', 'clara', 'daniel', 'emma', 'felix'];
const emailOf = (name) => `${name}@bench.example`;
/** Below the limit on wrong passwords of one account. */
const GUESSES = 8;

const p99 = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)];
/** The median round, and all rounds. */
const rounds = (values) =>
  `${milliseconds(median([...values]))} (${values.map((value) => value.toFixed(1)).join(', ')})`;

/** Starts `work` at a fixed rate whether or not the previous call has ended. @returns milliseconds per call */
async function paced(perSecond, work) {
  const started = performance.now();
  const open = [];
  for (let i = 0; i < perSecond * SECONDS; i += 1) {
    const due = started + (i * 1000) / perSecond;
    if (due > performance.now()) await pause(due - performance.now());
    const begun = performance.now();
    open.push(work(i).then(() => performance.now() - begun));
  }
  return Promise.all(open);
}

/** Back to back, which keeps the cores awake: waking one takes longer than the read itself. */
async function backToBack(work) {
  const times = [];
  const ending = performance.now() + SECONDS * 1000;
  while (performance.now() < ending) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return times;
}

/** @throws Error when an account is refused */
async function addAccounts(url, dataDir) {
  const script = ['scripts/start.mjs', 'keys'];
  const env = { ...process.env, DATA_DIR: dataDir };
  const keys = execFileSync(process.execPath, script, { cwd: ROOT, env }).toString();
  const key = /^secret key:\s+(\S+)$/m.exec(keys)?.[1];
  for (const name of NAMES) {
    const answer = await fetch(`${url}/auth/v1/admin/users`, {
      method: 'POST',
      headers: { apikey: key },
      body: JSON.stringify({ email: emailOf(name), password: PASSWORD, email_confirm: true }),
    });
    if (!answer.ok) throw new Error(`An account was answered with ${answer.status}.`);
  }
}

async function measure(url) {
  const { supabaseAnonKey: apikey } = await (await fetch(`${url}/app-config.json`)).json();
  let host = 0;
  const signIn = async (email, password = PASSWORD) => {
    host += 1;
    const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      // A different address each time, to stay below the rate limits.
      headers: { apikey, 'x-forwarded-for': `10.2.${(host >> 8) & 255}.${host & 255}` },
      body: JSON.stringify({ email, password }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const { body } = await signIn(emailOf(NAMES[0]));
  const headers = { apikey, authorization: `Bearer ${body.access_token}` };
  const read = async () => {
    const answer = await fetch(`${url}/rest/v1/profiles?select=id&limit=1`, { headers });
    if (!answer.ok) throw new Error(`A read was answered with ${answer.status}.`);
    await answer.text();
  };
  for (let i = 0; i < 50; i += 1) await read();

  const signIns = [];
  const besideSignIns = async (reading) => {
    const signingIn = paced(SIGN_INS_PER_SECOND, async (i) => {
      const { status } = await signIn(emailOf(NAMES[i % NAMES.length]));
      if (status !== 200) throw new Error(`A sign-in was answered with ${status}.`);
    });
    const times = await reading();
    signIns.push(...(await signingIn));
    return times;
  };
  const ways = [
    { name: `${READS_PER_SECOND} a second`, reading: () => paced(READS_PER_SECOND, read) },
    { name: 'one after another', reading: () => backToBack(read) },
  ];
  const reads = [];
  for (const { name, reading } of ways) {
    const calm = [];
    const busy = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      calm.push(await reading());
      busy.push(await besideSignIns(reading));
    }
    reads.push({ name, calm, busy });
  }

  const known = [];
  const unknown = [];
  for (let i = 0; i < GUESSES * NAMES.length; i += 1) {
    for (const [times, email] of [
      [known, emailOf(NAMES[i % NAMES.length])],
      [unknown, emailOf(`nobody${i % NAMES.length}`)],
    ]) {
      const begun = performance.now();
      await signIn(email, 'wrong-one');
      times.push(performance.now() - begun);
    }
  }
  return { reads, signIns, known: median(known), unknown: median(unknown) };
}

export default async function auth() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'statesman-bench-'));
  let child;
  try {
    const launched = await launch({
      dataDir,
      port: await freePort(),
      // Without the demo, which does not start where it trusts a proxy.
      env: { DEMO: 'off', TRUST_PROXY: 'on', LOG_LEVEL: 'fatal' },
    });
    child = launched.child;
    await addAccounts(launched.url, dataDir);
    const { reads, signIns, known, unknown } = await measure(launched.url);
    const script = ['--import', 'tsx', 'backend/bench/token-check.ts'];
    const token = JSON.parse(execFileSync(process.execPath, script, { cwd: ROOT }).toString());
    const ratios = ({ calm, busy }) => calm.map((times, round) => p99(busy[round]) / p99(times));
    table(
      ['what', 'goal', 'measured'],
      [
        ...reads.flatMap((way) => [
          [`light reads, ${way.name}: 99th percentile, idle`, '', rounds(way.calm.map(p99))],
          [`beside ${SIGN_INS_PER_SECOND} sign-ins a second`, '', rounds(way.busy.map(p99))],
          [
            'times idle, by round',
            'under 3',
            ratios(way)
              .map((ratio) => ratio.toFixed(1))
              .join(', '),
          ],
        ]),
        ['a sign-in, median', '', milliseconds(median(signIns))],
        ['a sign-in, 99th percentile', '', milliseconds(p99(signIns))],
        ['a token, checked the first time', '', milliseconds(token.first / 1000)],
        ['a token, once it was seen', 'under 0.1 ms', milliseconds(token.seen / 1000)],
        [
          'wrong password, known and unknown account, median',
          'alike',
          `${milliseconds(known)} and ${milliseconds(unknown)}`,
        ],
      ],
    );
  } finally {
    if (child) await stop(child);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
