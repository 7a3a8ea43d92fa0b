// Between HTTP and a function: the request as the function is to see it, and its answer as it gave it.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Answer, CallRequest } from './thread/call.ts';
import type { Headers } from './wire.ts';

/** Headers of one connection, which are not the next one's. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/** The gateway fills in a missing token, and puts the token of a gateway key in its place (PROTOCOL.md 0). */
function headersOf(request: FastifyRequest, { keys }: Pick<Context, 'keys'>): Headers {
  const headers: Headers = [];
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || HOP_BY_HOP.has(name) || name === 'authorization') continue;
    for (const one of [value].flat()) headers.push([name, one]);
  }
  const { authorization, apikey } = request.headers;
  const bearer = /^bearer\s+(.*)$/i.exec(authorization ?? '')?.[1];
  if (bearer !== undefined) headers.push(['authorization', `Bearer ${keys.exchange(bearer)}`]);
  else if (authorization !== undefined) headers.push(['authorization', authorization]);
  else if (typeof apikey === 'string') {
    headers.push(['authorization', `Bearer ${keys.exchange(apikey)}`]);
  }
  headers.push(['x-request-id', request.id]);
  return headers;
}

function hasBody({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** What a function leaves unread is read to its end, so that the connection takes the next request. */
async function* bodyOf({ raw }: FastifyRequest): AsyncGenerator<Uint8Array> {
  try {
    yield* raw.iterator({ destroyOnReturn: false });
  } finally {
    raw.resume();
  }
}

/** @param prefix of the service, which the function does not see */
export function callOf(
  request: FastifyRequest,
  prefix: string,
  context: Pick<Context, 'keys' | 'siteUrl'>,
): CallRequest {
  const { origin } = new URL(context.siteUrl());
  return {
    requestId: request.id,
    method: request.method,
    url: `${origin}${request.url.slice(prefix.length)}`,
    headers: headersOf(request, context),
    remote: { hostname: request.ip, port: request.socket.remotePort ?? 0 },
    body: hasBody(request) ? bodyOf(request) : undefined,
  };
}

export function sendAnswer(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status);
  if (answer.statusText !== '') reply.raw.statusMessage = answer.statusText;
  const cookies: string[] = [];
  for (const [name, value] of answer.headers) {
    // A length that is wrong would break the connection; the right one is added where it is known.
    if (HOP_BY_HOP.has(name) || name === 'content-length') continue;
    if (name === 'set-cookie') cookies.push(value);
    else reply.header(name, value);
  }
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  if (answer.body === undefined) return reply.send();
  return reply.send(Readable.from(answer.body, { objectMode: false }));
}
