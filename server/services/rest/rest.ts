// The rest service: /rest/v1.
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from '../../context.ts';

export function restService(_context: Context): FastifyPluginAsync {
  return async () => {};
}
