import { once } from 'node:events';
import { RealtimeClient } from '@supabase/supabase-js';
import { afterEach, expect, it, vi } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { reconnectEarly } from './reconnect-early.ts';

const browser = new EventTarget();
/** Sockets of realtime-js, oldest first. */
const sockets: WebSocket[] = [];

class Socket extends WebSocket {
  constructor(url: string | URL) {
    super(url);
    sockets.push(this);
  }
}

/** A client whose first attempt has failed. Its own attempts are stopped with the clock. */
async function disconnected(url: string): Promise<RealtimeClient> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
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
  let isReachable = false;
  const verifyClient = () => isReachable;
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', verifyClient });
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.');
  const realtime = await disconnected(`ws://127.0.0.1:${address.port}`);
  isReachable = true;
  const connected = once(server, 'connection');
  browser.dispatchEvent(new Event('online'));
  await connected;
  expect(sockets).toHaveLength(2);
  vi.useRealTimers();
  await realtime.disconnect();
  server.close();
});
