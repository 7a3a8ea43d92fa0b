// The site behind a small proxy that can hand out another service worker and lack a file, as a new version of the app does.
import { createServer } from 'node:http';

/** @param url of the server that is tested */
export async function behindProxy(url: string) {
  let version = 0;
  let gone: RegExp | undefined;
  const server = createServer((request, response) => {
    const pass = async () => {
      if (gone?.test(request.url ?? '')) {
        response.writeHead(404).end();
        return;
      }
      const answer = await fetch(url + request.url, { headers: { accept: '*/*' } });
      const body = Buffer.from(await answer.arrayBuffer());
      const isWorker = request.url === '/sw.js';
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'application/octet-stream',
        'cache-control': answer.headers.get('cache-control') ?? 'no-cache',
      });
      response.end(isWorker ? Buffer.concat([body, Buffer.from(`\n// version ${version}`)]) : body);
    };
    pass().catch((error: unknown) => response.writeHead(502).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** From now on a worker is handed out that differs. */
    replaceWorker: () => {
      version += 1;
    },
    /** From now on there are no such files; nothing for all that there are. */
    lacks: (files: RegExp | undefined) => {
      gone = files;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
