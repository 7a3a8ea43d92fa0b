// A network that can be switched off: neither browser's protocol can do that, and a server that is stopped would end every page.
import { once } from 'node:events';
import net from 'node:net';

export type Line = {
  url: string;
  /** Ends all connections and refuses new ones. */
  cut: () => Promise<void>;
  mend: () => Promise<void>;
};

/** @param target address of the server */
export async function openLine(target: string): Promise<Line> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    const onward = net.connect(Number(port), hostname);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      // An end that breaks is what this is for.
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The line has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async cut() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async mend() {
      if (!server.listening) await listen(address.port);
    },
  };
}
