// The product behind a proxy that simulates an update: another service worker, and missing files.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** @param url of the server under test */
export async function behindProxy(url: string) {
  let version = 0;
  let gone: RegExp | undefined;
  const server = createServer((request, response) => {
    const pass = async () => {
      if (gone?.test(request.url ?? '')) {
        response.writeHead(404).end();
        return;
      }
      const { method = 'GET', headers } = request;
      const sent = ['accept', 'authorization', 'apikey', 'content-type', 'prefer'].flatMap(
        (name) => (typeof headers[name] === 'string' ? [[name, headers[name]] as const] : []),
      );
      const answer = await fetch(url + request.url, {
        method,
        headers: Object.fromEntries(sent),
        ...(method === 'GET' || method === 'HEAD' ? {} : { body: await buffer(request) }),
      });
      const body = Buffer.from(await answer.arrayBuffer());
      // The total of a list.
      const range = answer.headers.get('content-range');
      const isWorker = request.url === '/sw.js';
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'application/octet-stream',
        'cache-control': answer.headers.get('cache-control') ?? 'no-cache',
        ...(range && { 'content-range': range }),
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
    /** Serves a different service worker from now on. */
    replaceWorker: () => {
      version += 1;
    },
    /** Answers 404 for matching files from now on; undefined serves all files again. */
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
