// npm run bench [-- section …]: measures the product on this machine and prints figures; nothing here passes or fails.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, main, ROOT, SetupError } from './setup.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const sections = new Map(
    ['bench', 'backend/bench'].flatMap((folder) =>
      readdirSync(path.join(ROOT, folder))
        .filter((file) => file.endsWith('.bench.mjs'))
        .map((file) => [file.replace('.bench.mjs', ''), path.join(ROOT, folder, file)]),
    ),
  );
  const known = [...sections.keys()].sort();
  const asked = process.argv.slice(2);
  const unknown = asked.find((name) => !known.includes(name));
  if (unknown)
    throw new SetupError(`There is no section "${unknown}". There are: ${known.join(', ')}.`);
  for (const name of asked.length > 0 ? asked : known) {
    console.log(`\n## ${name}\n`);
    const section = await import(pathToFileURL(sections.get(name)).href);
    await section.default();
  }
});
