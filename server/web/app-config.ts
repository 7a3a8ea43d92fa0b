import type { FastifyPluginAsync } from 'fastify';
import type { Context } from 'supabase-in-node/context';
import type { AppConfig } from '../config.ts';

/** GET /app-config.json: what a client needs to connect. */
export function appConfig(config: AppConfig, context: Context): FastifyPluginAsync {
  return async (app) => {
    app.get('/app-config.json', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return {
        // Without a public address, the one that the browser used: pages may only call their own origin,
        // and `localhost` is another than `127.0.0.1`.
        supabaseUrl: config.siteUrl ?? `${request.protocol}://${request.host}`,
        supabaseAnonKey: context.keys.anonKey,
        signupPolicy: config.signupPolicy,
        mapTiles: config.mapTiles,
      };
    });
  };
}
