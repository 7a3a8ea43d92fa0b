import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Config } from '../config.ts';
import { isUnavailable, RETRY_AFTER_S } from '../database/unavailable.ts';
import { type RecentErrors, rememberErrors } from './recent-errors.ts';

/** Logs an error, sets the status and Retry-After, and returns a message that is safe to send. */
export function prepareErrorReply(
  error: Error & { statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  if (isUnavailable(error)) {
    request.log.warn({ err: error }, 'database unavailable');
    reply.code(503).header('retry-after', RETRY_AFTER_S);
    return 'The database is not available at the moment. Please try again.';
  }
  const status = error.statusCode ?? 500;
  reply.code(status);
  if (status < 500) return error.message;
  request.log.error({ err: error, req: request }, 'request failed');
  return `Something went wrong on our side. Quote ${request.id} when you report it.`;
}

/** For errors outside the services, which have their own formats. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler(async (error: Error, request, reply) => {
    const message = prepareErrorReply(error, request, reply);
    return reply.send({ message, request_id: request.id });
  });
}

const STATUS: Partial<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Fastify's `clientErrorHandler`, for bytes that are not HTTP. `Connection: close` keeps clients with a connection pool
 * from sending their next request on the closed connection.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  // The client disconnected, or a response has already begun.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const status = STATUS[error.code ?? ''] ?? '400 Bad Request';
  const body = JSON.stringify({ message: `This is not a valid HTTP request (${status}).` });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const ID = /^[\w-]{8,64}$/;

/** Uses the proxy's id if there is one, so that a request has the same id in all logs. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ID.test(given) ? given : crypto.randomUUID();
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NAME = /^[a-z][a-z_.-]*$/;
/** Longer parts of a path that are no name may be secrets, such as that of a calendar. */
const LONGEST = 20;

/** The path of a URL, without what may be secret or personal: its query, tokens, and the names of files. */
export function loggedPath(url: string): string {
  const [path = ''] = url.split('?');
  const parts = path.split('/');
  // /storage/v1/object/<kind or bucket>/…
  if (parts[1] === 'storage' && parts.length > 5) return `${parts.slice(0, 5).join('/')}/*`;
  return parts
    .map((part) => (part.length < LONGEST || UUID.test(part) || NAME.test(part) ? part : '*'))
    .join('/');
}

interface LoggedError {
  type: string;
  message: string;
  stack: string;
  [key: string]: unknown;
}

/** An error without the values of rows, which PostgreSQL puts into `detail` and `where`. */
function loggedError(error: Error & { code?: unknown; cause?: unknown }): LoggedError {
  const { name, message, stack = '', code, cause } = error;
  return {
    type: name,
    message,
    stack,
    ...(code !== undefined && { code }),
    ...(cause instanceof Error && { cause: loggedError(cause) }),
  };
}

/** JSON lines with the request's id as `reqId`, without secrets and personal data. */
/** @param recent gets the errors too */
export function loggerOptions(
  level: Config['logLevel'],
  recent: RecentErrors,
): FastifyServerOptions['logger'] {
  return {
    level,
    hooks: rememberErrors(recent, loggedPath),
    serializers: {
      req: (request) => ({ method: request.method, path: loggedPath(request.url) }),
      err: loggedError,
    },
  };
}
