import type { FastifyRequest } from 'fastify';

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The token of the Authorization header; schemes other than Bearer are ignored. */
export function authorizationOf(request: FastifyRequest): string | undefined {
  return /^bearer\s+(.*)$/i.exec(header(request, 'authorization') ?? '')?.[1]?.trim();
}

/**
 * The bearer token, else the `apikey` header, as the gateway of a Supabase project does.
 * @returns undefined when the request has neither
 */
export function bearerOf(request: FastifyRequest): string | undefined {
  return authorizationOf(request) ?? header(request, 'apikey');
}
