// Serves the built web app: the static landing page, the app for its paths, assets for long, and the 404 page.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { isAppPath } from '../../shared/app-paths.ts';
import type { Context } from '../context.ts';

const HASHED = `${path.sep}assets${path.sep}`;

export function webApp(context: Context): FastifyPluginAsync {
  const root = context.config.webDir;
  return async (app) => {
    // Without a build (tests of the services alone) only the services answer.
    if (!existsSync(path.join(root, 'app.html'))) return;
    const page = await readFile(path.join(root, 'app.html'));

    await app.register(fastifyStatic, {
      root,
      wildcard: false,
      cacheControl: false,
      setHeaders: (reply, file) => {
        const forever = file.includes(HASHED);
        reply.setHeader(
          'cache-control',
          forever ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });

    const sendApp = (reply: FastifyReply, status: number): FastifyReply =>
      reply
        .code(status)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(page);

    app.get('/*', async (request, reply) => {
      const { pathname } = new URL(request.url, 'http://localhost');
      return sendApp(reply, isAppPath(pathname) ? 200 : 404);
    });
  };
}
