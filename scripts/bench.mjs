// npm run bench [-- section … [--option …]]: measures the product on this machine and prints figures; nothing here passes or fails.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt, ensureInstalled, main, ROOT, SetupError } from './setup.mjs';

await main(async () => {
  await ensureInstalled();
  const sections = new Map(
    ['bench', 'backend/bench'].flatMap((folder) =>
      readdirSync(path.join(ROOT, folder))
        .filter((file) => file.endsWith('.bench.mjs'))
        .map((file) => [file.replace('.bench.mjs', ''), path.join(ROOT, folder, file)]),
    ),
  );
  const known = [...sections.keys()].sort();
  const args = process.argv.slice(2);
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  const asked = firstOption < 0 ? args : args.slice(0, firstOption);
  const options = firstOption < 0 ? [] : args.slice(firstOption);
  if (options.length > 0 && asked.length !== 1)
    throw new SetupError('Options belong to one section: npm run bench -- <section> --option …');
  const unknown = asked.find((name) => !known.includes(name));
  if (unknown)
    throw new SetupError(`There is no section "${unknown}". There are: ${known.join(', ')}.`);
  for (const name of asked.length > 0 ? asked : known) {
    console.log(`\n## ${name}\n`);
    const section = await import(pathToFileURL(sections.get(name)).href);
    if (section.needsBuild !== false) await ensureBuilt();
    await section.default(options);
  }
});
