// The data service, /rest/v1: request → schema cache → plan → SQL → run as the caller → response.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { LiveCache } from './cache/live-cache.ts';
import { loadSchemaCache } from './cache/load.ts';
import { renderError } from './errors/render.ts';
import { ANONYMOUS, identify } from './identity.ts';
import { PreparedReads } from './prepared-reads.ts';
import { readRequest } from './request/request.ts';
import type { Reply } from './respond/respond.ts';
import { serve } from './serve.ts';
import { exposedSchemas } from './settings.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'];

export function restService(context: Context): FastifyPluginAsync {
  const { database, keys } = context;
  const schemas = exposedSchemas(context);

  return async (app) => {
    const cache = new LiveCache(
      database.ownerConnection,
      () => loadSchemaCache(database.owner, database.callers.pool, schemas),
      (error) => app.log.error({ err: error }, 'schema cache'),
    );
    const service = { context, cache, reads: new PreparedReads() };
    await cache.start();
    app.addHook('onClose', () => cache.stop());

    // Bodies are read as bytes: JSON goes on to the database as it came.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );

    const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      let isAnonymous = true;
      try {
        const caller = await identify(request, keys);
        isAnonymous = caller.role === ANONYMOUS;
        const read = readRequest(request, app.prefix, schemas);
        return send(reply, await serve(service, caller, read));
      } catch (error) {
        return renderError(error, request, reply, isAnonymous);
      }
    };
    app.setErrorHandler((error, request, reply) => renderError(error, request, reply, true));
    app.setNotFoundHandler(handle);
    app.route({ method: METHODS, url: '/', handler: handle });
    app.route({ method: METHODS, url: '/*', handler: handle });
  };
}

function send(reply: FastifyReply, { status, headers, body }: Reply): FastifyReply {
  reply.code(status).headers(headers);
  // An empty answer has no type; without this Fastify would name one for the empty text.
  if (body === undefined || body === '') return reply.send();
  return reply.send(body);
}
