// npm run pictures: takes the pictures of README.md and the site's social card from the built product with a new demo company.
// The journey takes them (tests/e2e/app/pictures.spec.ts), and in the suite says when those of the repository are of an old design.
import { ensureTestChromium } from './chromium.mjs';
import { runPlaywright } from './runners.mjs';
import { ensureBuilt, ensureInstalled, main } from './setup.mjs';
import { withServers } from './test-server.mjs';

await main(async () => {
  await ensureInstalled();
  const chromium = await ensureTestChromium();
  await ensureBuilt();
  process.env.PICTURES = 'write';
  const { failed } = await withServers(1, (servers) =>
    runPlaywright({ servers, chromium, projects: ['long'], tag: '@pictures' }),
  );
  if (failed > 0) process.exitCode = 1;
});
