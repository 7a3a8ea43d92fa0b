// Renders errors: GoTrue's format in its two API versions, and OAuth 2.0's.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseError } from 'pg';
import { isUnavailable, RETRY_AFTER_S } from '../../database/unavailable.ts';
import { AuthError, authError, errors, OAuthError } from './errors.ts';

const VERSION_HEADER = 'x-supabase-api-version';
const CODES_SINCE = '2024-01-01';
const DATE = /^2\d{3}-\d\d-\d\d$/;
/** Functions and triggers of the project choose the status by raising `PT409` and the like, as PostgREST allows. */
const CHOSEN_STATUS = /^PT(4\d\d)$/;
/** Data exceptions, constraint violations, and errors raised by triggers of the project. */
const REFUSED_BY_DATABASE = /^(22|23|P0001)/;

function asAuthError(error: unknown): AuthError | undefined {
  if (error instanceof AuthError) return error;
  if (error instanceof DatabaseError && REFUSED_BY_DATABASE.test(error.code ?? '')) {
    const why = error.code === 'P0001' ? `: ${error.message}` : '';
    return errors.refusedByDatabase(`Database error saving user${why}`);
  }
  const chosen =
    error instanceof DatabaseError ? CHOSEN_STATUS.exec(error.code ?? '')?.[1] : undefined;
  if (chosen !== undefined && error instanceof DatabaseError) {
    return new AuthError(Number(chosen), 'conflict', error.message);
  }
  if (isUnavailable(error)) {
    return new AuthError(
      503,
      'unexpected_failure',
      'The database is not available at the moment. Please try again.',
      { retryAfterSeconds: RETRY_AFTER_S },
      error,
    );
  }
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return authError('tooLarge');
  if (error instanceof Error && typeof status === 'number' && status >= 400 && status < 500) {
    return new AuthError(status, 'validation_failed', error.message);
  }
  return undefined;
}

/** Renders in the caller's API version. Unexpected errors are logged and answered with 500. */
export async function renderError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (error instanceof OAuthError) {
    return reply.code(400).send({ error: error.error, error_description: error.description });
  }
  let known = asAuthError(error);
  // The response leaves out details; the log needs the constraint's name.
  if (error instanceof DatabaseError && known !== undefined) request.log.warn({ err: error });
  if (known === undefined) {
    request.log.error({ err: error, req: request }, 'auth request failed');
    known = new AuthError(
      500,
      'unexpected_failure',
      `Unexpected failure, please check server logs for more information (${request.id})`,
    );
  }
  if (known.cause !== undefined) request.log.warn({ err: known.cause }, known.message);
  const { status, code, message, details } = known;
  reply.code(status).header('x-sb-error-code', code);
  if (details.retryAfterSeconds !== undefined)
    reply.header('retry-after', details.retryAfterSeconds);
  const weak =
    details.weakPassword === undefined ? {} : { weak_password: { reasons: details.weakPassword } };

  const version = request.headers[VERSION_HEADER];
  if (typeof version === 'string' && DATE.test(version) && version >= CODES_SINCE) {
    reply.header(VERSION_HEADER, CODES_SINCE);
    return reply.send({ code, message, ...weak });
  }
  const id = status >= 500 ? { error_id: request.id } : {};
  return reply.send({ code: status, error_code: code, msg: message, ...id, ...weak });
}
