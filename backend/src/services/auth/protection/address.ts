// The address of a caller as it is stored.
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

const UNKNOWN = '0.0.0.0';

/** The caller's address as PostgreSQL's inet reads it: without a zone, and known only if it is an address at all. */
export function addressOf(request: Pick<FastifyRequest, 'ip'>): string {
  const [address = ''] = request.ip.split('%');
  return isIP(address) > 0 ? address : UNKNOWN;
}
