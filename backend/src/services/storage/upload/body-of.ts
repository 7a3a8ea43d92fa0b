// The body of a request as a stream of its own, so that refusing a file does not cut the connection before the answer.
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { incomplete } from '../errors/catalogue.ts';

/** Time without a single byte after which a sender counts as gone. */
const SILENCE_MS = 60_000;

export function bodyOf(raw: IncomingMessage): Readable {
  const body = new PassThrough({ highWaterMark: 256 * 1024 });
  // It may break off before anyone reads it; whoever does sees `errored`.
  body.on('error', () => {});
  const gone = (): void => {
    if (!raw.complete) body.destroy(incomplete());
  };
  raw.once('close', gone);
  raw.once('error', gone);
  raw.setTimeout(SILENCE_MS, () => {
    if (!raw.complete) raw.socket.destroy();
  });
  raw.pipe(body);
  body.once('close', () => {
    raw.unpipe(body);
    raw.setTimeout(0);
  });
  if (raw.destroyed) gone();
  return body;
}

/** @returns bytes, or undefined where the sender does not say */
export function declaredLength(request: FastifyRequest): number | undefined {
  const header = request.headers['content-length'];
  return header === undefined ? undefined : Number(header);
}
