// The HTTP server: plugins and services, in order.
import compress from '@fastify/compress';
import websocket from '@fastify/websocket';
import fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import type { Pool } from 'pg';
import type { Context } from './context.ts';
import { answerClientError, handleErrors, loggerOptions, requestId } from './http/errors.ts';
import { corsForServices, securityHeaders } from './http/headers.ts';
import { inspectConnections } from './http/request.ts';
import { serveMetrics } from './metrics/metrics.ts';
import { authService } from './services/auth/auth.ts';
import { functionsService } from './services/functions/functions.ts';
import { realtimeService } from './services/realtime/realtime.ts';
import { restService } from './services/rest/rest.ts';
import { storageService } from './services/storage/storage.ts';
import { tracedLogs, traceRequests } from './tracing/requests.ts';

/** Bytes of a request body outside storage. */
const BODY_LIMIT = 1024 * 1024;
/** Bytes of all headers: a token contains the metadata of its account, up to 32 KB, in base64. */
const HEADER_LIMIT = 64 * 1024;
/** Bytes of a WebSocket frame. */
const FRAME_LIMIT = 3 * 1024 * 1024;

export async function buildApp(context: Context): Promise<FastifyInstance> {
  const { tracing } = context;
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    http: { maxHeaderSize: HEADER_LIMIT },
    logger: loggerOptions(context.config.logLevel, context.observed.errors),
    genReqId: requestId,
    ...(tracing && { childLoggerFactory: tracedLogs(tracing, context.config.trustProxy) }),
    // One proxy: entries further left in X-Forwarded-For come from the client.
    trustProxy: context.config.trustProxy ? (_address, hop) => hop === 0 : false,
    // Requests on open connections are still answered while the server stops.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2048 },
    // A photo over a slow line takes minutes. Storage aborts idle uploads itself.
    requestTimeout: 600_000,
    clientErrorHandler: answerClientError,
  });
  try {
    await addServices(app, context);
  } catch (error) {
    // The services opened earlier would keep the process running.
    await app.close();
    throw error;
  }
  return app;
}

async function addServices(app: FastifyInstance, context: Context): Promise<void> {
  const { tracing } = context;
  if (tracing !== undefined) {
    traceRequests(app, tracing);
    tracing.reportTo((details, message) => app.log.warn(details, message));
  }
  handleErrors(app);
  inspectConnections(app);
  corsForServices(app);
  serveMetrics(app, context);
  await app.register(websocket, {
    options: { maxPayload: FRAME_LIMIT },
    // The realtime service closes its sockets with a close code; the plugin would close them first, without one.
    preClose: (done) => done(),
    // A client's broken connection is not an error of ours.
    errorHandler: (error, socket, request) => {
      request.log.info({ err: error }, 'a socket ended badly');
      socket.terminate();
    },
  });

  await app.register(restService(context), { prefix: '/rest/v1' });
  // A plugin of their own: hooks for pages must not run for every request of the data service.
  await app.register((others) => withPageHeaders(others, context));
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

/** Its age counts from the moment that its rows are from. An old backup doesn't make a server unready. */
async function lastBackup(owner: Pool): Promise<{ takenAt: Date; ageSeconds: number } | null> {
  const { rows } = await owner.query<{ takenAt: Date; ageSeconds: number }>(
    `select taken_at as "takenAt", extract(epoch from now() - taken_at)::int as "ageSeconds"
     from platform.backups order by taken_at desc limit 1`,
  );
  return rows[0] ?? null;
}

export function healthRoutes(context: Context): FastifyPluginAsync {
  return async (app) => {
    app.get('/healthz', async () => ({ status: 'ok' }));

    app.get('/readyz', async (request, reply) => {
      try {
        // The server listens only after migrations were applied, so only the database can be unready.
        const backup = await lastBackup(context.database.owner);
        return {
          status: 'ready',
          lastBackup: backup,
          ...context.application.readiness?.(context),
        };
      } catch (error) {
        request.log.warn({ err: error }, 'not ready');
        return reply.code(503).send({ status: 'The database does not answer.' });
      }
    });
  };
}
