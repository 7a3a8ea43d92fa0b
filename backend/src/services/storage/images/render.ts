// GET and HEAD of /render/image/…: a picture in the size that is asked for.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnchanged } from '../download/conditions.ts';
import { findAsCaller, findInPublic, findSigned } from '../download/find-readable.ts';
import { fileHeaders, protection } from '../download/headers.ts';
import { imageTooLarge } from '../errors/catalogue.ts';
import { check } from '../input/json.ts';
import { queryOf } from '../input/query.ts';
import type { ObjectRow } from '../objects/object-row.ts';
import type { Endpoint, OpenEndpoint, Service } from '../service.ts';
import { makeImage } from './make-image.ts';
import { readTransformText, Transform, transformHeader, transformText } from './transform.ts';

/** Bytes that a picture may have to be worked on. */
const LARGEST = 25 * 1024 * 1024;

async function sendImage(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  row: ObjectRow,
  transform: Transform,
  expires?: number,
): Promise<FastifyReply> {
  const takesWebp = /image\/webp/.test(request.headers.accept ?? '');
  const { metadata } = row;
  if (metadata.size > LARGEST) throw imageTooLarge();
  const etag = `"${metadata.eTag.replaceAll('"', '')}-${transformText(transform).replaceAll(',', '.')}${takesWebp ? '-webp' : ''}"`;
  const modified = Date.parse(metadata.lastModified ?? row.updated_at);
  reply.headers({
    ...fileHeaders(row, expires),
    'accept-ranges': 'none',
    etag,
    vary: 'accept',
    'x-transformations': transformHeader(transform),
  });
  if (isUnchanged(request.headers, { etag, modified })) return reply.code(304).send();
  const picture = await makeImage(
    () => service.blobs.read(row.version ?? ''),
    transform,
    takesWebp,
  ).catch((error: unknown) => {
    // What described the picture does not describe the refusal.
    for (const name of ['etag', 'last-modified', 'cache-control', 'expires'])
      reply.removeHeader(name);
    throw error;
  });
  reply
    .headers(protection(picture.type, queryOf(request).download))
    .type(picture.type)
    .header('content-length', picture.data.length);
  return reply.send(request.method === 'HEAD' ? undefined : picture.data);
}

const asked = (request: FastifyRequest): Transform => check(Transform, queryOf(request));

export const render: Endpoint = async (service, request, reply, visitor) => {
  const transform = asked(request);
  const row = await findAsCaller(service, request, visitor);
  return sendImage(service, request, reply, row, transform);
};

export const renderPublic: OpenEndpoint = async (service, request, reply) => {
  const transform = asked(request);
  return sendImage(service, request, reply, await findInPublic(service, request), transform);
};

/** Only what was signed: another size would be another address. */
export const renderSigned: OpenEndpoint = async (service, request, reply) => {
  const { find, expires, transformations } = await findSigned(service, request);
  const transform = transformations === '' ? {} : readTransformText(transformations);
  return sendImage(service, request, reply, await find(), transform, expires);
};
