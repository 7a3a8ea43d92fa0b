// Liveness, readiness, and what a client needs to connect.
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from '../context.ts';

export function healthRoutes(context: Context): FastifyPluginAsync {
  return async (app) => {
    app.get('/healthz', async () => ({ status: 'ok' }));

    app.get('/readyz', async (request, reply) => {
      try {
        // The server only listens once migrations are applied, so the database is what remains to ask.
        await context.database.owner.query('select 1');
        return { status: 'ready' };
      } catch (error) {
        request.log.warn({ err: error }, 'not ready');
        return reply.code(503).send({ status: 'The database does not answer.' });
      }
    });

    app.get('/app-config.json', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return {
        // Without a public address, the one that the browser used: pages may only call their own origin,
        // and `localhost` is another than `127.0.0.1`.
        supabaseUrl: context.config.siteUrl ?? `${request.protocol}://${request.host}`,
        supabaseAnonKey: context.keys.anonKey,
        signupPolicy: context.config.signupPolicy,
        mapTiles: context.config.mapTiles,
      };
    });
  };
}
