import type { FastifyReply, FastifyRequest } from 'fastify';
import { BlobMissing } from '../blobs/blob-store.ts';
import { noSuchKey } from '../errors/catalogue.ts';
import { queryOf } from '../input/parse.ts';
import type { ObjectRow } from '../objects/object-row.ts';
import type { Service } from '../service.ts';
import { isUnchanged, rangeOf } from './conditions.ts';
import { fileHeaders, securityHeaders } from './headers.ts';

async function respond(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  row: ObjectRow,
  expires: number | undefined,
): Promise<FastifyReply> {
  const { metadata, version } = row;
  const validators = {
    etag: metadata.eTag,
    modified: Date.parse(metadata.lastModified ?? row.updated_at),
  };
  const headers = {
    ...fileHeaders(row, expires),
    ...securityHeaders(metadata.mimetype, queryOf(request).download),
  };
  if (isUnchanged(request.headers, validators)) return reply.headers(headers).code(304).send();
  const part = rangeOf(request.headers, metadata.size, validators);
  const isHead = request.method === 'HEAD';
  const body = isHead ? undefined : await service.blobs.read(version ?? '', part);
  reply.headers(headers);
  if (part === undefined) reply.header('content-length', metadata.size);
  else {
    const { first, last } = part;
    reply
      .code(206)
      .header('content-range', `bytes ${first}-${last}/${metadata.size}`)
      .header('content-length', last - first + 1);
  }
  return reply.send(body);
}

/**
 * @param find reads the row; called again when its file was replaced in the meantime
 * @param expires of a signed URL, seconds since 1970
 * @throws StorageError NoSuchKey when the file is lost
 */
export async function sendObject(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  find: () => Promise<ObjectRow>,
  expires?: number,
): Promise<FastifyReply> {
  const row = await find();
  try {
    return await respond(service, request, reply, row, expires);
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error;
  }
  const again = await find();
  try {
    return await respond(service, request, reply, again, expires);
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error;
    request.log.error({ err: error, object: again.name }, 'the blob of an object is missing');
    throw noSuchKey();
  }
}
