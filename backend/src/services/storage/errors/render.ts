// The one renderer of errors: storage-js's four keys; what a client still sends is let go by.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseError } from 'pg';
import { TooManyQueries } from '../../../database/lanes.ts';
import { isUnavailable } from '../../../database/unavailable.ts';
import { BlobMissing } from '../blobs/blob-store.ts';
import { letGo } from '../upload/let-go.ts';
import * as refusals from './catalogue.ts';
import { StorageError } from './storage-error.ts';

const FULL_DISK = new Set(['ENOSPC', 'EDQUOT']);

function fromDatabase({
  code = '',
  constraint,
  detail,
  message,
}: DatabaseError): StorageError | undefined {
  if (code === '42501') {
    return /row-level security/.test(message)
      ? refusals.refusedByPolicy()
      : refusals.accessDenied(message);
  }
  if (code === '23505') {
    const ofBucket = constraint?.startsWith('buckets') ?? false;
    return refusals.alreadyExists(ofBucket ? 'BucketAlreadyExists' : 'KeyAlreadyExists');
  }
  // Raised by storage.check_quota, with the seconds to wait as detail.
  if (code === 'PT429') return refusals.overQuota(message, Number(detail));
  if (code === '53100') return refusals.noSpace();
  if (code === '23503') return refusals.noSuchBucket();
  if (code === '22023' && /^role /.test(message)) return refusals.accessDenied(message);
  if (code === '57014') {
    return new StorageError(544, 'DatabaseTimeout', 'The database took too long', code, 544);
  }
  // Data that a policy or a constraint can't take, and what an app's trigger raises on purpose.
  if (/^(22|23|P0001)/.test(code)) return refusals.invalidRequest(message);
  return undefined;
}

function known(error: unknown): StorageError | undefined {
  if (error instanceof StorageError) return error;
  if (isUnavailable(error)) return refusals.databaseAway();
  if (error instanceof TooManyQueries) return refusals.tooManyRequests(error.message);
  if (error instanceof DatabaseError) return fromDatabase(error);
  // Replaced or removed while it was asked for.
  if (error instanceof BlobMissing) return refusals.noSuchKey();
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && FULL_DISK.has(String(error.code))) return refusals.noSpace();
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return refusals.tooLarge();
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return refusals.invalidRequest(error.message);
  }
  return undefined;
}

/** @returns the refusal that the error stands for; what nobody foresaw is logged and becomes a 500 with the log's id */
export function refusalOf(error: unknown, request: FastifyRequest): StorageError {
  const refusal =
    known(error) ??
    new StorageError(
      500,
      'Internal',
      `Something went wrong on our side. Quote ${request.id} when you report it.`,
      'InternalError',
      500,
    );
  if (refusal.statusCode >= 500) request.log.error({ err: error }, 'storage request failed');
  return refusal;
}

export async function renderError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refusal = refusalOf(error, request);
  letGo(request, reply);
  if (refusal.retryAfter !== undefined) reply.header('retry-after', refusal.retryAfter);
  reply.code(refusal.status).type('application/json; charset=utf-8');
  return reply.send(request.method === 'HEAD' ? '' : JSON.stringify(refusal.body()));
}
