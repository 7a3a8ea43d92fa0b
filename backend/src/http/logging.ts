import type { IncomingMessage } from 'node:http';
import type { FastifyServerOptions } from 'fastify';
import type { Config } from '../config.ts';

const ID = /^[\w-]{8,64}$/;

/** Uses the proxy's id if there is one, so that a request has the same id in all logs. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ID.test(given) ? given : crypto.randomUUID();
}

/** Logs only the path of a URL, because query strings may contain keys and tokens. */
export function loggerOptions(level: Config['logLevel']): FastifyServerOptions['logger'] {
  return {
    level,
    serializers: {
      req: (request) => ({ method: request.method, path: request.url.split('?')[0] }),
    },
  };
}
