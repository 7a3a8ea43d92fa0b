import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { isUnavailable, RETRY_AFTER_S } from '../database/unavailable.ts';

/** For errors outside the services, which have their own handlers and formats. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    if (isUnavailable(error)) {
      request.log.warn({ err: error }, 'database unavailable');
      return reply.code(503).header('retry-after', RETRY_AFTER_S).send({
        message: 'The database is not available at the moment. Please try again.',
        request_id: request.id,
      });
    }
    const status = error.statusCode ?? 500;
    if (status >= 500) request.log.error({ err: error }, 'request failed');
    const message =
      status >= 500
        ? `Something went wrong on our side. Quote ${request.id} when you report it.`
        : error.message;
    return reply.code(status).send({ message, request_id: request.id });
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
