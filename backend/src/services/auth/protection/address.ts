import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

const UNKNOWN = '0.0.0.0';

/** The caller's address as PostgreSQL's inet reads it: without a zone id, and empty if it is no address. */
export function addressOf(request: Pick<FastifyRequest, 'ip'>): string {
  const [address = ''] = request.ip.split('%');
  return isIP(address) > 0 ? address : UNKNOWN;
}
