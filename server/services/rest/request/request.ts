// One request, read from HTTP: target, schema, preferences, accepted answer. Nothing here knows the database.
import type { FastifyRequest } from 'fastify';
import * as refusals from '../errors/catalogue.ts';
import { type Answer, PLAIN } from './accept.ts';
import { withoutNul } from './decode.ts';
import { type Preferences, readPreferences } from './prefer.ts';
import { readTarget, type Target } from './target.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

export interface RestRequest {
  method: Method;
  isRead: boolean;
  target: Target;
  /** Of the service, for example `/rest/v1`. */
  prefix: string;
  /** As the database functions see it in `request.path`. */
  path: string;
  /** The query string without `?`, still encoded. */
  search: string;
  schema: string;
  preferences: Preferences;
  /** Chosen once the target is known, since tables and functions may have media types of their own. */
  answer: Answer;
  accept: string | undefined;
  /** The Range header, which only reads heed. */
  range: string | undefined;
  contentType: string | undefined;
  body: Buffer;
  headers: FastifyRequest['headers'];
  /** Of the caller, as far as proxies are trusted. */
  address: string;
  /** Hands over what is to be called when the client goes away before its answer. */
  onGone: (cancel: () => void) => void;
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

function schemaOf(request: FastifyRequest, isRead: boolean, exposed: readonly string[]): string {
  const asked = one(request.headers[isRead ? 'accept-profile' : 'content-profile']);
  const schema = asked === undefined || asked === '' ? (exposed[0] ?? 'public') : withoutNul(asked);
  if (!exposed.includes(schema)) throw refusals.schemaNotExposed(schema, exposed);
  return schema;
}

/**
 * @param prefix of the service, which functions don't see
 * @param exposed schemas, the default first
 * @throws RestError for what can't be meant: path, schema, preferences with handling=strict, media types
 */
export function readRequest(
  request: FastifyRequest,
  prefix: string,
  exposed: readonly string[],
  options: { onGone: RestRequest['onGone'] },
): RestRequest {
  const method = METHODS.find((name) => name === request.method);
  if (method === undefined) throw refusals.unsupportedMethod(request.method);
  const [whole = '', ...rest] = request.url.split('?');
  const path = whole.slice(prefix.length).replace(/\/+$/, '') || '/';
  const isRead = method === 'GET' || method === 'HEAD';
  const preferences = readPreferences(request.headers.prefer);
  if (preferences.handling === 'strict' && preferences.invalid.length > 0) {
    throw refusals.invalidPreferences(preferences.invalid);
  }
  const accept = one(request.headers.accept);
  return {
    method,
    isRead,
    target: readTarget(path),
    prefix,
    path,
    search: rest.join('?'),
    schema: schemaOf(request, isRead, exposed),
    preferences,
    answer: PLAIN,
    accept,
    // A HEAD tells about the whole, whatever part of it a GET was for.
    range: method === 'GET' ? one(request.headers.range) : undefined,
    contentType: request.headers['content-type'],
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    headers: request.headers,
    address: request.ip,
    onGone: options.onGone,
  };
}
