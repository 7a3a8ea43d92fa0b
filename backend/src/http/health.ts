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
  };
}
