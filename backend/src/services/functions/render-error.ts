import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailable, RETRY_AFTER_S } from '../../database/unavailable.ts';
import { FunctionError } from './errors.ts';

/** Sends the gateway's errors as plain text, the runtime's as JSON with the request id. */
export async function renderError(
  error: Error & { statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!(error instanceof FunctionError)) {
    const status = error.statusCode ?? 500;
    if (status < 500)
      return reply.code(status).send({ code: 'BAD_REQUEST', message: error.message });
    request.log.error({ err: error }, 'functions service failed');
    if (isUnavailable(error)) {
      return reply
        .code(503)
        .header('retry-after', RETRY_AFTER_S)
        .send({ code: 'UNAVAILABLE', message: 'The service is not available. Please try again.' });
    }
    const message = `Something went wrong on our side. Quote ${request.id} when you report it.`;
    return reply.code(500).send({ code: 'INTERNAL', message, request_id: request.id });
  }
  const { status, code, message, reason, isRelay } = error;
  if (isRelay) reply.header('x-relay-error', 'true');
  if (status === 401) return reply.code(401).type('text/plain; charset=utf-8').send(message);
  if (reason === undefined) return reply.code(status).send({ code, message });
  request.log.error({ function: request.url.split('?')[0], reason }, message);
  return reply.code(status).send({
    code,
    message: `${message}. See the log for request ${request.id}.`,
    request_id: request.id,
  });
}
