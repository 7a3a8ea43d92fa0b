// The program: starts the server, prints its address, and stops it on Ctrl-C and SIGTERM.
import type { Running } from 'supabase-in-node';
import { keysCommand } from 'supabase-in-node/keys-command';
import { StartError } from 'supabase-in-node/start-error';
import { stopOnSignals } from 'supabase-in-node/stop-on-signals';
import { DEMO_ACCOUNTS, DEMO_CONTACT, DEMO_PASSWORD } from '../demo/accounts.ts';
import { readConfig } from './config.ts';
import { startServer } from './start.ts';

function say(message: string): void {
  process.stdout.write(`${message}\n`);
}

function announce({ url, context }: Running, isDemo: boolean): void {
  say(
    `\n${' '.repeat(2)}Ready at ${context.siteUrl()}${context.siteUrl() === url ? '' : ` (listening on ${url})`}`,
  );
  if (!isDemo) return;
  say(`\n  Demo accounts, password ${DEMO_PASSWORD}:`);
  for (const account of [...DEMO_ACCOUNTS, DEMO_CONTACT]) {
    say(`    ${account.email.padEnd(32)} ${account.summary}`);
  }
  say('\n  Ctrl-C stops everything.\n');
}

/** @param root absolute path of the repository; @param args words after `npm start --` */
export async function main(root: string, args: string[]): Promise<void> {
  try {
    const config = readConfig(process.env, root);
    if (args[0] === 'keys') {
      await keysCommand(config, args.slice(1));
      return;
    }
    if (args[0] !== undefined) {
      throw new StartError(
        `npm start knows no "${args[0]}". It takes nothing, or keys: docs/operations.md`,
      );
    }
    const running = await startServer({
      config,
      progress: (message) => say(`  ${message}…`),
      // Loaded only for a new database: an ordinary start doesn't parse the lists.
      fillDemo: async (client, blobs) => {
        const { fillDemo } = await import('../demo/fill.ts');
        await fillDemo(client, new Date(), blobs);
      },
    });
    stopOnSignals(running, config.drainSeconds);
    announce(running, config.demo);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}
