// The table of contents of the server: plugins and services, in order.
import compress from '@fastify/compress';
import websocket from '@fastify/websocket';
import fastify, { type FastifyInstance } from 'fastify';
import type { Context } from './context.ts';
import { corsForServices } from './http/cors.ts';
import { answerClientError, handleErrors } from './http/errors.ts';
import { healthRoutes } from './http/health.ts';
import { loggerOptions, requestId } from './http/logging.ts';
import { inspectConnections } from './http/request.ts';
import { securityHeaders } from './http/security-headers.ts';
import { authService } from './services/auth/auth.ts';
import { functionsService } from './services/functions/functions.ts';
import { realtimeService } from './services/realtime/realtime.ts';
import { restService } from './services/rest/rest.ts';
import { storageService } from './services/storage/storage.ts';

/** Bytes of a body outside storage. */
const BODY_LIMIT = 1024 * 1024;
/** Bytes of all headers: a token carries the metadata of its account, which may be 16 KB, in base64. */
const HEADER_LIMIT = 64 * 1024;
/** Bytes of one socket frame. */
const FRAME_LIMIT = 3 * 1024 * 1024;

export async function buildApp(context: Context): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    http: { maxHeaderSize: HEADER_LIMIT },
    logger: loggerOptions(context.config.logLevel),
    genReqId: requestId,
    // One proxy: what stands further left in X-Forwarded-For was written by the client itself.
    trustProxy: context.config.trustProxy ? (_address, hop) => hop === 0 : false,
    // While the server stops, requests on connections that are open already are still answered.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2048 },
    // A photograph over a slow line takes minutes; storage watches for silence, and headers have a minute.
    requestTimeout: 600_000,
    clientErrorHandler: answerClientError,
  });
  handleErrors(app);
  inspectConnections(app);
  corsForServices(app);
  await app.register(websocket, {
    options: { maxPayload: FRAME_LIMIT },
    // The realtime service closes its sockets with a code; the plugin would close them without one before.
    preClose: (done) => done(),
    // What a client does to its own connection is no error of ours.
    errorHandler: (error, socket, request) => {
      request.log.info({ err: error }, 'a socket ended badly');
      socket.terminate();
    },
  });

  await app.register(restService(context), { prefix: '/rest/v1' });
  // Hooks reach all that is beneath them: the data service would pay with every request for what is made for pages.
  await app.register((others) => withPageHeaders(others, context));
  return app;
}

async function withPageHeaders(app: FastifyInstance, context: Context): Promise<void> {
  await securityHeaders(app, context.application);
  await app.register(compress, { global: true, threshold: 1024, encodings: ['br', 'gzip'] });
  await app.register(healthRoutes(context));
  await app.register(authService(context), { prefix: '/auth/v1' });
  await app.register(realtimeService(context), { prefix: '/realtime/v1' });
  await app.register(functionsService(context), { prefix: '/functions/v1' });
  await app.register(storageService(context), { prefix: '/storage/v1' });
  await context.application.routes?.(app, context);
}
