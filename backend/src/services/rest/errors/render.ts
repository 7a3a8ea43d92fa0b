import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseError } from 'pg';
import { z } from 'zod';
import { ResultTooLarge } from '../../../database/exchange.ts';
import { Cancelled, TooManyQueries } from '../../../database/fair-pool.ts';
import { isUnavailable, RETRY_AFTER_S } from '../../../database/unavailable.ts';
import * as errors from './catalogue.ts';
import { RestError, tooLarge } from './catalogue.ts';

/** Raised by `rest.refuse` inside a statement, so that its writes are rolled back. */
const REFUSED = 'RS001';
const guarded: Record<string, (rows: string) => RestError> = {
  PGRST115: errors.putMismatch,
  PGRST116: errors.notSingle,
  PGRST124: errors.maxAffected,
  '54000': errors.responseTooLarge,
};

/** HTTP statuses by SQLSTATE (PostgREST docs, "Errors"); the first match wins, others are 400. */
const STATUSES: readonly (readonly [pattern: RegExp, status: number])[] = [
  [/^08/, 503],
  [/^09/, 500],
  [/^(0L|0P|28)/, 403],
  [/^2350[35]$/, 409],
  [/^25006$/, 405],
  [/^25/, 500],
  [/^53400$/, 500],
  [/^53/, 503],
  [/^57P0[123]$/, 503],
  // In class 54 only the stack depth is the server's fault; large index rows and many columns come with the request.
  [/^54001$/, 500],
  [/^(2D|38|39|3B|40|55|57|58|F0|HV)/, 500],
  [/^42883$/, 404],
  [/^42P01$/, 404],
  [/^42P17$/, 500],
  [/^P0001$/, 400],
  [/^P0/, 500],
];

/** A write to a view that is not updatable. */
const NOT_UPDATABLE =
  /^cannot (insert into|update|delete from|merge into) (view|materialized view)|^cannot change materialized view /;

function statusOf(code: string, message: string, isAnonymous: boolean): number {
  if ((code === '55000' || code === '42809') && NOT_UPDATABLE.test(message)) return 405;
  if (code === '42501') return isAnonymous ? 401 : 403;
  if (code === '22023' && /^role ".*" does not exist$/.test(message)) return 401;
  if (code === '21000') {
    // The same row twice in an upsert, and pg-safeupdate's error, are mistakes of the request.
    return /requires a WHERE clause$|affect row a second time$/.test(message) ? 400 : 500;
  }
  const chosen = /^PT([1-5]\d\d)$/.exec(code)?.[1];
  if (chosen !== undefined) return Number(chosen);
  if (code.startsWith('PT')) return 500;
  return STATUSES.find(([pattern]) => pattern.test(code))?.[1] ?? 400;
}

const Message = z.object({
  code: z.string(),
  message: z.string(),
  details: z.string().nullish(),
  hint: z.string().nullish(),
});
const Detail = z.object({
  status: z.number().int().min(200).max(599),
  status_text: z
    .string()
    .regex(/^[\x20-\x7e]*$/)
    .optional(),
  headers: z.record(z.string(), z.string()).default({}),
});

/** `raise sqlstate 'PGRST'`: the function defines the whole response (PostgREST docs, "RAISE errors with HTTP Status Codes"). */
function raised(error: DatabaseError): RestError {
  const message = parsed(Message, error.message);
  if (message === undefined) {
    return badRaise(
      `Invalid JSON value for MESSAGE: '${error.message}'`,
      "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
    );
  }
  const detail = error.detail === undefined ? undefined : parsed(Detail, error.detail);
  if (detail === undefined) {
    return badRaise(
      error.detail === undefined
        ? 'DETAIL is missing in the RAISE statement'
        : `Invalid JSON value for DETAIL: '${error.detail}'`,
      "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
    );
  }
  const { details, hint } = message;
  const { status, headers, status_text: statusText } = detail;
  return new RestError(status, message.code, message.message, {
    details,
    hint,
    headers,
    statusText,
  });
}

const badRaise = (details: string, hint: string): RestError =>
  new RestError(500, 'PGRST121', 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error', {
    details,
    hint,
  });

function parsed<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function headersFor(status: number): Record<string, string> {
  if (status === 401) return { 'www-authenticate': 'Bearer' };
  return status === 503 ? { 'retry-after': String(RETRY_AFTER_S) } : {};
}

/**
 * @param isAnonymous whether the request ran as the anonymous role, which gets 401 where others get 403
 * @returns undefined when the error did not come from the database
 */
function fromDatabase(error: unknown, isAnonymous: boolean): RestError | undefined {
  if (error instanceof DatabaseError && error.code !== undefined) {
    const { code, message } = error;
    if (code === REFUSED) return guarded[message]?.(error.detail ?? '0');
    if (code === 'PGRST') return raised(error);
    const status = statusOf(code, message, isAnonymous);
    return new RestError(status, code, message, {
      details: error.detail ?? null,
      hint: error.hint ?? null,
      headers: headersFor(status),
    });
  }
  // The client has disconnected: nobody receives this, and it is not a failure.
  if (error instanceof Cancelled) return new RestError(499, '57014', error.message);
  if (error instanceof ResultTooLarge) return errors.responseTooLarge(error.limit);
  if (error instanceof TooManyQueries) return errors.tooManyQueries(error.message);
  if (!(error instanceof Error)) return undefined;
  if (/timeout exceeded when trying to connect/.test(error.message)) {
    return new RestError(504, 'PGRST003', 'Timed out acquiring connection from connection pool.');
  }
  if (isUnavailable(error)) {
    return new RestError(503, 'PGRST000', 'Database connection error. Retrying the connection.', {
      headers: headersFor(503),
    });
  }
  return undefined;
}

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
  if (known.status >= 500) request.log.error({ err: error, req: request }, 'rest request failed');
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
