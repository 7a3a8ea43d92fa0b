// What is checked and noted of each request while its connection is known to be open.
import type { FastifyInstance } from 'fastify';

/** @returns whether a proxy and this server could take the request for different sites (RFC 9112 section 3.2) */
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
    // Node forgets the address of a closed connection, and work continues after the client has hung up.
    Object.defineProperty(request, 'ip', { value: request.ip });
    if (!hasTwoHosts(request.raw.rawHeaders)) {
      done();
      return;
    }
    // Node closes the connection of a refused upgrade only when told to.
    reply.raw.once('finish', () => request.raw.socket.end());
    reply
      .code(400)
      .header('connection', 'close')
      .send({ message: 'A request must have one Host header.', request_id: request.id });
  });
}
