// Parameters of browser navigations: the query, or a form that another site posted.
import type { FastifyRequest } from 'fastify';
import { queryOf } from './json.ts';

/** @returns the form's fields, for a GET the query's; the first value of repeated ones */
export function formOf(request: FastifyRequest): URLSearchParams {
  const { body, query } = request;
  const given =
    request.method === 'POST'
      ? new URLSearchParams(body instanceof Buffer ? body.toString('utf8') : '')
      : new URLSearchParams(Object.keys(query ?? {}).map((key) => [key, queryOf(request, key)]));
  const clean = new URLSearchParams();
  // PostgreSQL's text can't contain NUL.
  for (const [key, value] of given) if (!clean.has(key)) clean.set(key, value.replaceAll('\0', ''));
  return clean;
}
