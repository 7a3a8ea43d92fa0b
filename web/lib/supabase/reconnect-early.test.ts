import { once } from 'node:events';
import { createServer } from 'node:net';
import { RealtimeClient } from '@supabase/supabase-js';
import { afterEach, expect, it, vi } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { reconnectEarly } from './reconnect-early.ts';

const browser = new EventTarget();
/** Of realtime-js, oldest first. */
const sockets: WebSocket[] = [];

class Socket extends WebSocket {
  constructor(url: string | URL) {
    super(url);
    sockets.push(this);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('There is no port.');
  return address.port;
}

/** A client whose first attempt has failed. Its own attempts are stopped with the clock. */
async function disconnected(port: number): Promise<RealtimeClient> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  const url = `ws://127.0.0.1:${port}`;
  const realtime = new RealtimeClient(url, {
    params: { apikey: 'key' },
    transport: Socket as never,
  });
  reconnectEarly(realtime);
  realtime.channel('rows').subscribe();
  const [first] = sockets;
  if (first === undefined) throw new Error('realtime-js has not tried to connect.');
  await new Promise((resolve) => first.once('close', resolve));
  return realtime;
}

afterEach(() => {
  vi.useRealTimers();
  sockets.length = 0;
});

it('connects when the network is back, and not only when its own pause is over', async () => {
  const port = await freePort();
  const realtime = await disconnected(port);
  const server = new WebSocketServer({ port, host: '127.0.0.1' });
  await once(server, 'listening');
  const connected = once(server, 'connection');
  browser.dispatchEvent(new Event('online'));
  await connected;
  expect(sockets).toHaveLength(2);
  vi.useRealTimers();
  await realtime.disconnect();
  server.close();
});
