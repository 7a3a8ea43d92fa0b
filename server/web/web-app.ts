import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from 'supabase-in-node/context';
import { company } from '#company';
import { isAppPath, isClientPath, isKioskPath } from '../../shared/app-paths.ts';
import { SITE_ADDRESS } from '../../shared/site-address.ts';
import type { AppConfig } from '../config.ts';
import type { DemoHistory } from '../demo/demo-history.ts';
import { holdsDemo } from '../demo/demo-state.ts';
import { openPage, type Page } from './page.ts';

const HASHED = `${path.sep}assets${path.sep}`;

const robots = (
  siteUrl: string,
): string => `# The public page is for everyone; the portals need an account.
User-agent: *
Disallow: /admin
Disallow: /staff
Disallow: /auth
Disallow: /calendar
Disallow: /client
Disallow: /deployments
Disallow: /guide
Disallow: /kiosk

Sitemap: ${siteUrl}/sitemap.xml
`;

const sitemap = (siteUrl: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>${new URL('/', siteUrl).href.replaceAll('&', '&amp;')}</loc></url>
</urlset>
`;

/** Days that the contact counts as valid, from the request on. */
const CONTACT_DAYS = 180;

/** Where to report a weakness (RFC 9116). */
const securityContact = (siteUrl: string): string => `Contact: mailto:${company.email}
Expires: ${new Date(Date.now() + CONTACT_DAYS * 86_400_000).toISOString()}
Preferred-Languages: en
Canonical: ${siteUrl}/.well-known/security.txt
`;

/** Where people sign in: the page has the form before the app has loaded. Other screens open without it. */
function signInAt(pathname: string): 'portal' | 'office' | 'tracker' | undefined {
  if (/^\/deployments\/?$/.test(pathname)) return 'tracker';
  if (/^\/admin(\/|$)/.test(pathname)) return 'office';
  return /^\/(auth\/?$|(staff|account)(\/|$))/.test(pathname) ? 'portal' : undefined;
}

/**
 * @param root the built web app; the sign-in pages are beside it
 * @param signupPolicy a closed one leaves signing up out of the sign-in pages
 */
export function webApp(
  root: string,
  context: Context,
  signupPolicy: AppConfig['signupPolicy'],
): FastifyPluginAsync {
  const read = (file: string): Promise<string> => readFile(path.join(root, file), 'utf8');

  return async (app) => {
    // Not built: tests of the services alone.
    if (!existsSync(path.join(root, 'app.html'))) return;
    const appPage = openPage(await read('app.html'));
    const kioskPage = openPage(await read('kiosk.html'));
    const clientPage = openPage(await read('client.html'));
    const signInPage = async (name: string): Promise<Page> => {
      const html = await read(path.join('..', 'site', `app-${name}.html`));
      return openPage(html.replace('<html ', `<html data-sign-up="${signupPolicy}" `));
    };
    const signInPages = {
      portal: await signInPage('portal'),
      office: await signInPage('office'),
      tracker: await signInPage('tracker'),
    };
    const site = await read('index.html');
    let landing: Page | undefined;

    await app.register(fastifyStatic, {
      root,
      wildcard: false,
      cacheControl: false,
      // The build writes .br and .gz files beside each file.
      preCompressed: true,
      globIgnore: ['**/*.br', '**/*.gz', 'index.html', 'app.html', 'client.html', 'kiosk.html'],
      setHeaders: (reply, file) => {
        const isHashed = file.includes(HASHED);
        reply.setHeader(
          'cache-control',
          isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
        reply.setHeader('vary', 'accept-encoding');
      },
    });

    app.get('/', async (request, reply) => {
      // The address is known only when the server listens.
      landing ??= openPage(site.replaceAll(SITE_ADDRESS, context.siteUrl()));
      return landing.send(request, reply);
    });

    const serveText = (url: string, type: string, text: () => string) =>
      app.get(url, async (_request, reply) =>
        reply.type(`${type}; charset=utf-8`).header('cache-control', 'no-cache').send(text()),
      );
    serveText('/robots.txt', 'text/plain', () => robots(context.siteUrl()));
    serveText('/sitemap.xml', 'application/xml', () => sitemap(context.siteUrl()));
    serveText('/.well-known/security.txt', 'text/plain', () => securityContact(context.siteUrl()));

    app.get('/*', async (request, reply) => {
      const { pathname } = new URL(request.url, 'http://localhost');
      if (isKioskPath(pathname)) return kioskPage.send(request, reply);
      if (isClientPath(pathname)) return clientPage.send(request, reply);
      const form = signInAt(pathname);
      if (!isAppPath(pathname)) return appPage.send(request, reply, 404);
      return (form ? signInPages[form] : appPage).send(request, reply);
    });
  };
}

/** GET /app-config.json: what a client needs to connect. */
export function appConfig(
  config: AppConfig,
  context: Context,
  history: DemoHistory,
): FastifyPluginAsync {
  return async (app) => {
    const isDemo = await holdsDemo(context.database.owner);
    app.get('/app-config.json', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return {
        // Without a public address, the one that the browser used: pages may only call their own origin,
        // and `localhost` is another than `127.0.0.1`.
        supabaseUrl: config.siteUrl ?? `${request.protocol}://${request.host}`,
        supabaseAnonKey: context.keys.anonKey,
        signupPolicy: config.signupPolicy,
        isDemo,
        isDemoFilling: history.state === 'filling' || undefined,
        mapTiles: config.mapTiles,
      };
    });
  };
}
