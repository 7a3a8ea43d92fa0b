import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cleanUp } from 'supabase-in-node/testing/clean-up';
import { beforeAll, describe, expect, it } from 'vitest';
import { company } from '#company';
import { secondServer, type TestServer, testServer } from '#tests/support/server.ts';

let server: TestServer;
let webDir: string;

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'test-web-'));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  webDir = path.join(folder, 'web');
  await mkdir(path.join(webDir, 'assets'), { recursive: true });
  await mkdir(path.join(folder, 'site'));
  for (const name of ['portal', 'office', 'tracker']) {
    const page = `<html lang="en"><title>${name}</title>`;
    await writeFile(path.join(folder, 'site', `app-${name}.html`), page);
  }
  await writeFile(path.join(webDir, 'index.html'), '<title>site</title>');
  await writeFile(path.join(webDir, 'app.html'), '<title>app</title>');
  await writeFile(path.join(webDir, 'client.html'), '<title>client</title>');
  await writeFile(path.join(webDir, 'kiosk.html'), '<title>kiosk</title>');
  await writeFile(path.join(webDir, 'assets', 'app-abc.js'), 'export {}');
  server = await testServer({}, { webDir });
});

describe('GET /app-config.json', () => {
  const configOf = async (url: string, headers = {}) =>
    (await fetch(`${url}/app-config.json`, { headers })).json();

  it('contains the connection settings', async () => {
    expect(await configOf(server.url)).toEqual({
      supabaseUrl: server.url,
      supabaseAnonKey: server.context.keys.anonKey,
      signupPolicy: 'open',
      isDemo: false,
    });
    // Decided by the database: a company of its own stays one, however the server is started.
    const asDemo = await secondServer(server, { DEMO: 'on' });
    expect(await configOf(asDemo.url)).toMatchObject({ isDemo: false });
    await server.database.owner.query(`create table platform.demo as select 'loaded' as state`);
    expect(await configOf((await secondServer(server, { DEMO: 'on' })).url)).toMatchObject({
      isDemo: true,
    });
    await server.database.owner.query('drop table platform.demo');
  });

  it("contains the browser's origin, or the configured public one", async () => {
    const local = server.url.replace('127.0.0.1', 'localhost');
    expect(await configOf(local)).toMatchObject({ supabaseUrl: local });
    const siteUrl = 'https://guards.example';
    const { url } = await testServer({ SITE_URL: siteUrl, MAIL: 'outbox' });
    const asked = await configOf(url, { host: 'evil.example' });
    expect(asked).toMatchObject({ supabaseUrl: siteUrl });
  });
});

it('allows external images only from configured map tiles', async () => {
  const policyOf = async ({ url }: TestServer) => {
    const answer = await fetch(`${url}/app-config.json`);
    return {
      config: await answer.json(),
      policy: String(answer.headers.get('content-security-policy')),
    };
  };
  const usual = await policyOf(server);
  expect(usual.policy).toContain("img-src 'self' data: blob:;");
  expect(usual.config).not.toHaveProperty('mapTiles');
  const mapTiles = { url: 'https://tiles.example/{z}/{x}/{y}.png', credit: 'Tiles Ltd' };
  const tiled = await policyOf(
    await testServer({ MAP_TILE_URL: mapTiles.url, MAP_TILE_CREDIT: mapTiles.credit }),
  );
  expect(tiled.policy).toContain("img-src 'self' data: blob: https://tiles.example;");
  expect(tiled.config).toMatchObject({ mapTiles });
});

describe('the web app', () => {
  it.each([
    ['/', 200, 'site'],
    ['/auth', 200, 'portal'],
    ['/auth/new-password', 200, 'app'],
    ['/staff', 200, 'portal'],
    ['/admin/anything/below', 200, 'office'],
    ['/deployments/', 200, 'tracker'],
    ['/client', 200, 'client'],
    ['/client/coverage/', 200, 'client'],
    ['/client/anything', 404, 'app'],
    ['/kiosk', 200, 'kiosk'],
    ['/no-such-page', 404, 'app'],
    ['/administrator', 404, 'app'],
    ['/..%2f..%2fpackage.json', 404, 'app'],
  ])('answers %s with %d and the %s', async (url, status, title) => {
    const answer = await fetch(`${server.url}${url}`);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toContain(`<title>${title}</title>`);
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(answer.headers.get('cache-control')).toBe('no-cache');
  });

  it('tells the sign-in pages who may create an account', async () => {
    const pageOf = async ({ url }: TestServer) => (await fetch(`${url}/auth`)).text();
    expect(await pageOf(server)).toContain('<html data-sign-up="open" lang="en">');
    const closed = await testServer({ SIGNUP_POLICY: 'closed' }, { webDir });
    expect(await pageOf(closed)).toContain('data-sign-up="closed"');
  });

  it('says where to report a weakness, valid for the next months (RFC 9116)', async () => {
    const answer = await fetch(`${server.url}/.well-known/security.txt`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const fields = Object.fromEntries(
      (await answer.text())
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/).slice(0, 2)),
    );
    expect(fields).toMatchObject({
      Contact: `mailto:${company.email}`,
      Canonical: `${server.url}/.well-known/security.txt`,
    });
    const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
  });

  it('lets browsers cache hashed files', async () => {
    const { headers } = await fetch(`${server.url}/assets/app-abc.js`);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});
