import { z } from 'zod';
import { authError, type ErrorName, errors } from '../errors.ts';
import type { Call } from '../service.ts';
import { countBytes, METADATA_LIMIT } from './fields.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** NUL and lone surrogates, which PostgreSQL's text can't contain. */
const UNSTORABLE = /[\u0000\p{Surrogate}]/u;
/** Nesting deeper than any real metadata, but far from overflowing a stack. */
const MAX_DEPTH = 64;

/** @throws AuthError if a text contains NUL or a lone surrogate, or nesting is too deep */
function refuseUnstorable(root: unknown): void {
  const check = (text: string): void => {
    if (UNSTORABLE.test(text)) throw errors.badJson('text must be valid Unicode without NUL');
  };
  // Iterative: a megabyte of brackets must not overflow the stack.
  const open: { node: unknown; depth: number }[] = [{ node: root, depth: 0 }];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { node, depth } = item;
    if (typeof node === 'string') check(node);
    if (typeof node !== 'object' || node === null) continue;
    if (depth >= MAX_DEPTH) throw errors.badJson(`nested deeper than ${MAX_DEPTH} levels`);
    for (const [key, value] of Object.entries(node)) {
      check(key);
      open.push({ node: value, depth: depth + 1 });
    }
  }
}

/**
 * @returns the body as the schema's type; an empty body counts as malformed, as for GoTrue
 * @throws AuthError bad_json for malformed JSON and wrong types, 422 for metadata over the limit
 */
export function readBody<T extends z.ZodType>({ request }: Call, schema: T): z.output<T> {
  const { body } = request;
  if (!(body instanceof Buffer) || body.length === 0) {
    throw errors.badJson('unexpected end of JSON input');
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(utf8.decode(body));
  } catch (error) {
    throw errors.badJson(error instanceof Error ? error.message : 'not JSON');
  }
  refuseUnstorable(parsed);
  const result = schema.safeParse(parsed);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (issue?.code === 'too_big')
    throw errors.metadataTooLarge(issue.path.join('.'), METADATA_LIMIT);
  throw errors.badJson(`${issue?.path.join('.') || 'body'}: ${issue?.message}`);
}

/** @returns a uuid in the path of the request; @throws the error of this name for other texts */
export function readUuid({ request }: Call, name: string, otherwise: ErrorName): string {
  const params = z.object({ [name]: z.guid() }).safeParse(request.params);
  const id = params.data?.[name];
  if (id === undefined) throw authError(otherwise);
  return id;
}

/** A text field as Go decodes it: missing and null become the empty string. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** Free metadata of an account. */
export const metadata = z
  .record(z.string(), z.unknown())
  .superRefine((value, context) => {
    if (countBytes(value) <= METADATA_LIMIT) return;
    context.addIssue({ code: 'too_big', origin: 'object', maximum: METADATA_LIMIT, input: value });
  })
  .nullish()
  .transform((value) => value ?? undefined);

/** @returns the query parameter, the first if repeated, else the empty string */
export function readQuery({ request }: Call, name: string): string {
  const { query } = request;
  if (typeof query !== 'object' || query === null) return '';
  const value: unknown = Object.entries(query).find(([key]) => key === name)?.[1];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : '';
}

// Parameters of browser navigations: the query, or a form that another site posted.

/** @returns the form's fields, for a GET the query's; the first value of repeated ones */
export function readForm(call: Call): URLSearchParams {
  const { method, body, query } = call.request;
  const given =
    method === 'POST'
      ? new URLSearchParams(body instanceof Buffer ? body.toString('utf8') : '')
      : new URLSearchParams(Object.keys(query ?? {}).map((key) => [key, readQuery(call, key)]));
  const clean = new URLSearchParams();
  // PostgreSQL's text can't contain NUL.
  for (const [key, value] of given) if (!clean.has(key)) clean.set(key, value.replaceAll('\0', ''));
  return clean;
}
