// A few supabase-js clients: the delay a screen sees, library overhead included.
import { createClient } from '@supabase/supabase-js';
import ws from 'ws';

const delays = [];
const clients = [];

async function join({ url, anonKey, token, count, table }) {
  for (let n = 0; n < count; n += 1) {
    const client = createClient(url, anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: ws },
    });
    clients.push(client);
    await client.realtime.setAuth(token);
    await new Promise((resolve, reject) => {
      client
        .channel('bench')
        .on('postgres_changes', { event: '*', schema: 'public', table }, (change) =>
          delays.push((Number(process.hrtime.bigint()) - Number(change.new.sent_ns)) / 1e6),
        )
        .on('system', {}, ({ status, message }) =>
          status === 'ok' ? resolve() : reject(new Error(message)),
        )
        .subscribe();
    });
  }
}

const answers = {
  join,
  take: () => delays.splice(0),
  close: async () => {
    for (const client of clients.splice(0)) await client.removeAllChannels();
    delays.splice(0);
  },
};

process.on('message', async ({ id, ask, input }) => {
  process.send({ id, answer: (await answers[ask](input)) ?? null });
});
process.send({ ready: true });
