import type { Socket } from 'node:net';

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
