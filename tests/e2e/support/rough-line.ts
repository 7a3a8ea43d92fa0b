// A proxy that simulates a bad network: it can drop a request, drop its response, or cut the connection midway.
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/**
 * Effect on the matching requests: `good`, none; `down`, they never arrive; `loses answers`, they are executed but the
 * response is dropped; `cuts`, the connection closes in the middle of the request.
 */
type Condition = 'good' | 'down' | 'loses answers' | 'cuts';

/** How long to wait for what a phone sends again: its attempts are up to a minute apart. */
export const SENT_AGAIN = { timeout: 90_000 };

export type RoughLine = {
  url: string;
  /** Condition from now on; a function is called for each request. */
  becomes: (condition: Condition | (() => Condition)) => void;
  /** Number of requests in each condition. */
  met: Record<Condition, number>;
  /** Bytes in both directions so far, with all headers. */
  bytes: () => number;
  close: () => Promise<void>;
};

/**
 * @param target address of the server
 * @param about matches the affected requests; all others pass
 */
export async function roughLine(target: string, about: RegExp): Promise<RoughLine> {
  let condition: () => Condition = () => 'good';
  const met = { good: 0, down: 0, 'loses answers': 0, cuts: 0 };
  const server = http.createServer((request, response) => {
    const now = about.test(request.url ?? '') ? condition() : 'good';
    if (about.test(request.url ?? '')) met[now] += 1;
    if (now === 'down') {
      request.socket.destroy();
      return;
    }
    const { method, headers } = request;
    const onward = http.request(new URL(request.url ?? '/', target), { method, headers });
    const fail = () => response.destroy();
    onward.on('error', fail);
    request.on('error', () => onward.destroy());
    onward.on('response', (answer) => {
      if (now === 'loses answers') {
        answer.resume();
        answer.on('end', () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    if (now === 'cuts') {
      request.once('data', (chunk: Buffer) => {
        onward.write(chunk.subarray(0, chunk.length / 2), () => {
          onward.destroy();
          request.socket.destroy();
        });
      });
      return;
    }
    request.pipe(onward);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  // WebSockets aren't proxied.
  server.on('upgrade', (_request, socket) => socket.destroy());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    becomes: (next) => {
      condition = typeof next === 'function' ? next : () => next;
    },
    met,
    bytes: () =>
      [...sockets].reduce((sum, socket) => sum + socket.bytesRead + socket.bytesWritten, 0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
