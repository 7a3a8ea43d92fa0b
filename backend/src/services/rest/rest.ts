// /rest/v1, as PostgREST: request → plan against the schema cache → SQL → run as the caller → response.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { LiveCache } from './cache/live-cache.ts';
import { loadSchemaCache, retryIfDropped } from './cache/load.ts';
import { renderError } from './errors/render.ts';
import { identify } from './identity.ts';
import { PreparedRequests } from './prepared-requests.ts';
import { readRequest } from './request/request.ts';
import { send } from './respond/send.ts';
import { serve } from './serve.ts';
import { exposedSchemas, restSettings } from './settings.ts';

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
        const { anonymousRole } = restSettings(context, cache.current);
        const caller = await identify(request, keys, anonymousRole);
        isAnonymous = caller.role === anonymousRole;
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
