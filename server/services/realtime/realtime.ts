// The realtime service: /realtime/v1.
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from '../../context.ts';

export function realtimeService(_context: Context): FastifyPluginAsync {
  return async () => {};
}
