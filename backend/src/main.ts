// Serves the project in PROJECT_DIR without an application: `npm start` in this folder.
import path from 'node:path';
import { readConfig, requireMailServer } from './config.ts';
import { keysCommand } from './keys/command.ts';
import { startBackend } from './start.ts';
import { StartError } from './start-error.ts';
import { stopOnSignals } from './stop-on-signals.ts';

try {
  const config = readConfig(process.env, process.cwd());
  requireMailServer(config);
  const [command, ...args] = process.argv.slice(2);
  if (command === 'keys') {
    await keysCommand(config, args);
  } else {
    const name = path.basename(config.projectDir);
    const running = await startBackend({
      config,
      sourceDir: import.meta.dirname,
      application: {
        organisation: {
          name,
          shortName: name,
          email: config.mailFrom ?? `${name}@localhost`,
          addressLabel: '',
          hotline: '',
          timeZone: 'UTC',
        },
      },
      progress: (message) => console.log(message),
    });
    stopOnSignals(running, config.drainSeconds);
    console.log(`Ready at ${running.url}`);
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
