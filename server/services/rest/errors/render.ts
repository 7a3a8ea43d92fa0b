// The one renderer of errors: four keys, and headers for proxies and for signing in.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tooLarge } from './catalogue.ts';
import { fromDatabase } from './from-database.ts';
import { RestError } from './rest-error.ts';

function known(error: unknown, isAnonymous: boolean): RestError | undefined {
  if (error instanceof RestError) return error;
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return tooLarge();
  if (error instanceof Error && typeof status === 'number' && status >= 400 && status < 500) {
    return new RestError(status, 'PGRST102', error.message);
  }
  return fromDatabase(error, isAnonymous);
}

/** Answers with the error; what nobody foresaw is logged and told as a 500 with the id of the log line. */
export async function renderError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  isAnonymous: boolean,
): Promise<FastifyReply> {
  const refusal =
    known(error, isAnonymous) ??
    new RestError(500, 'PGRSTX00', `Unexpected failure, quote ${request.id} when you report it`);
  if (refusal.status >= 500) request.log.error({ err: error }, 'rest request failed');
  if (refusal.more.statusText !== undefined) reply.raw.statusMessage = refusal.more.statusText;
  return reply
    .code(refusal.status)
    .headers({
      'content-type': 'application/json; charset=utf-8',
      'proxy-status': `PostgREST; error=${refusal.code}`,
      ...refusal.more.headers,
    })
    .send(request.method === 'HEAD' ? '' : JSON.stringify(refusal.body()));
}
