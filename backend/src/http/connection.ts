import type { FastifyInstance } from 'fastify';

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
