// Whom an attempt is counted for: an IPv4 address, or the /64 network that one IPv6 customer has to himself.
import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

const UNKNOWN = '0.0.0.0';

/** The caller's address as PostgreSQL's inet reads it: without a zone, and known only if it is an address at all. */
export function addressOf(request: Pick<FastifyRequest, 'ip'>): string {
  const [address = ''] = request.ip.split('%');
  return isIP(address) > 0 ? address : UNKNOWN;
}

/** What attempts are counted for. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = (address.split('%')[0] ?? '').toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
