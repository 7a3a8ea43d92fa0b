import type { FastifyReply, FastifyRequest } from 'fastify';
import { tooLarge } from './catalogue.ts';
import { fromDatabase } from './from-database.ts';
import { RestError } from './rest-error.ts';

function restErrorOf(error: unknown, isAnonymous: boolean): RestError | undefined {
  if (error instanceof RestError) return error;
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return tooLarge();
  if (error instanceof Error && typeof status === 'number' && status >= 400 && status < 500) {
    return new RestError(status, 'PGRST102', error.message);
  }
  return fromDatabase(error, isAnonymous);
}

/** Sends the error as PostgREST does. An unexpected one is logged and becomes a 500 with the request id. */
export async function renderError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  isAnonymous: boolean,
): Promise<FastifyReply> {
  const known =
    restErrorOf(error, isAnonymous) ??
    new RestError(500, 'PGRSTX00', `Unexpected failure, quote ${request.id} when you report it`);
  if (known.status >= 500) request.log.error({ err: error }, 'rest request failed');
  if (known.options.statusText !== undefined) reply.raw.statusMessage = known.options.statusText;
  return reply
    .code(known.status)
    .headers({
      'content-type': 'application/json; charset=utf-8',
      'proxy-status': `PostgREST; error=${known.code}`,
      ...known.options.headers,
    })
    .send(request.method === 'HEAD' ? '' : JSON.stringify(known.body()));
}
