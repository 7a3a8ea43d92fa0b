// Realtime with a thousand clients: delivery delay, joins, memory per client, and the cost of subscribers to a writer.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { child } from './support/child.mjs';
import { median, milliseconds, table } from './support/report.mjs';
import { startProject } from './support/start-project.mjs';

const CLIENTS = 1000;
const PROCESSES = 2;
const PER_SECOND = 100;
const SECONDS = 6;
const SITES = 10;
/** Sessions in the first scenario, 50 screens each. */
const FEW = 20;
/** supabase-js clients beside the raw sockets. */
const REAL = 5;

const kilobytes = (bytes) => `${(bytes / 1024 / CLIENTS).toFixed(1)} kB`;

/** The policy queries a table, as the app's policies do; rows of site 0 are visible to all. */
const TABLE = `
  create table public.bench_member (user_id uuid primary key, site int not null);
  create table public.bench_note (id bigint generated always as identity primary key, site int not null,
    sent_ns text, guard_name text default 'Guard of the bench', location text default 'Old Road, Monrovia',
    starts timestamptz default now(), ends timestamptz default now());
  grant select on public.bench_member, public.bench_note to authenticated;
  alter table public.bench_member enable row level security;
  alter table public.bench_note enable row level security;
  create policy "Members see themselves" on public.bench_member for select using (user_id = (select auth.uid()));
  create policy "Members read their site" on public.bench_note for select using (
    site = 0 and exists (select from public.bench_member where user_id = (select auth.uid()))
    or site in (select site from public.bench_member where user_id = (select auth.uid())));
  create table public.bench_shift (id bigint generated always as identity primary key, user_id uuid not null, sent_ns text,
    starts timestamptz default now(), ends timestamptz default now());
  create index on public.bench_shift (user_id);
  grant select on public.bench_shift to authenticated;
  alter table public.bench_shift enable row level security;
  create policy "Members read their own shifts" on public.bench_shift for select using (
    user_id = (select auth.uid()) and exists (select from public.bench_member where user_id = (select auth.uid())));
  alter publication supabase_realtime add table public.bench_note, public.bench_shift;`;

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

const INSERT = {
  bench_note: 'insert into public.bench_note (site, sent_ns) values ($1, $2)',
  bench_shift: 'insert into public.bench_shift (user_id, sent_ns) values ($1, $2)',
};

/** Writes at a fixed rate, one transaction each. @param firstOf of the row's first column @returns milliseconds per write */
async function write(writer, { table, firstOf }, seconds) {
  const times = [];
  const started = performance.now();
  for (let i = 0; i < PER_SECOND * seconds; i += 1) {
    const due = started + (i * 1000) / PER_SECOND;
    if (due > performance.now()) await pause(due - performance.now());
    const begun = performance.now();
    await writer.query(INSERT[table], [firstOf(i), String(process.hrtime.bigint())]);
    times.push(performance.now() - begun);
  }
  return times;
}

async function deliveries(clients, expected) {
  const delays = [];
  for (let round = 0; delays.length < expected && round < 100; round += 1) {
    for (const one of clients) for (const delay of await one.ask('take')) delays.push(delay);
    if (delays.length < expected) await pause(100);
  }
  return delays.sort((a, b) => a - b);
}

const script = (name) => path.join(import.meta.dirname, 'realtime', name);

/** Raw sockets in child processes, and a few supabase-js clients. */
async function openClients() {
  const raw = [];
  for (let i = 0; i < PROCESSES; i += 1) raw.push(await child(script('clients.mjs')));
  return { raw, real: await child(script('supabase-clients.mjs')) };
}

