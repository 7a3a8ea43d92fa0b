// GET /.well-known/jwks.json
import type { Endpoint } from '../service.ts';

export const jwks: Endpoint = async ({ context }, _request, reply) => {
  reply.header('cache-control', 'public, max-age=600');
  return context.keys.jwks;
};
