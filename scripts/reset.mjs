// npm run reset: removes DATA_DIR (database, keys, files), after asking. The next start makes a new one.
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { main, ROOT, SetupError, say } from './setup.mjs';

await main(async () => {
  const dataDir = path.resolve(ROOT, process.env.DATA_DIR ?? './data');
  if (!existsSync(dataDir)) {
    say(`There is nothing to reset: ${dataDir} does not exist.`);
    return;
  }
  if (existsSync(path.join(dataDir, 'server.lock'))) {
    throw new SetupError(
      `A server uses ${dataDir}, or was killed on it. Stop it (or start and stop it once), then reset.`,
    );
  }
  if (!process.argv.includes('--yes')) {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    const question = `This deletes the database, the keys and all files in ${dataDir}. Type "reset" to go on: `;
    const answer = await terminal.question(question);
    terminal.close();
    if (answer.trim() !== 'reset') {
      say('Nothing was deleted.');
      return;
    }
  }
  rmSync(dataDir, { recursive: true });
  say(`${dataDir} was deleted. npm start makes a new one.`);
});
