// Reads a request from HTTP, independently of the database.

import type { FastifyRequest } from 'fastify';
import * as refusals from '../errors/catalogue.ts';
import { invalidPath } from '../errors/catalogue.ts';
import { type Format, JSON_ARRAY } from './accept.ts';
import { decodePart, withoutNul } from './decode.ts';
import { type Preferences, readPreferences } from './prefer.ts';

export type Target =
  | { kind: 'root' }
  | { kind: 'table'; name: string }
  | { kind: 'call'; name: string };

/**
 * @param path below the service's prefix, with a leading slash, still encoded
 * @throws RestError PGRST125
 */
export function readTarget(path: string): Target {
  const [, first = '', second, ...more] = path.split('/');
  if (more.length > 0) throw invalidPath();
  if (first === '' && second === undefined) return { kind: 'root' };
  const name = decodePart(first);
  if (second === undefined || second === '') {
    if (name === '' || name === 'rpc') throw invalidPath();
    return { kind: 'table', name };
  }
  if (name !== 'rpc') throw invalidPath();
  return { kind: 'call', name: decodePart(second) };
}

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

export interface RestRequest {
  method: Method;
  isRead: boolean;
  target: Target;
  /** Path prefix of the service, for example `/rest/v1`. */
  prefix: string;
  /** As functions see it in `request.path`. */
  path: string;
  /** The query string without `?`, still encoded. */
  search: string;
  schema: string;
  preferences: Preferences;
  /** Chosen when the target is known, because tables and functions may have their own media types. */
  format: Format;
  accept: string | undefined;
  /** The Range header of a GET. */
  range: string | undefined;
  contentType: string | undefined;
  body: Buffer;
  headers: FastifyRequest['headers'];
  /** IP address of the client. */
  address: string;
  /** Registers a function to call when the client disconnects before the response. */
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
 * @param exposed schemas, the default one first
 * @throws RestError for an invalid method, path, schema, or preferences with handling=strict
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
    format: JSON_ARRAY,
    accept,
    // RFC 9110 section 14.2: Range applies to GET only.
    range: method === 'GET' ? one(request.headers.range) : undefined,
    contentType: request.headers['content-type'],
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    headers: request.headers,
    address: request.ip,
    onGone: options.onGone,
  };
}
