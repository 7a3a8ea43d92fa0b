// The server's log: one JSON line an event, with a request id, and no secret in it.
import type { IncomingMessage } from 'node:http';
import type { FastifyServerOptions } from 'fastify';
import type { Config } from '../config.ts';

const ID = /^[\w-]{8,64}$/;

/** A proxy's own id is kept, so that one request has one id everywhere. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ID.test(given) ? given : crypto.randomUUID();
}

/** Query strings may carry keys and tokens: only the path is logged. */
export function loggerOptions(level: Config['logLevel']): FastifyServerOptions['logger'] {
  return {
    level,
    serializers: {
      req: (request) => ({ method: request.method, path: request.url.split('?')[0] }),
    },
  };
}
