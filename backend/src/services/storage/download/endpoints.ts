import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalidSignature } from '../errors/catalogue.ts';
import type { ObjectRow } from '../objects/object-row.ts';
import type { Endpoint, OpenEndpoint } from '../service.ts';
import { findAsCaller, findInPublic, findSigned } from './find-readable.ts';
import { fileHeaders } from './headers.ts';
import { sendObject } from './send-object.ts';

/** GET and HEAD /object/… */
export const download: Endpoint = (service, request, reply, user) =>
  sendObject(service, request, reply, () => findAsCaller(service, request, user));

export const downloadPublic: OpenEndpoint = (service, request, reply) =>
  sendObject(service, request, reply, () => findInPublic(service, request));

export const downloadSigned: OpenEndpoint = async (service, request, reply) => {
  const { find, expires, transformations } = await findSigned(service, request);
  // The URL was signed for a transformed image, not for the original.
  if (transformations !== '') throw invalidSignature();
  return sendObject(service, request, reply, find, expires);
};

function infoJson({
  id,
  name,
  version,
  bucket_id,
  metadata,
  user_metadata,
  ...row
}: ObjectRow): object {
  return {
    id,
    name,
    version,
    bucket_id,
    size: metadata.size,
    content_type: metadata.mimetype,
    cache_control: metadata.cacheControl,
    etag: metadata.eTag,
    metadata: user_metadata ?? {},
    last_modified: metadata.lastModified ?? row.updated_at,
    created_at: row.created_at,
  };
}

function respond(request: FastifyRequest, reply: FastifyReply, row: ObjectRow): object {
  if (request.method !== 'HEAD') return infoJson(row);
  return reply
    .headers(fileHeaders(row, undefined))
    .header('content-length', row.metadata.size)
    .send();
}

/** GET /object/info/…; HEAD returns the headers of the file itself. */
export const info: Endpoint = async (service, request, reply, user) =>
  respond(request, reply, await findAsCaller(service, request, user));

export const infoPublic: OpenEndpoint = async (service, request, reply) =>
  respond(request, reply, await findInPublic(service, request));
