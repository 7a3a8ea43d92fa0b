import net, { type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

function explain(code: string | undefined, { host, port }: Pick<Config, 'host' | 'port'>): string {
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program. Stop it, or start with another port: PORT=${port + 1} npm start`;
  }
  if (code === 'EACCES') {
    return `This account may not listen on port ${port}. Use a port above 1023, for example PORT=3000.`;
  }
  return `This machine can't listen on ${host}:${port} (${code}). Set HOST to an address of this machine.`;
}

const IDLE_CHECK_MS = 20;
/** How long a proxy's idle connections stay open at the stop, so that the requests on them can end each one in order. */
const LEAVE_MS = 1_000;

/** @throws StartError */
export async function listen(
  app: FastifyInstance,
  config: Pick<Config, 'host' | 'port'>,
): Promise<void> {
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new StartError(explain(code, config), { cause: error });
  }
}

/** Call before `listen`: it tracks connections. @returns a function that closes the server */
export function prepareClose(
  app: FastifyInstance,
  { drainSeconds, trustProxy }: Pick<Config, 'drainSeconds' | 'trustProxy'>,
): (hurry: AbortSignal) => Promise<void> {
  const { server } = app;
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  let isLeaving = false;
  server.prependListener('request', (_request, response) => {
    if (isLeaving) response.setHeader('Connection', 'close');
  });
  /**
   * A proxy may send a request at the moment when its idle connection is closed, and must not send a write again elsewhere. So
   * we stop listening, answer what still arrives, and ask the proxy to close.
   */
  const leave = async (hurry: AbortSignal): Promise<void> => {
    isLeaving = true;
    // The HTTP server's own method would close idle connections too.
    net.Server.prototype.close.call(server);
    await pause(LEAVE_MS, undefined, { signal: hurry }).catch(() => {});
  };
  /** Keep-alive connections become idle one by one, as their responses end. */
  const closeIdle = (): void => {
    server.closeIdleConnections();
    // Connections that browsers open in advance are not idle to Node until their first request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  // Node does not track upgraded connections (WebSockets), and new ones may open while services close.
  const cutOff = (): void => {
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
  };

  /**
   * Stops listening, lets requests in flight finish, then closes every service.
   * @param hurry aborts requests in flight
   */
  return async (hurry) => {
    if (trustProxy) await leave(hurry);
    // Before the services close, which takes time.
    server.close();
    closeIdle();
    const idle = setInterval(closeIdle, IDLE_CHECK_MS);
    const limit = setTimeout(cutOff, drainSeconds * 1000);
    hurry.addEventListener('abort', cutOff);
    if (hurry.aborted) cutOff();
    try {
      await app.close();
    } finally {
      clearInterval(idle);
      clearTimeout(limit);
      hurry.removeEventListener('abort', cutOff);
    }
  };
}
