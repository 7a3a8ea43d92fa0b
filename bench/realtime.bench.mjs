// Live changes with a thousand clients: delay of delivery, joins, memory of a client, and what a listener costs a writer.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { child } from './realtime/child.mjs';
import { median, milliseconds, table } from './report.mjs';

const CLIENTS = Number(process.env.BENCH_CLIENTS ?? 1000);
const PROCESSES = 2;
const PER_SECOND = Number(process.env.BENCH_RATE ?? 100);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const SITES = 10;

/** Everyone's policy looks into a table, as those of the product do; a row of site 0 is for all. */
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
  alter publication supabase_realtime add table public.bench_note;`;

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];

/** Writes at the pace, each in a transaction of its own. @returns milliseconds that each write took */
async function write(writer, siteOf, seconds) {
  const times = [];
  const started = performance.now();
  for (let i = 0; i < PER_SECOND * seconds; i += 1) {
    const due = started + (i * 1000) / PER_SECOND;
    if (due > performance.now()) await pause(due - performance.now());
    const begun = performance.now();
    await writer.query('insert into public.bench_note (site, sent_ns) values ($1, $2)', [
      siteOf(i),
      String(process.hrtime.bigint()),
    ]);
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

async function measure(rows, server, writer, clients) {
  const { url, anonKey } = server.ready;
  const port = Number(new URL(url).port);
  const users = Array.from({ length: CLIENTS }, () => crypto.randomUUID());
  await writer.query(
    `insert into public.bench_member select u, (i - 1) % ${SITES} + 1 from unnest($1::uuid[]) with ordinality as t (u, i)`,
    [users],
  );
  const tokens = await server.ask('tokens', users);
  const share = (list) =>
    clients.map((_, i) => list.filter((__, position) => position % PROCESSES === i));

  const before = await server.ask('memory');
  await Promise.all(
    share(tokens).map((part, i) => clients[i].ask('join', { port, anonKey, tokens: part })),
  );
  const idle = await server.ask('memory');
  const kilobytes = (bytes) => `${(bytes / 1024 / CLIENTS).toFixed(1)} kB`;
  rows.push([
    `idle client (of ${CLIENTS}): resident / heap and buffers`,
    'under 30 kB',
    `${kilobytes(idle.rss - before.rss)} / ${kilobytes(idle.heapUsed + idle.external - before.heapUsed - before.external)}`,
  ]);
  for (const one of clients) await one.ask('close');
  await pause(500);

  const alone = await write(writer, () => 0, 4);
  const joins = await Promise.all(
    share(tokens).map((part, i) =>
      clients[i].ask('join', { port, anonKey, tokens: part, table: 'bench_note' }),
    ),
  );
  rows.push([
    `${CLIENTS} joins at once, until the last is live`,
    '',
    milliseconds(Math.max(...joins)),
  ]);

  const scenarios = [
    ['each change for every client', () => 0, CLIENTS],
    [`each change for one client in ${SITES}`, (i) => (i % SITES) + 1, CLIENTS / SITES],
  ];
  for (const [what, siteOf, readers] of scenarios) {
    const cpu = await server.ask('memory');
    const times = await write(writer, siteOf, SECONDS);
    const expected = PER_SECOND * SECONDS * readers;
    const delays = await deliveries(clients, expected);
    const used = await server.ask('memory');
    const share = (used.cpu.user + used.cpu.system - cpu.cpu.user - cpu.cpu.system) / 1e6 / SECONDS;
    rows.push([
      `${PER_SECOND} changes a second, ${what}: median / 99th / longest of ${delays.length} (${delays.length === expected ? 'all' : `**${expected}**`})`,
      'under 50 / 250 ms',
      `${milliseconds(at(delays, 0.5))} / ${milliseconds(at(delays, 0.99))} / ${milliseconds(delays.at(-1))}; server at ${share.toFixed(2)} of a core`,
    ]);
    rows.push([
      'a write meanwhile, against one without listeners (medians)',
      'under 1.2 times',
      `${milliseconds(median(times))} / ${milliseconds(median(alone))} = ${(median(times) / median(alone)).toFixed(2)}`,
    ]);
  }
}

export default async function realtime() {
  const folder = mkdtempSync(path.join(tmpdir(), 'statesman-bench-'));
  const server = await child('./server.mjs', { DATA_DIR: folder });
  const clients = [];
  for (let i = 0; i < PROCESSES; i += 1) clients.push(await child('./clients.mjs'));
  const writer = new pg.Client(server.ready.connection);
  try {
    await writer.connect();
    await writer.query(TABLE);
    const rows = [];
    await measure(rows, server, writer, clients);
    table(['what', 'goal', 'measured'], rows);
  } finally {
    await writer.end();
    for (const one of clients) one.end();
    await server.ask('stop');
    rmSync(folder, { recursive: true, force: true });
  }
}
