// Compresses responses itself: @fastify/compress skips responses with a Content-Range, because it can't know that ours
// counts rows and not bytes.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import type { Reply } from './respond.ts';

/** Smaller bodies fit into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1400;
/** Higher qualities take longer than they save on a phone's connection. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const asBrotli = promisify<Buffer, object, Buffer>(brotliCompress);
const asGzip = promisify<Buffer, Buffer>(gzip);

function encodingFor(accepted: string | string[] | undefined): 'br' | 'gzip' | undefined {
  if (accepted === undefined) return undefined;
  const names = String(accepted)
    .split(',')
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.split(';')[0]?.trim().toLowerCase());
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : undefined;
}

export async function send(
  reply: FastifyReply,
  { status, headers, body }: Reply,
): Promise<FastifyReply> {
  reply.code(status).headers(headers);
  // For an empty string Fastify would add a Content-Type.
  if (body === undefined || body.length === 0) return reply.send();
  if (body.length < MIN_COMPRESSED_BYTES) return reply.send(body);
  reply.header('vary', 'Accept-Encoding');
  const encoding = encodingFor(reply.request.headers['accept-encoding']);
  if (encoding === undefined) return reply.send(body);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const small = encoding === 'br' ? await asBrotli(bytes, BROTLI) : await asGzip(bytes);
  return reply.header('content-encoding', encoding).send(small);
}
