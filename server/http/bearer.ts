// Finds the token of a request, as the gateway of a Supabase project does (PROTOCOL.md 0).
import type { FastifyRequest } from 'fastify';

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The token of the Authorization header; a scheme other than Bearer is ignored. */
export function authorizationOf(request: FastifyRequest): string | undefined {
  return /^bearer\s+(.*)$/i.exec(header(request, 'authorization') ?? '')?.[1]?.trim();
}

/**
 * The bearer token, else the `apikey` header (or query parameter of a socket).
 * A scheme other than Bearer is ignored. Undefined means that the caller showed nothing.
 */
export function bearerOf(request: FastifyRequest): string | undefined {
  return authorizationOf(request) ?? header(request, 'apikey');
}
