// Reads a request from HTTP, independently of the database.
import type { FastifyRequest } from 'fastify';
import * as refusals from '../errors/catalogue.ts';
import { invalidPath } from '../errors/catalogue.ts';
import { type Format, JSON_ARRAY } from './accept.ts';
import { decodePart, withoutNul } from './decode.ts';

type Target = { kind: 'root' } | { kind: 'table'; name: string } | { kind: 'call'; name: string };

/**
 * @param path below the service's prefix, with a leading slash, still encoded
 * @throws RestError PGRST125
 */
function readTarget(path: string): Target {
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
type Method = (typeof METHODS)[number];

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

export interface Preferences {
  resolution?: 'merge-duplicates' | 'ignore-duplicates';
  missing?: 'default' | 'null';
  return?: 'minimal' | 'headers-only' | 'representation';
  count?: 'exact' | 'planned' | 'estimated';
  tx?: 'commit' | 'rollback';
  handling?: 'strict' | 'lenient';
  timezone?: string;
  maxAffected?: number;
  /** Unknown preferences, as sent. */
  invalid: string[];
}

const CHOICES = {
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  return: ['minimal', 'headers-only', 'representation'],
  count: ['exact', 'planned', 'estimated'],
  tx: ['commit', 'rollback'],
  handling: ['strict', 'lenient'],
} as const;
type Choice = keyof typeof CHOICES;

const isChoice = (name: string): name is Choice => Object.hasOwn(CHOICES, name);

/**
 * PostgreSQL validates offsets and abbreviations, but versions before 18.6 do not parse longer ones safely
 * (CVE-2026-14669), so those must be known zones.
 */
const MAX_OFFSET_LENGTH = 24;

/** JavaScript knows PostgreSQL's zone names; reading the database's list would cost more than the request. */
function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function readOne(preferences: Preferences, text: string): boolean {
  const at = text.indexOf('=');
  const name = text.slice(0, at < 0 ? undefined : at).trim();
  const value = at < 0 ? '' : text.slice(at + 1).trim();
  if (isChoice(name)) {
    const known: readonly string[] = CHOICES[name];
    if (!known.includes(value)) return false;
    Object.assign(preferences, { [name]: preferences[name] ?? value });
    return true;
  }
  if (name === 'timezone') {
    if (value === '' || (value.length > MAX_OFFSET_LENGTH && !isZone(value))) return false;
    preferences.timezone ??= value;
    return true;
  }
  if (name === 'max-affected') {
    if (!/^\d{1,15}$/.test(value)) return false;
    preferences.maxAffected ??= Number(value);
    return true;
  }
  return false;
}

function readPreferences(header: string | string[] | undefined): Preferences {
  const preferences: Preferences = { invalid: [] };
  if (header === undefined) return preferences;
  const text = Array.isArray(header) ? header.join(',') : header;
  for (const part of text.split(',')) {
    const one = part.trim();
    if (one !== '' && !readOne(preferences, one)) preferences.invalid.push(one);
  }
  return preferences;
}
