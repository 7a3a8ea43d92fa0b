// /rest/v1, as PostgREST: request → plan against the schema cache → SQL → run as the caller → response.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseError } from 'pg';
import type { Context } from '../../context.ts';
import type { Caller } from '../../database/callers.ts';
import { UnknownType } from '../../database/wire/json-rows.ts';
import { encodingFor } from '../../http/request.ts';
import { LiveCache } from './cache/live-cache.ts';
import { loadSchemaCache, retryIfDropped } from './cache/load.ts';
import type { SchemaCache } from './cache/model.ts';
import { checkAccept, OPENAPI, openApi, readPrivileges } from './describe/openapi.ts';
import { RestError, unsupportedMethod } from './errors/catalogue.ts';
import { renderError } from './errors/render.ts';
import { execute } from './execute.ts';
import { identify } from './identity.ts';
import { chooseFormat, planRequest } from './plan/plan.ts';
import { PreparedRequests } from './prepared-requests.ts';
import { type RestRequest, readRequest } from './request/request.ts';
import { allow, type Reply, respond } from './respond.ts';
import { exposedSchemas, restSettings } from './settings.ts';
import { compose } from './sql/compose.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];

/** In case a browser navigates to a response, none of which is a page. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'geolocation=(), camera=(), microphone=()',
};

export function restService(context: Context): FastifyPluginAsync {
  const { database, keys } = context;
  const schemas = exposedSchemas(context);
  const bodyLimit = context.settings.api.max_body_bytes;

  return async (app) => {
    const cache = new LiveCache(
      database.ownerConnection,
      () => retryIfDropped(() => loadSchemaCache(database.owner, database.callers.pool, schemas)),
      (error) => app.log.error({ err: error }, 'schema cache'),
    );
    const service = { context, cache, requests: new PreparedRequests() };
    await cache.start();
    app.addHook('onClose', () => cache.stop());

    // Bodies are read as bytes: JSON is passed to the database as text.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );

    app.addHook('onRequest', (_request, reply, done) => {
      reply.headers(HEADERS);
      done();
    });

    const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      let isAnonymous = true;
      try {
        const rules = restSettings(context, cache.current);
        const caller = await identify(request, keys, rules);
        isAnonymous = caller.role === rules.anonymousRole;
        const read = readRequest(request, app.prefix, schemas, {
          onGone: (cancel) => {
            reply.raw.once('close', () => {
              if (!reply.raw.writableFinished) cancel();
            });
          },
        });
        return await send(reply, await serve(service, caller, read));
      } catch (error) {
        return renderError(error, request, reply, isAnonymous);
      }
    };
    app.setErrorHandler((error, request, reply) => renderError(error, request, reply, true));
    app.setNotFoundHandler(handle);
    const route = { method: METHODS, handler: handle, bodyLimit };
    app.route({ ...route, url: '/' });
    app.route({ ...route, url: '/*' });
  };
}

/** Relationship, function, column or table not in the schema cache. */
const NOT_IN_CACHE = new Set(['PGRST200', 'PGRST202', 'PGRST204', 'PGRST205']);

/** Table, column or function not in the database, or dropped concurrently. */
const NOT_IN_DATABASE = new Set(['42P01', '42703', '42883', 'XX000']);

function mayHaveStaleCache(error: unknown): boolean {
  if (error instanceof UnknownType) return true;
  if (error instanceof RestError) return NOT_IN_CACHE.has(error.code);
  return error instanceof DatabaseError && NOT_IN_DATABASE.has(error.code ?? '');
}

interface Service {
  context: Context;
  cache: LiveCache;
  requests: PreparedRequests;
}

async function serveOnce(
  { context, requests }: Service,
  known: SchemaCache,
  caller: Caller,
  request: RestRequest,
): Promise<Reply> {
  if (request.method === 'OPTIONS') return allow(request, known);
  if (request.target.kind === 'root') return describeRoot(context, known, caller, request);
  const settings = restSettings(context, known);
  const prepared = requests.take(known, settings.limits, request, () => {
    const plan = planRequest(request, known, settings);
    const format = chooseFormat(request, plan, known, settings);
    request.format = format;
    return { plan, format, composed: compose(request, plan, settings) };
  });
  const { plan } = prepared;
  request.format = prepared.format;
  const { tx } = request.preferences;
  const rollsBack =
    settings.allowsRollback && tx !== undefined ? tx === 'rollback' : settings.rollsBack;
  const result = await execute(context.database, caller, request, prepared, {
    cache: known,
    settings,
    rollsBack: rollsBack && !plan.isReadOnly,
  });
  return respond(request, plan, result, settings);
}

async function describeRoot(
  context: Context,
  cache: SchemaCache,
  caller: Caller,
  request: RestRequest,
): Promise<Reply> {
  const { database, siteUrl } = context;
  if (!request.isRead) throw unsupportedMethod(request.method);
  checkAccept(request.accept);
  const privileges = await readPrivileges(database, caller, request.schema);
  const address = new URL(`${siteUrl()}${request.prefix}`);
  const body = JSON.stringify(openApi(cache, request.schema, privileges, address));
  const isOneOfSeveral = exposedSchemas(context).length > 1;
  const headers = {
    'content-type': OPENAPI,
    ...(isOneOfSeveral && { 'content-profile': request.schema }),
  };
  return { status: 200, headers, body };
}

/** Plans and runs a request; once more when a name is missing because the schema has just changed. */
async function serve(service: Service, caller: Caller, request: RestRequest): Promise<Reply> {
  const known = service.cache.current;
  try {
    return await serveOnce(service, known, caller, request);
  } catch (error) {
    if (!mayHaveStaleCache(error)) throw error;
    await service.cache.catchUp();
    if (service.cache.current === known) throw error;
    return serveOnce(service, service.cache.current, caller, request);
  }
}

/** Smaller bodies fit into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1400;
/**
 * At this size, the higher quality saves a tenth: of 100 kB 1 kB for 0.6 ms more, of a roster of 1.1 MB 11 kB for 5 ms
 * more. A phone's connection takes 5 ms for each kB.
 */
const LARGE_BYTES = 100_000;

/** Higher qualities take longer than they save on a phone's connection. */
const brotliFor = (bytes: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: bytes > LARGE_BYTES ? 6 : 4,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  },
});

const asBrotli = promisify<Buffer, object, Buffer>(brotliCompress);
const asGzip = promisify<Buffer, Buffer>(gzip);

/** Used unless a function of the request sets it (PostgREST 14.6). */
const VARY = 'Accept, Prefer, Range';

async function send(reply: FastifyReply, { status, headers, body }: Reply): Promise<FastifyReply> {
  const vary = headers.vary ?? VARY;
  reply.code(status).headers({ ...headers, vary });
  // For an empty string Fastify would add a Content-Type.
  if (body === undefined || body.length === 0) return reply.send();
  if (body.length < MIN_COMPRESSED_BYTES) return reply.send(body);
  reply.header('vary', [vary, 'Accept-Encoding'].flat().join(', '));
  const encoding = encodingFor(reply.request);
  if (encoding === undefined) return reply.send(body);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const small =
    encoding === 'br' ? await asBrotli(bytes, brotliFor(bytes.length)) : await asGzip(bytes);
  return reply.header('content-encoding', encoding).send(small);
}
