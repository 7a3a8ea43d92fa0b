// While one account attacks, other people read, clock in, send enquiries and load pictures: before and during.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median, milliseconds, table } from '../backend/bench/support/report.mjs';
import { freePort, launch, stop } from '../scripts/test-server.mjs';
import { measurePictures } from './abuse-pictures.mjs';

const PASSWORD = 'Statesman-Demo-1';
const LOOPS = 16;
const GOAL_MS = 1_000;

/** Exponential in the length of the text; must be refused. */
const PATTERN = `notes=match.${encodeURIComponent(String.raw`^(.*)(.*)(.*)(.*)(.*)\1\2\3\4\5$`)}`;
/** Allowed: each level multiplies the rows, and the statement runs into its time limit. */
const EMBEDS = Array.from({ length: 4 }).reduce(
  (inner) => `sites(id,shifts(id${inner && `,${inner}`}))`,
  '',
);

const PHASES = [
  { name: 'quiet', seconds: 5, attack: undefined },
  {
    name: `${LOOPS} loops of match with back-references`,
    seconds: 8,
    attack: { path: `/deployments?select=id&${PATTERN}`, waitMs: 50 },
  },
  {
    name: `${LOOPS} loops of a query that takes the time limit`,
    seconds: 12,
    attack: { path: `/${EMBEDS.replace(/^sites\(/, 'sites?select=').slice(0, -1)}`, waitMs: 0 },
  },
];

const p99 = (times) => times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1];

/** Starts `work` at the pace whether or not the last one has ended. @returns milliseconds that each took */
async function paced(perSecond, seconds, work) {
  const started = performance.now();
  const open = [];
  for (let i = 0; i < perSecond * seconds; i += 1) {
    const due = started + (i * 1000) / perSecond;
    if (due > performance.now()) await pause(due - performance.now());
    const begun = performance.now();
    open.push(work(i).then(() => performance.now() - begun));
  }
  return Promise.all(open);
}

function rowOf({ name, what, times, answers }) {
  return [
    name,
    what,
    times.length,
    milliseconds(median(times)),
    milliseconds(p99(times)),
    p99(times) < GOAL_MS ? 'yes' : '**no**',
    [...answers].map(([status, count]) => `${status}: ${count}`).join(', '),
  ];
}

async function measure(url) {
  const { supabaseAnonKey: apikey } = await (await fetch(`${url}/app-config.json`)).json();
  const rest = async (token, target, body, signal) => {
    const answer = await fetch(`${url}/rest/v1${target}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        apikey,
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    });
    return { status: answer.status, text: await answer.text() };
  };
  const signIn = async (name) => {
    const answer = await fetch(`${url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey },
      body: JSON.stringify({ email: `${name}@statesman.example`, password: PASSWORD }),
    });
    return (await answer.json()).access_token;
  };
  const [attacker, admin, guard] = await Promise.all(['guard2', 'admin', 'guard'].map(signIn));

  const failures = new Map();
  const expectOk = ({ status, text }) => {
    if (status < 300) return;
    const seen = `${status} ${text.slice(0, 120)}`;
    failures.set(seen, (failures.get(seen) ?? 0) + 1);
  };
  const now = new Date().toISOString();
  const present = await rest(
    guard,
    `/assignments?select=id,shifts!inner(id)&shifts.start_time=lte.${now}&shifts.end_time=gt.${now}&limit=1`,
  );
  const [assignment] = JSON.parse(present.text);
  const gps = '6.3,-10.8';
  // Something long for the pattern to match.
  const stored = await rest(attacker, '/deployments', {
    guard_name: 'Attacker',
    location: 'Gate',
    shift_start: '2030-01-01T08:00:00Z',
    shift_end: '2030-01-01T16:00:00Z',
    notes: Array.from({ length: 800 }, () => Math.random().toString(36).at(-1)).join(''),
  });
  if (stored.status !== 201) throw new Error(`The attacker's row was refused: ${stored.text}`);

  const READS = [
    '/shifts?select=id,start_time,sites(name),assignments(id,status)&order=start_time.desc&limit=50',
    '/profiles?select=id,full_name&limit=20',
    '/deployments?select=*&order=shift_start.desc&limit=20',
  ];
  const kinds = [
    {
      what: 'read',
      perSecond: 20,
      work: (i) => rest(admin, READS[i % READS.length]).then(expectOk),
    },
    {
      what: 'clock-in or clock-out',
      perSecond: assignment ? 2 : 0,
      work: (i) =>
        rest(guard, '/rpc/record_clock_event', {
          p_id: crypto.randomUUID(),
          p_kind: i % 2 === 0 ? 'in' : 'out',
          p_assignment_id: assignment.id,
          p_device_at: new Date().toISOString(),
          p_gps: gps,
        }).then(expectOk),
    },
    {
      what: 'enquiry',
      // One address may send twenty in an hour.
      perSecond: 0.6,
      work: () =>
        fetch(`${url}/contact`, {
          method: 'POST',
          redirect: 'manual',
          body: new URLSearchParams({
            name: 'Measured Visitor',
            email: 'visitor@example.com',
            message: `Please call me back about guards. ${crypto.randomUUID()}`,
          }),
        }).then(async (answer) => {
          const text = await answer.text();
          if (answer.status >= 400) expectOk({ status: answer.status, text });
        }),
    },
  ];
  const rows = [];
  for (const { name, seconds, attack } of PHASES) {
    const ending = new AbortController();
    const answers = new Map();
    const loops = Array.from({ length: attack ? LOOPS : 0 }, async () => {
      while (!ending.signal.aborted) {
        const { status } = await rest(attacker, attack.path, undefined, ending.signal).catch(
          () => ({ status: 'cut off at the end' }),
        );
        answers.set(status, (answers.get(status) ?? 0) + 1);
        await pause(attack.waitMs);
      }
    });
    const times = await Promise.all(
      kinds.map(({ perSecond, work }) => paced(perSecond, seconds, work)),
    );
    ending.abort();
    await Promise.all(loops);
    kinds.forEach(({ what }, index) => {
      if (times[index].length > 0) rows.push(rowOf({ name, what, times: times[index], answers }));
    });
  }
  const [incident] = JSON.parse((await rest(attacker, '/incidents?select=id&limit=1')).text);
  if (incident === undefined) throw new Error('The attacker reads no incident.');
  const pictures = await measurePictures({
    ...{ url, apikey, admin, attacker, paced, expectOk },
    incident: incident.id,
  });
  for (const found of pictures) rows.push(rowOf({ what: 'picture', ...found }));
  return { rows, failures };
}

export default async function abuse() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'statesman-bench-'));
  const { child, url } = await launch({
    dataDir,
    port: await freePort(),
    env: { LOG_LEVEL: 'fatal' },
  });
  try {
    const { rows, failures } = await measure(url);
    table(
      ['attack', 'of others', 'requests', 'median', 'p99', 'under 1 s', 'answers to the attack'],
      rows,
    );
    for (const [answer, count] of failures) console.log(`\n${count} of the others' got: ${answer}`);
  } finally {
    await stop(child);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
