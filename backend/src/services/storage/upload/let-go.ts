import type { FastifyReply, FastifyRequest } from 'fastify';

const MAX_DRAIN_MS = 5_000;
const MAX_DRAIN_BYTES = 32 * 1024 * 1024;

/**
 * Reads and discards the rest of a rejected upload, up to a limit: a client whose connection is closed while it is sending
 * would not see the response.
 */
export function drainRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  if (raw.complete || raw.destroyed) return;
  reply.header('connection', 'close');
  let discarded = 0;
  const end = (): void => {
    if (!raw.complete) raw.socket.destroy();
  };
  raw.unpipe();
  raw.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > MAX_DRAIN_BYTES) end();
  });
  raw.resume();
  reply.raw.once('finish', () => {
    const timer = setTimeout(end, MAX_DRAIN_MS);
    timer.unref();
    raw.once('close', () => clearTimeout(timer));
  });
}
