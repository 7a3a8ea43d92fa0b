// The auth service: /auth/v1.
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from '../../context.ts';

export function authService(_context: Context): FastifyPluginAsync {
  return async () => {};
}
