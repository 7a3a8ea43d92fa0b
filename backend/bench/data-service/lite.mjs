// @supabase/lite on the same database, as the same account, for comparison.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, url, claims] = process.argv.slice(2);
const { resolve } = createRequire(pathToFileURL(`${folder}/package.json`));
const load = (name) => import(pathToFileURL(resolve(name)).href);

const { App } = await import(`${folder}/node_modules/@supabase/lite/dist/index.js`);
const { createPostgresConnection } = await import(
  `${folder}/node_modules/@supabase/lite/dist/db/postgres/PostgresConnection.js`
);
const { serve } = await load('@hono/node-server');

const connection = await createPostgresConnection({ url, postgresOptions: { max: 8 } });
const app = new App({
  connection,
  auth: { enabled: false },
  options: {
    server: { apiKeys: { resolver: async () => ({ type: 'secret', claims: JSON.parse(claims) }) } },
  },
});
serve({ fetch: (request) => app.fetch(request), port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  process.send({ port }),
);
