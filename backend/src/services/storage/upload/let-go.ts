// What is still coming of a refused upload is read and dropped, for a while: a client that is cut off while it sends
// would never see the answer, and one that sends gigabytes must not be listened to.
import type { FastifyReply, FastifyRequest } from 'fastify';

const PATIENCE_MS = 5_000;
const PATIENCE_BYTES = 32 * 1024 * 1024;

export function letGo(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  if (raw.complete || raw.destroyed) return;
  reply.header('connection', 'close');
  let dropped = 0;
  const end = (): void => {
    if (!raw.complete) raw.socket.destroy();
  };
  raw.unpipe();
  raw.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > PATIENCE_BYTES) end();
  });
  raw.resume();
  reply.raw.once('finish', () => {
    const timer = setTimeout(end, PATIENCE_MS);
    timer.unref();
    raw.once('close', () => clearTimeout(timer));
  });
}
