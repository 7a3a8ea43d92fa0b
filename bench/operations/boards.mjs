// Open boards without a browser: each with its own connection, doing what the screen does with the same code.
import { createClient } from '@supabase/supabase-js';
import ws from 'ws';
import { createLiveBoard } from '../../web/features/operations/board/live-board.ts';
import { boardSchema } from '../../web/features/operations/board/operations-schema.ts';
import { BOARD_TABLES, windowAt } from '../../web/features/operations/board/seat-states.ts';

const [url, anonKey, token, count] = process.argv.slice(2);

/** When each expected clock-in was sent, milliseconds. */
const sentAt = new Map();
const delays = [];
let requests = 0;

async function openBoard(number) {
  const client = createClient(url, anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { headers: { authorization: `Bearer ${token}` } },
    realtime: { transport: ws },
  });
  await client.realtime.setAuth(token);
  const fetchBoard = async (input) => {
    requests += 1;
    const { data } = await client.rpc('operations_board', input).throwOnError();
    return boardSchema.parse(data);
  };
  const live = createLiveBoard({
    fetchWindow: (now) => fetchBoard(windowAt(now)),
    fetchShifts: (ids) => fetchBoard({ p_shift_ids: ids }),
  });
  const seen = new Set();
  live.subscribe(() => {
    const { error } = live.get();
    if (error) throw error;
    for (const { guards } of live.get().board?.shifts.values() ?? []) {
      for (const { assignment_id: id, clock_in } of guards) {
        const sent = sentAt.get(id);
        if (sent === undefined || clock_in === null || seen.has(id)) continue;
        seen.add(id);
        delays.push(Date.now() - sent);
      }
    }
  });
  live.start();
  await Promise.all(
    BOARD_TABLES.map(
      (table) =>
        new Promise((resolve, reject) => {
          client
            .channel(`board:${number}:${table}`)
            .on('postgres_changes', { event: '*', schema: 'public', table }, (change) =>
              live.changed(table, change),
            )
            .on('system', {}, ({ status }) => status === 'ok' && resolve())
            .subscribe((_status, error) => error && reject(error));
        }),
    ),
  );
}

for (let number = 0; number < Number(count); number += 1) await openBoard(number);
process.on('message', ({ id, expect }) => {
  if (expect === undefined) process.send({ id, delays, requests });
  else {
    sentAt.set(expect, Date.now());
    process.send({ id });
  }
});
process.send({ ready: true });
