// Answers bytes that are not HTTP at all, before any route sees them, and says that the connection ends.
import type { Socket } from 'node:net';

const STATUS: Partial<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Fastify's `clientErrorHandler`: a client that keeps connections would otherwise send its next request into a closed one. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  // The client is gone, or an answer is already on its way.
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
