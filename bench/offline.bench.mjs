// 200 guards each work a shift over a connection that loses 30% of requests, half of them after the server has written.
// Reports what is stored at the end and the bytes of a clock event on the wire. Uses the app's own outbox code.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import pg from 'pg';
import { register } from 'tsx/esm/api';
import { WebSocket } from 'ws';
import { child } from '../backend/bench/support/child.mjs';
import { seconds, table } from '../backend/bench/support/report.mjs';
import { built } from './built.mjs';

register();
const { roughLine } = await import('../tests/e2e/support/rough-line.ts');
const { waitingEntry } = await import('../web/lib/outbox/entry.ts');
const { memoryStore } = await import('../web/lib/outbox/memory-store.ts');
const { retryDelay } = await import('../web/lib/outbox/retry-loop.ts');
const { sendWaiting } = await import('../web/lib/outbox/sender.ts');
const { hashOf } = await import('../web/features/clocking/clock/clock-event.ts');
const { sendClockEvent } = await import('../web/features/clocking/clock/send-clock-event.ts');

const GUARDS = 200;
const LOST = 0.3;

/** Headers that Chromium on a phone sends with each request. */
const PHONE_HEADERS = {
  'x-client-info': 'outbox',
  'user-agent':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  'sec-ch-ua': '"Chromium";v="140", "Not=A?Brand";v="24", "Google Chrome";v="140"',
  'sec-ch-ua-mobile': '?1',
  'sec-ch-ua-platform': '"Android"',
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-LR,en;q=0.9',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
};

async function makeGuards(database, server) {
  const { rows } = await database.query(
    `with guard as (
       insert into auth.users (id, email)
       select id, id || '@bench.example' from (select gen_random_uuid() as id from generate_series(1, $1)) n
       returning id
     ), site as (
       insert into sites (name, client_name, address, latitude, longitude)
       values ('Bench Gate', 'Bench', 'Monrovia', 6.3, -10.8) returning id
     ), shift as (
       insert into shifts (site_id, start_time, end_time, required_headcount)
       select id, now() - interval '1 hour', now() + interval '7 hours', $1 from site returning id
     )
     select guard.id as "userId", shift.id as "shiftId", gen_random_uuid() as "assignmentId" from guard, shift`,
    [GUARDS + 1],
  );
  await database.query(
    `insert into assignments (id, shift_id, user_id)
     select * from unnest($1::uuid[], $2::uuid[], $3::uuid[])`,
    ['assignmentId', 'shiftId', 'userId'].map((column) => rows.map((row) => row[column])),
  );
  const tokens = await server.ask(
    'tokens',
    rows.map(({ userId }) => userId),
  );
  return rows.map((row, index) => ({ ...row, token: tokens[index] }));
}

async function eventOf(guard, kind, attendanceId, previousHash) {
  const id = crypto.randomUUID();
  const event = {
    ...{ id, kind, assignmentId: guard.assignmentId, attendanceId: attendanceId ?? id },
    ...{ deviceAt: Date.now(), offsetMs: 12, enteredAt: null, gps: '6.300012,-10.800034' },
    ...{ accuracyM: 12, fixAgeS: 3, reason: null, previousHash },
  };
  return { ...event, hash: await hashOf(event) };
}

/** Clocks in and out through the guard's outbox. @returns event ids, send passes, and entries the server refused */
async function work(guard, url, anonKey) {
  const store = memoryStore();
  const connection = createClient(url, anonKey, {
    accessToken: async () => guard.token,
    global: { headers: PHONE_HEADERS },
    // Node 20 has no WebSocket of its own.
    realtime: { transport: WebSocket },
  });
  const ids = [];
  let passes = 0;
  let previous;
  for (const kind of ['in', 'out']) {
    const event = await eventOf(guard, kind, previous?.id, previous?.hash ?? null);
    previous = event;
    ids.push(event.id);
    const entry = {
      id: event.id,
      userId: guard.userId,
      kind: 'clock',
      title: kind,
      payload: event,
    };
    await store.add(waitingEntry(entry, Date.now(), 12), []);
    for (let failures = 1; ; failures += 1) {
      passes += 1;
      const outcome = await sendWaiting({
        store,
        kind: 'clock',
        isOrdered: true,
        refreshToken: async () => false,
        currentUser: async () => ({ userId: guard.userId, connection }),
        loadSender: async () => sendClockEvent,
        onChange: () => {},
      });
      if (outcome === 'done') break;
      await pause(retryDelay(failures, Math.random()));
    }
  }
  return { ids, passes, refused: (await store.listOf(guard.userId)).length };
}

async function measure(server) {
  const database = new pg.Client(server.ready.connection);
  await database.connect();
  const line = await roughLine(server.ready.url, /record_clock_event/);
  try {
    const [lone, ...guards] = await makeGuards(database, server);
    await work(lone, line.url, server.ready.anonKey);
    const bytes = line.bytes() / 2;
    await database.query('delete from attendance');

    line.becomes(() => {
      const luck = Math.random();
      return luck < LOST / 2 ? 'down' : luck < LOST ? 'loses answers' : 'good';
    });
    const started = performance.now();
    const shifts = await Promise.all(
      guards.map((guard) => work(guard, line.url, server.ready.anonKey)),
    );
    const took = performance.now() - started;
    const ids = shifts.flatMap((shift) => shift.ids);
    const { rows } = await database.query(
      `select
         (select count(*)::int from clock_events) as events,
         (select count(*)::int from clock_events where id = any ($1)) as known,
         (select count(*)::int from clock_events where not chain_intact) as broken,
         (select count(*)::int from attendance) as records,
         (select count(*)::int from attendance where clock_out_at is not null) as closed`,
      [ids],
    );
    const [stored] = rows;
    const refused = shifts.reduce((sum, shift) => sum + shift.refused, 0);
    const lost = line.met.down + line.met['loses answers'];
    const all = lost + line.met.good - 2;
    table(
      ['What', 'Figure', 'Target'],
      [
        ['guards, each clocking in and out', String(GUARDS), '200'],
        [
          'requests lost before / after the write',
          `${line.met.down} / ${line.met['loses answers']} of ${all} (${Math.round((100 * lost) / all)}%)`,
          '30%',
        ],
        ['events stored', String(stored.events), String(2 * GUARDS)],
        ['events lost', String(ids.length - stored.known), '0'],
        ['events doubled', String(stored.events - stored.known), '0'],
        [
          'records of attendance, closed',
          `${stored.records}, ${stored.closed}`,
          `${GUARDS}, ${GUARDS}`,
        ],
        ['events refused', String(refused), '0'],
        ['events out of order', String(stored.broken), '0'],
        ['until everything was stored', seconds(took), ''],
        ['bytes on the wire for a clock event', String(Math.round(bytes)), 'under 3000'],
      ],
    );
  } finally {
    await line.close();
    await database.end();
  }
}

export default async function offline() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'statesman-bench-'));
  const entry = path.join(import.meta.dirname, 'offline', 'server.mjs');
  const server = await child(await built(entry, 'bench-offline-server'), { DATA_DIR: dataDir });
  try {
    await measure(server);
  } finally {
    await server.ask('stop').catch(() => {});
    server.end();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