async function measure(rows, { server, writer, clients }, scenario) {
  const { what, users, table: heard, readers, filterOf } = scenario;
  const { url, anonKey } = server.ready;
  const alone = await write(writer, scenario, SECONDS / 2);
  const tokens = await server.ask('tokens', users);
  const before = await server.ask('memory');
  const joins = await Promise.all(
    clients.raw.map((one, i) =>
      one.ask('join', {
        ...{ port: Number(new URL(url).port), anonKey, table: heard },
        // The same user id means the same session: several screens of one sign-in.
        clients: Array.from({ length: CLIENTS }, (_, n) => n % users.length)
          .filter((_, n) => n % PROCESSES === i)
          .map((user) => ({ token: tokens[user], filter: filterOf?.(users[user]) })),
      }),
    ),
  );
  const joined = await server.ask('memory');
  const ofHeap = ({ heapUsed, external }) => heapUsed + external;
  rows.push(
    [`**${what}**`, '', ''],
    [`${CLIENTS} joins at once, until the last is live`, '', milliseconds(Math.max(...joins))],
    [
      'one joined client, resident / heap and buffers',
      'under 30 kB',
      `${kilobytes(joined.rss - before.rss)} / ${kilobytes(ofHeap(joined) - ofHeap(before))}`,
    ],
  );
  await clients.real.ask('join', { url, anonKey, token: tokens[0], count: REAL, table: heard });

  const times = await write(writer, scenario, SECONDS);
  const expected = PER_SECOND * SECONDS * readers;
  const delays = await deliveries(clients.raw, expected);
  const real = await deliveries([clients.real], 1);
  const used = await server.ask('memory');
  const cpu = (used.cpu.user + used.cpu.system - joined.cpu.user - joined.cpu.system) / 1e6;
  const all = delays.length === expected ? 'all' : `**of ${expected}**`;
  rows.push(
    [
      `${PER_SECOND} changes a second: median / 99th / longest of ${delays.length} deliveries (${all})`,
      'under 50 / 250 ms',
      [at(delays, 0.5), at(delays, 0.99), at(delays, 1)].map(milliseconds).join(' / '),
    ],
    [
      `the same in the callbacks of ${REAL} supabase-js clients`,
      '',
      [at(real, 0.5), at(real, 0.99), at(real, 1)].map(milliseconds).join(' / '),
    ],
    ['the server process during this', '', `${(cpu / SECONDS).toFixed(2)} of a core`],
    [
      'a write, against one without listeners (medians)',
      'under 1.2 times',
      `${milliseconds(median(times))} / ${milliseconds(median(alone))} = ${(median(times) / median(alone)).toFixed(2)}`,
    ],
  );
  for (const one of [...clients.raw, clients.real]) await one.ask('close');
}

export default async function realtime() {
  const folder = mkdtempSync(path.join(tmpdir(), 'backend-bench-'));
  const server = await startProject({ DATA_DIR: folder });
  const clients = await openClients();
  const writer = new pg.Client(server.ready.connection);
  try {
    await writer.connect();
    await writer.query(TABLE);
    const users = Array.from({ length: CLIENTS }, () => crypto.randomUUID());
    await writer.query(
      `insert into public.bench_member select u, (i - 1) % ${SITES} + 1 from unnest($1::uuid[]) with ordinality as t (u, i)`,
      [users],
    );
    await writer.query('analyze public.bench_member');
    const notes = { table: 'bench_note', users };
    const everyone = { ...notes, firstOf: () => 0, readers: CLIENTS };
    // Rows of one person at a time, as shifts and clock-ins.
    const own = { table: 'bench_shift', users, firstOf: (i) => users[i % CLIENTS], readers: 1 };
    const scenarios = [
      { what: `${FEW} sign-ins, each on many screens`, ...everyone, users: users.slice(0, FEW) },
      { what: `${CLIENTS} sign-ins, everyone may read each change`, ...everyone },
      {
        what: `${CLIENTS} sign-ins, one in ${SITES} may read each change`,
        ...{ ...notes, firstOf: (i) => (i % SITES) + 1, readers: CLIENTS / SITES },
      },
      { what: `${CLIENTS} sign-ins, one may read each change`, ...own },
      {
        what: `${CLIENTS} sign-ins, each with a filter for its own rows`,
        ...{ ...own, filterOf: (user) => `user_id=eq.${user}` },
      },
    ];
    const rows = [];
    for (const scenario of scenarios) {
      await measure(rows, { server, writer, clients }, scenario);
      await pause(500);
    }
    const [load] = loadavg();
    console.log(`${cpus().length} processors, load ${load.toFixed(1)} at the end.\n`);
    table(['what', 'goal', 'measured'], rows);
  } finally {
    await writer.end();
    for (const one of [...clients.raw, clients.real]) one.end();
    await server.ask('stop');
    rmSync(folder, { recursive: true, force: true });
  }
}
