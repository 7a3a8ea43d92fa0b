// Many cheap subscribers in one process: they read frames from the TCP socket and record each delivery delay.
import { connect } from 'node:net';

const MARK = Buffer.from('"sent_ns":"');
const JOINED = Buffer.from('"phx_reply"');
const LIVE = Buffer.from('Subscribed to PostgreSQL');
const delays = [];
const sockets = [];

/** A text frame as a client must send it; a zero mask leaves the text unchanged. */
function frame(text) {
  const payload = Buffer.from(text);
  const head =
    payload.length < 126
      ? [0x81, 0x80 | payload.length]
      : [0x81, 0xfe, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload]);
}

/** @returns start and end of the next frame, or undefined if it is incomplete */
function frameAt(bytes, at) {
  if (bytes.length < at + 2) return undefined;
  let length = bytes[at + 1];
  let begin = at + 2;
  if (length === 126) {
    if (bytes.length < at + 4) return undefined;
    length = bytes.readUInt16BE(at + 2);
    begin = at + 4;
  } else if (length === 127) {
    if (bytes.length < at + 10) return undefined;
    length = Number(bytes.readBigUInt64BE(at + 2));
    begin = at + 10;
  }
  return bytes.length < begin + length ? undefined : { begin, end: begin + length };
}

/** Shared by all sockets: allocating per read would cost more CPU than parsing the frames. */
const INCOMING = Buffer.allocUnsafeSlow(256 * 1024);

function open(port, anonKey, onFrame) {
  return new Promise((resolve, reject) => {
    let isOpen = false;
    let rest;
    const receive = (chunk) => {
      if (!isOpen) {
        isOpen = true;
        if (!chunk.toString().startsWith('HTTP/1.1 101')) reject(new Error(chunk.toString()));
        resolve(socket);
        return;
      }
      const bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
      let at = 0;
      for (let found = frameAt(bytes, 0); found !== undefined; found = frameAt(bytes, at)) {
        onFrame(bytes, found.begin, found.end);
        at = found.end;
      }
      rest = at === bytes.length ? undefined : Buffer.from(bytes.subarray(at));
    };
    const callback = (size) => {
      receive(INCOMING.subarray(0, size));
      return true;
    };
    const socket = connect({ port, host: '127.0.0.1', onread: { buffer: INCOMING, callback } });
    sockets.push(socket);
    socket.once('error', reject);
    socket.write(
      `GET /realtime/v1/websocket?vsn=2.0.0&apikey=${anonKey} HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
  });
}

/** Opens all sockets, then joins all at once. @returns milliseconds until the last subscription was confirmed */
async function join({ port, anonKey, clients, table }) {
  let live = 0;
  let done;
  const all = new Promise((resolve) => {
    done = resolve;
  });
  const onFrame = (bytes, begin, end) => {
    const text = bytes.subarray(begin, end);
    const at = text.indexOf(MARK);
    if (at !== -1) {
      const from = at + MARK.length;
      const sent = Number(text.latin1Slice(from, text.indexOf(0x22, from)));
      delays.push(Number(process.hrtime.bigint()) / 1e6 - sent / 1e6);
    } else if (text.includes(LIVE)) {
      live += 1;
      if (live === clients.length) done();
    } else if (!text.includes(JOINED)) throw new Error(text.toString());
  };
  const opened = [];
  for (const _ of clients) opened.push(await open(port, anonKey, onFrame));
  const started = performance.now();
  for (const [i, socket] of opened.entries()) {
    const { token, filter } = clients[i];
    const config = { postgres_changes: [{ event: '*', schema: 'public', table, filter }] };
    const payload = { config, access_token: token };
    socket.write(frame(JSON.stringify(['1', '1', 'realtime:bench', 'phx_join', payload])));
  }
  await all;
  return performance.now() - started;
}

const answers = {
  join,
  take: () => delays.splice(0),
  close: () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    delays.splice(0);
  },
};

process.on('message', async ({ id, ask, input }) => {
  process.send({ id, answer: (await answers[ask](input)) ?? null });
});
process.send({ ready: true });
