// A WebSocket with raw frames, for messages that supabase-js never sends.
import { once } from 'node:events';
import ws from 'ws';
import { type Queue, queue } from './realtime.ts';
import type { TestServer } from './server.ts';

export interface RawSocket {
  socket: ws;
  /** Text frames as JSON, binary frames as buffers. */
  frames: Queue<unknown>;
  send(frame: unknown): void;
  closed: Promise<{ code: number }>;
}

/** @param query of the URL, `vsn` and `apikey` by default */
export async function rawSocket(
  server: TestServer,
  query = `vsn=2.0.0&apikey=${server.context.keys.anonKey}`,
): Promise<RawSocket> {
  const socket = new ws(`${server.url.replace('http', 'ws')}/realtime/v1/websocket?${query}`);
  const frames = queue<unknown>();
  socket.on('message', (data, isBinary) =>
    frames.push(isBinary ? data : JSON.parse(data.toString())),
  );
  const closed = once(socket, 'close').then(([code]) => ({ code: Number(code) }));
  await once(socket, 'open');
  const send = (frame: unknown): void =>
    socket.send(Buffer.isBuffer(frame) ? frame : JSON.stringify(frame));
  return { socket, frames, send, closed };
}
