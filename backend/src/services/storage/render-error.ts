import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseError } from 'pg';
import { TooManyQueries } from '../../database/fair-pool.ts';
import { isUnavailable } from '../../database/unavailable.ts';
import { BlobDamaged, BlobMissing } from './blobs/blob-store.ts';
import * as errors from './errors.ts';
import { StorageError } from './errors.ts';

const MAX_DRAIN_MS = 5_000;
const MAX_DRAIN_BYTES = 32 * 1024 * 1024;

/**
 * Reads and discards the rest of a rejected upload, up to a limit: a client whose connection is closed while it is sending
 * would not see the response.
 */
function drainRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  if (raw.complete || raw.destroyed) return;
  reply.header('connection', 'close');
  let discarded = 0;
  const end = (): void => {
    if (!raw.complete) raw.socket.destroy();
  };
  raw.unpipe();
  raw.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > MAX_DRAIN_BYTES) end();
  });
  raw.resume();
  reply.raw.once('finish', () => {
    const timer = setTimeout(end, MAX_DRAIN_MS);
    timer.unref();
    raw.once('close', () => clearTimeout(timer));
  });
}

const FULL_DISK = new Set(['ENOSPC', 'EDQUOT']);

function fromDatabase({
  code = '',
  constraint,
  detail,
  message,
}: DatabaseError): StorageError | undefined {
  if (code === '42501') {
    return /row-level security/.test(message)
      ? errors.policyViolation()
      : errors.accessDenied(message);
  }
  if (code === '23505') {
    const ofBucket = constraint?.startsWith('buckets') ?? false;
    return errors.alreadyExists(ofBucket ? 'BucketAlreadyExists' : 'KeyAlreadyExists');
  }
  // Raised by storage.check_quota with the seconds to wait as detail.
  if (code === 'PT429') return errors.overQuota(message, Number(detail));
  if (code === '53100') return errors.noSpace();
  if (code === '23503') return errors.noSuchBucket();
  if (code === '22023' && /^role /.test(message)) return errors.accessDenied(message);
  if (code === '57014') return errors.databaseTimeout();
  // Invalid data, violated constraints, and errors raised by an application's trigger.
  if (/^(22|23|P0001)/.test(code)) return errors.invalidRequest(message);
  return undefined;
}

function known(error: unknown): StorageError | undefined {
  if (error instanceof StorageError) return error;
  if (isUnavailable(error)) return errors.databaseUnavailable();
  if (error instanceof TooManyQueries) return errors.tooManyRequests(error.message);
  if (error instanceof DatabaseError) return fromDatabase(error);
  // Replaced or removed during the request.
  if (error instanceof BlobMissing) return errors.noSuchKey();
  if (error instanceof BlobDamaged) return errors.damaged();
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && FULL_DISK.has(String(error.code))) return errors.noSpace();
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return errors.tooLarge();
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return errors.invalidRequest(error.message);
  }
  return undefined;
}

/** Converts any error. An unexpected one is logged and becomes a 500 with the request id. */
export function storageErrorOf(error: unknown, request: FastifyRequest): StorageError {
  const storageError =
    known(error) ??
    new StorageError(
      500,
      'Internal',
      `Something went wrong on our side. Quote ${request.id} when you report it.`,
      'InternalError',
      500,
    );
  if (storageError.statusCode >= 500)
    request.log.error({ err: error, req: request }, 'storage request failed');
  return storageError;
}

export async function renderError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const storageError = storageErrorOf(error, request);
  drainRequest(request, reply);
  if (storageError.retryAfter !== undefined) reply.header('retry-after', storageError.retryAfter);
  reply.code(storageError.status).type('application/json; charset=utf-8');
  return reply.send(request.method === 'HEAD' ? '' : JSON.stringify(storageError.body()));
}
