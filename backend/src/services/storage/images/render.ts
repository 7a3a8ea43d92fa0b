// GET and HEAD /render/image/…
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findAsCaller, findInPublic, findSigned } from '../download/endpoints.ts';
import { fileHeaders, isUnchanged, securityHeaders } from '../download/headers.ts';
import { imageTooLarge } from '../errors.ts';
import { check, queryOf } from '../input.ts';
import type { ObjectRow } from '../objects/object-row.ts';
import type { Endpoint, OpenEndpoint, Service } from '../service.ts';
import {
  parseTransform,
  serializeTransform,
  Transform,
  transformHeader,
  transformImage,
} from './transform.ts';

const MAX_SOURCE_BYTES = 25 * 1024 * 1024;

async function sendImage(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  row: ObjectRow,
  transform: Transform,
  expires?: number,
): Promise<FastifyReply> {
  const acceptsWebp = /image\/webp/.test(request.headers.accept ?? '');
  const { metadata } = row;
  if (metadata.size > MAX_SOURCE_BYTES) throw imageTooLarge();
  const etag = `"${metadata.eTag.replaceAll('"', '')}-${serializeTransform(transform).replaceAll(',', '.')}${acceptsWebp ? '-webp' : ''}"`;
  const modified = Date.parse(metadata.lastModified ?? row.updated_at);
  reply.headers({
    ...fileHeaders(row, expires),
    'accept-ranges': 'none',
    etag,
    vary: 'accept',
    'x-transformations': transformHeader(transform),
  });
  if (isUnchanged(request.headers, { etag, modified })) return reply.code(304).send();
  const image = await transformImage(
    () => service.blobs.read(row.version ?? ''),
    transform,
    acceptsWebp,
  ).catch((error: unknown) => {
    // These describe the image, not the error.
    for (const name of ['etag', 'last-modified', 'cache-control', 'expires'])
      reply.removeHeader(name);
    throw error;
  });
  reply
    .headers(securityHeaders(image.type, queryOf(request).download))
    .type(image.type)
    .header('content-length', image.data.length);
  return reply.send(request.method === 'HEAD' ? undefined : image.data);
}

const transformOf = (request: FastifyRequest): Transform => check(Transform, queryOf(request));

export const render: Endpoint = async (service, request, reply, user) => {
  const transform = transformOf(request);
  const row = await findAsCaller(service, request, user);
  return sendImage(service, request, reply, row, transform);
};

export const renderPublic: OpenEndpoint = async (service, request, reply) => {
  const transform = transformOf(request);
  return sendImage(service, request, reply, await findInPublic(service, request), transform);
};

/** Uses the signed transformation only. */
export const renderSigned: OpenEndpoint = async (service, request, reply) => {
  const { find, expires, transformations } = await findSigned(service, request);
  const transform = transformations === '' ? {} : parseTransform(transformations);
  return sendImage(service, request, reply, await find(), transform, expires);
};
