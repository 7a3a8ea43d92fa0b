// /functions/v1/{name}: the functions in supabase/functions, each in a worker thread.
import path from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { readBearer } from '../../http/request.ts';
import { isInvalidToken } from '../../keys/key-ring.ts';
import { badToken, noFunction, noToken, renderError } from './errors.ts';
import { buildEnvironment, locate } from './locate.ts';
import type { Headers } from './messages.ts';
import type { CallRequest, FunctionResponse } from './thread/function-thread.ts';
import { Threads } from './thread/threads.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

async function requireToken(context: Context, request: FastifyRequest): Promise<void> {
  const token = readBearer(request);
  if (token === undefined) throw noToken();
  await context.keys.verify(token).catch((error: unknown) => {
    throw isInvalidToken(error) ? badToken() : error;
  });
}

export function functionsService(context: Context): FastifyPluginAsync {
  const { limits } = context.settings.edge_runtime;
  return async (app) => {
    const threads = new Threads(
      { sourceDir: context.sourceDir, outDir: path.join(context.config.dataDir, 'functions') },
      async (name) => ({
        env: await buildEnvironment(context),
        limits,
        log: (level, text, requestId) => app.log[level]({ function: name, reqId: requestId }, text),
      }),
    );
    app.addHook('onClose', () => threads.stop());
    app.setErrorHandler(renderError);
    // Bodies are streamed.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

    const handle = async (
      request: FastifyRequest<{ Params: { name: string } }>,
      reply: FastifyReply,
    ): Promise<FastifyReply> => {
      const source = await locate(context, request.params.name);
      if (source === undefined) throw noFunction();
      // CORS preflight requests have no token.
      if (source.verifyJwt && request.method !== 'OPTIONS') await requireToken(context, request);
      const thread = await threads.of(source);
      const call = thread.call(toCallRequest(request, app.prefix, context));
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) call.cancel(new Error('The client disconnected.'));
      });
      return sendResponse(reply, await call.response);
    };
    // Compression would buffer streams.
    const options = { compress: false } as const;
    app.route({ method: METHODS, url: '/:name', handler: handle, ...options });
    app.route({ method: METHODS, url: '/:name/*', handler: handle, ...options });
    app.all('/*', async () => {
      throw noFunction();
    });
  };
}

/** RFC 9110 section 7.6.1. */
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

/** Set below. */
const OWN = new Set(['authorization', 'x-forwarded-for']);

/** As Supabase's gateway, adds a missing token, replaces an API key by its JWT, and names the client's address. */
function headersOf(request: FastifyRequest, { keys }: Pick<Context, 'keys'>): Headers {
  const headers: Headers = [];
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || HOP_BY_HOP.has(name) || OWN.has(name)) continue;
    for (const one of [value].flat()) headers.push([name, one]);
  }
  const { authorization, apikey } = request.headers;
  const bearer = /^bearer\s+(.*)$/i.exec(authorization ?? '')?.[1];
  if (bearer !== undefined) headers.push(['authorization', `Bearer ${keys.exchange(bearer)}`]);
  else if (authorization !== undefined) headers.push(['authorization', authorization]);
  else if (typeof apikey === 'string') {
    headers.push(['authorization', `Bearer ${keys.exchange(apikey)}`]);
  }
  headers.push(['x-request-id', request.id], ['x-forwarded-for', request.ip]);
  return headers;
}

function hasBody({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Drains what the function does not read, so that the connection can be reused. */
async function* bodyOf({ raw }: FastifyRequest): AsyncGenerator<Uint8Array> {
  try {
    yield* raw.iterator({ destroyOnReturn: false });
  } finally {
    raw.resume();
  }
}

/** @param prefix of the service, which the function does not see */
export function toCallRequest(
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

export function sendResponse(reply: FastifyReply, response: FunctionResponse): FastifyReply {
  reply.code(response.status);
  if (response.statusText !== '') reply.raw.statusMessage = response.statusText;
  const cookies: string[] = [];
  for (const [name, value] of response.headers) {
    // A wrong length would break the connection; Node adds the right one.
    if (HOP_BY_HOP.has(name) || name === 'content-length') continue;
    if (name === 'set-cookie') cookies.push(value);
    else reply.header(name, value);
  }
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  if (response.body === undefined) return reply.send();
  return reply.send(Readable.from(response.body, { objectMode: false }));
}
