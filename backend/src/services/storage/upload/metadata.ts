import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invalidRequest } from '../errors/catalogue.ts';

const Metadata = z.record(z.string(), z.unknown());
const MAX_METADATA = 1024 * 1024;

/** @param text JSON @throws StorageError InvalidRequest */
export function readMetadata(text: string | undefined): Record<string, unknown> | null {
  if (text === undefined || text === '') return null;
  try {
    if (text.length > MAX_METADATA || /\\u0000|\0/.test(text)) throw new SyntaxError();
    return Metadata.parse(JSON.parse(text));
  } catch {
    throw invalidRequest('metadata must be a JSON object');
  }
}

const SECONDS = /^\d{1,10}$/;

/** @param value a number of seconds, or a Cache-Control header */
export function cacheControlOf(value: string | null | undefined): string {
  return SECONDS.test(value ?? '') ? `max-age=${value}` : value || 'no-cache';
}

/** Reads the x-metadata header: JSON in base64. */
export function metadataHeader(request: FastifyRequest): Record<string, unknown> | null {
  const header = request.headers['x-metadata'];
  return typeof header === 'string'
    ? readMetadata(Buffer.from(header, 'base64').toString('utf8'))
    : null;
}
