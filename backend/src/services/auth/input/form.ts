// Parameters that a browser brings: in the address, or as a form that another site posted through it.
import type { FastifyRequest } from 'fastify';
import { queryOf } from './json.ts';

/** @returns the form's fields, of a GET the query's; of a repeated one the first counts */
export function formOf(request: FastifyRequest): URLSearchParams {
  const { body, query } = request;
  const given =
    request.method === 'POST'
      ? new URLSearchParams(body instanceof Buffer ? body.toString('utf8') : '')
      : new URLSearchParams(Object.keys(query ?? {}).map((key) => [key, queryOf(request, key)]));
  const clean = new URLSearchParams();
  // PostgreSQL's text and our log can hold everything but NUL.
  for (const [key, value] of given) if (!clean.has(key)) clean.set(key, value.replaceAll('\0', ''));
  return clean;
}
