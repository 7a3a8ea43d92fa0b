// npm start: installs what is missing, builds what changed, then runs the server.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, main, ROOT } from './setup.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const server = await import(pathToFileURL(path.join(ROOT, 'dist', 'server', 'main.js')).href);
  await server.main(ROOT, process.argv.slice(2));
});
