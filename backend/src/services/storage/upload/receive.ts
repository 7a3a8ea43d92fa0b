import type { FastifyRequest } from 'fastify';
import type { Bucket } from '../buckets/bucket.ts';
import type { Service } from '../service.ts';
import { bodyOf, declaredLength } from './body-of.ts';
import { checkDeclared } from './keep.ts';
import { metadataHeader } from './metadata.ts';
import { receiveForm } from './receive-form.ts';
import type { Received } from './store-object.ts';

const DEFAULT_TYPE = 'application/octet-stream';
const NO_CACHE = 'no-cache';

/**
 * Receives the file of a request: its body, or the file of a form.
 * @throws StorageError when the headers already show that it is not allowed
 */
export async function receive(
  service: Service,
  request: FastifyRequest,
  bucket: Bucket,
): Promise<Received> {
  if (request.isMultipart()) return receiveForm(service, request, bucket);
  const type = request.headers['content-type'] ?? DEFAULT_TYPE;
  checkDeclared(service, bucket, type, declaredLength(request));
  const userMetadata = metadataHeader(request);
  const cacheControl = request.headers['cache-control'] ?? NO_CACHE;
  return {
    source: bodyOf(request.raw),
    type,
    details: async () => ({ cacheControl, userMetadata }),
  };
}
