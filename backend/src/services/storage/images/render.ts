// GET and HEAD /render/image/…
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toNetwork } from '../../../http/request.ts';
import { findAsCaller, findInPublic, findSigned } from '../download/endpoints.ts';
import { fileHeaders, isUnchanged, securityHeaders } from '../download/headers.ts';
import { imageTooLarge } from '../errors.ts';
import { check, readQuery } from '../input.ts';
import type { ObjectRow } from '../objects/object-row.ts';
import type { Call, Endpoint } from '../service.ts';
import { parseTransform, serializeTransform, Transform, transformHeader } from './transform.ts';

const MAX_SOURCE_BYTES = 25 * 1024 * 1024;

async function sendImage(
  call: Call,
  row: ObjectRow,
  transform: Transform,
  { account = call.sub, expires }: { account?: string | undefined; expires?: number } = {},
): Promise<FastifyReply> {
  const acceptsWebp = /image\/webp/.test(call.request.headers.accept ?? '');
  const { metadata } = row;
  if (metadata.size > MAX_SOURCE_BYTES) throw imageTooLarge();
  const etag = `"${metadata.eTag.replaceAll('"', '')}-${serializeTransform(transform).replaceAll(',', '.')}${acceptsWebp ? '-webp' : ''}"`;
  const modified = Date.parse(metadata.lastModified ?? row.updated_at);
  call.reply.headers({
    ...fileHeaders(row, expires),
    'accept-ranges': 'none',
    etag,
    vary: 'accept',
    'x-transformations': transformHeader(transform),
  });
  if (isUnchanged(call.request.headers, { etag, modified })) return call.reply.code(304).send();
  const gone = new AbortController();
  call.reply.raw.once('close', () => gone.abort());
  const job = {
    read: () => call.blobs.read(row.version ?? '', { size: metadata.size }),
    transform,
    acceptsWebp,
    share: account ?? toNetwork(call.request.ip),
    signal: gone.signal,
  };
  const image = await call.images.transform(job).catch((error: unknown) => {
    // These describe the image, not the error.
    for (const name of ['etag', 'last-modified', 'cache-control', 'expires'])
      call.reply.removeHeader(name);
    throw error;
  });
  call.reply
    .headers(securityHeaders(image.type, readQuery(call.request).download))
    .type(image.type)
    .header('content-length', image.data.length);
  return call.reply.send(call.request.method === 'HEAD' ? undefined : image.data);
}

const transformOf = (request: FastifyRequest): Transform => check(Transform, readQuery(request));

export const render: Endpoint = async (call) => {
  const transform = transformOf(call.request);
  const row = await findAsCaller(call);
  return sendImage(call, row, transform);
};

export const renderPublic: Endpoint = async (call) => {
  const transform = transformOf(call.request);
  return sendImage(call, await findInPublic(call), transform);
};

/** Uses the signed transformation only. */
export const renderSigned: Endpoint = async (call) => {
  const { find, expires, transformations, owner } = await findSigned(call);
  const transform = transformations === '' ? {} : parseTransform(transformations);
  return sendImage(call, await find(), transform, { account: owner, expires });
};
