// Builds two pages: the public site (index.html, rendered to static HTML afterwards) and the app (app.html). The pages of
// shared devices (kiosk.html) and of clients (client.html) are builds of their own in scripts/build-web.mjs.
import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { isAppPath, isClientPath, isKioskPath } from './shared/app-paths.ts';

const root = import.meta.dirname;
const services = [
  '/auth/v1',
  '/rest/v1',
  '/realtime/v1',
  '/storage/v1',
  '/functions/v1',
  '/app-config.json',
  '/contact',
  '/guide',
];
const backend = process.env.BACKEND_URL ?? 'http://127.0.0.1:3001';

function pageAt(pathname: string): string {
  if (isKioskPath(pathname)) return '/kiosk.html';
  return isClientPath(pathname) ? '/client.html' : '/app.html';
}

/** Serves the pages of the app at their paths in development, as the server does in production. */
function appPages(): Plugin {
  return {
    name: 'app-pages',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost');
        const isPage = request.headers.accept?.includes('text/html') ?? false;
        const isKnown = pathname === '/' || pathname.endsWith('.html');
        if (isPage && !isKnown && (isAppPath(pathname) || !path.extname(pathname))) {
          request.url = pageAt(pathname);
        }
        next();
      });
    },
  };
}

export default defineConfig({
  root: path.join(root, 'web'),
  publicDir: path.join(root, 'web', 'public'),
  plugins: [appPages(), react(), tailwindcss()],
  build: {
    outDir: path.join(root, 'dist', 'web'),
    emptyOutDir: true,
    // The import graph, from which scripts/build-offline.mjs derives the precache.
    manifest: '.build.json',
    rollupOptions: {
      input: {
        site: path.join(root, 'web', 'index.html'),
        app: path.join(root, 'web', 'app.html'),
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      services.map((prefix) => [prefix, { target: backend, ws: prefix === '/realtime/v1' }]),
    ),
  },
});
