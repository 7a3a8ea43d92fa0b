import { isIP, isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The token of the Authorization header; schemes other than Bearer are ignored. */
export function readAuthorization(request: FastifyRequest): string | undefined {
  return /^bearer\s+(.*)$/i.exec(header(request, 'authorization') ?? '')?.[1]?.trim();
}

/**
 * The bearer token, else the `apikey` header, as the gateway of a Supabase project does.
 * @returns undefined when the request has neither
 */
export function readBearer(request: FastifyRequest): string | undefined {
  return readAuthorization(request) ?? header(request, 'apikey');
}

/** @returns the encoding to compress a response with, by the Accept-Encoding header; undefined for none */
export function encodingFor({ headers }: FastifyRequest): 'br' | 'gzip' | undefined {
  const accepted = String(headers['accept-encoding'] ?? '')
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim().toLowerCase());
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding));
}

const UNKNOWN = '0.0.0.0';

/** The caller's address as PostgreSQL's inet reads it: without a zone id, and empty if it is no address. */
export function readAddress(request: Pick<FastifyRequest, 'ip'>): string {
  const [address = ''] = request.ip.split('%');
  return isIP(address) > 0 ? address : UNKNOWN;
}

/** @returns what requests without an account are counted by: the IPv4 address, or the /64 network of an IPv6 customer */
export function toNetwork(address: string): string {
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

/** Two Host headers: a proxy and this server could route the request to different sites (RFC 9112 section 3.2). */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

export function inspectConnections(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Node clears the address of a closed connection, but work continues after the client has disconnected.
    Object.defineProperty(request, 'ip', { value: request.ip });
    if (!hasTwoHosts(request.raw.rawHeaders)) {
      done();
      return;
    }
    // Node does not close the connection of a rejected upgrade by itself.
    reply.raw.once('finish', () => request.raw.socket.end());
    reply
      .code(400)
      .header('connection', 'close')
      .send({ message: 'A request must have one Host header.', request_id: request.id });
  });
}
