import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailable, RETRY_AFTER_S } from '../../database/unavailable.ts';

/** With the codes and messages of a Supabase project's gateway and runtime (Supabase docs, "Edge Functions Status Codes"). */
export class FunctionError extends Error {
  /**
   * @param reason for the log, if it is the server's or the function's fault
   * @param isRelay whether the request did not reach the function, which clients see by the x-relay-error header
   */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly reason?: string,
    readonly isRelay = true,
  ) {
    super(message);
  }
}

export const noToken = () =>
  new FunctionError(401, 'UNAUTHORIZED_NO_AUTH_HEADER', 'Missing authorization header');
export const badToken = () => new FunctionError(401, 'UNAUTHORIZED_INVALID_JWT', 'Invalid JWT');
export const noFunction = () =>
  new FunctionError(404, 'NOT_FOUND', 'Requested function was not found');
export const notStarted = (reason: string) =>
  new FunctionError(503, 'BOOT_ERROR', 'Function failed to start', reason);
export const failed = (reason: string) =>
  new FunctionError(500, 'WORKER_ERROR', 'Function exited due to an error', reason, false);
export const tooMuch = (reason: string) =>
  new FunctionError(
    546,
    'WORKER_LIMIT',
    'Function failed due to not having enough compute resources',
    reason,
  );
export const tooLate = (reason: string) =>
  new FunctionError(504, 'IDLE_TIMEOUT', 'The request idle timeout limit was reached', reason);

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
    request.log.error({ err: error, req: request }, 'functions service failed');
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
