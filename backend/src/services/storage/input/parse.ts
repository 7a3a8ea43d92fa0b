// Reads JSON bodies of any content type, with error messages like those of Fastify's JSON schema validation.
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invalidRequest } from '../errors/catalogue.ts';

/** Enough for a thousand of the longest keys. */
const MAX_BYTES = 2 * 1024 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

async function bytesOf(request: FastifyRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // A destroyed request can't be answered.
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > MAX_BYTES) throw invalidRequest('Request body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function formatIssue({ path, code, message, ...issue }: z.core.$ZodIssue): string {
  const at = path.slice(0, -1).map((part) => `/${String(part)}`);
  if (code === 'invalid_type' && issue.input === undefined && path.length > 0) {
    return `body${at.join('')} must have required property '${String(path.at(-1))}'`;
  }
  return `body${path.map((part) => `/${String(part)}`).join('')} ${message}`;
}

/**
 * An empty body is read as an empty object.
 * @throws StorageError InvalidRequest
 */
export async function readJson<T extends z.ZodType>(
  request: FastifyRequest,
  schema: T,
): Promise<z.output<T>> {
  const bytes = await bytesOf(request);
  let parsed: unknown = {};
  try {
    if (bytes.length > 0) parsed = JSON.parse(utf8.decode(bytes));
  } catch {
    throw invalidRequest('Body is not valid JSON');
  }
  return check(schema, parsed);
}

/** @throws StorageError InvalidRequest */
export function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalidRequest(issue === undefined ? 'body is not valid' : formatIssue(issue));
}

const Query = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string()).transform((all) => all[0])]),
);

/** @returns query parameters; the first value of a repeated one */
export function queryOf(request: FastifyRequest): Record<string, string | undefined> {
  return Query.parse(request.query);
}
