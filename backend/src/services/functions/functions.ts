// /functions/v1/{name}: the functions in supabase/functions, each in a worker thread.
import path from 'node:path';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { bearerOf } from '../../http/request.ts';
import { isInvalidToken } from '../../keys/key-ring.ts';
import { badToken, noFunction, noToken, renderError } from './errors.ts';
import { environmentOf, locate } from './locate.ts';
import { callOf, sendResponse } from './relay.ts';
import { Threads } from './thread/threads.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

async function requireToken(context: Context, request: FastifyRequest): Promise<void> {
  const token = bearerOf(request);
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
        env: await environmentOf(context),
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
      const call = thread.call(callOf(request, app.prefix, context));
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
