import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { incomplete } from '../errors/catalogue.ts';

/** Time without a byte after which the client is considered disconnected. */
const IDLE_MS = 60_000;

/** @returns the body as a separate stream: destroying it does not close the connection before the response */
export function bodyOf(raw: IncomingMessage): Readable {
  const body = new PassThrough({ highWaterMark: 256 * 1024 });
  // It may fail before it is read; the reader checks `errored`.
  body.on('error', () => {});
  const fail = (): void => {
    if (!raw.complete) body.destroy(incomplete());
  };
  raw.once('close', fail);
  raw.once('error', fail);
  raw.setTimeout(IDLE_MS, () => {
    if (!raw.complete) raw.socket.destroy();
  });
  raw.pipe(body);
  body.once('close', () => {
    raw.unpipe(body);
    raw.setTimeout(0);
  });
  if (raw.destroyed) fail();
  return body;
}

/** @returns the Content-Length in bytes, if given */
export function declaredLength(request: FastifyRequest): number | undefined {
  const header = request.headers['content-length'];
  return header === undefined ? undefined : Number(header);
}
