import type { FastifyPluginAsync } from 'fastify';
import type { Context } from '../context.ts';

export function healthRoutes(context: Context): FastifyPluginAsync {
  return async (app) => {
    app.get('/healthz', async () => ({ status: 'ok' }));

    app.get('/readyz', async (request, reply) => {
      try {
        // The server listens only after migrations were applied, so only the database can be unready.
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
        // Without a configured address, the one that the browser used: the page may only call its own origin,
        // and `localhost` and `127.0.0.1` are different origins.
        supabaseUrl: context.config.siteUrl ?? `${request.protocol}://${request.host}`,
        supabaseAnonKey: context.keys.anonKey,
        signupPolicy: context.config.signupPolicy,
        mapTiles: context.config.mapTiles,
      };
    });
  };
}
