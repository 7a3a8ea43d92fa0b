// The program: starts the server, prints its address, and stops it on Ctrl-C and SIGTERM.
import type { Running } from 'supabase-in-node';
import { keysCommand } from 'supabase-in-node/keys-command';
import { StartError } from 'supabase-in-node/start-error';
import { abortOnSignals, stopOnSignals } from 'supabase-in-node/stop-on-signals';
import { DEMO_ACCOUNTS, DEMO_CONTACT, DEMO_PASSWORD } from '../demo/accounts.ts';
import { readConfig } from './config.ts';
import type { HistoryProgress } from './demo/demo-history.ts';
import { startServer } from './start.ts';

function say(message: string): void {
  process.stdout.write(`${message}\n`);
}

/** What the user sees of a start; scripts/display.mjs goes on with the steps that it has counted. */
export interface Display {
  /** @param done of `total`, where the step can be counted */
  progress(message: string, done?: number, total?: number): void;
  /** @returns how long the steps took in words, empty if there were none */
  finish(): string;
  /** Ends the step that has failed. */
  fail(): void;
}

const plainDisplay: Display = {
  progress: (message, done) => {
    if (done === undefined) say(`  ${message}…`);
  },
  finish: () => '',
  fail: () => {},
};

function announce({ url, context }: Running, isDemo: boolean, duration: string): void {
  const listening = context.siteUrl() === url ? '' : ` (listening on ${url})`;
  say(`\n  Ready at ${context.siteUrl()}${listening}${duration}`);
  if (!isDemo) return;
  say(`\n  Demo accounts, password ${DEMO_PASSWORD}:`);
  for (const account of [...DEMO_ACCOUNTS, DEMO_CONTACT]) {
    say(`    ${account.email.padEnd(32)} ${account.summary}`);
  }
  say('\n  Ctrl-C stops everything.\n');
}

/** @returns what shows progress: a terminal's line is replaced, a log gets a line for every tenth */
function sayHistory(): (progress: HistoryProgress) => void {
  let tenth = 0;
  return ({ done, total, seconds }) => {
    const { isTTY } = process.stdout;
    const line = isTTY ? '\r\x1b[2K' : '';
    if (done === total) {
      say(`${line}  Demo company: all months of history are there, after ${seconds.toFixed()} s.`);
      return;
    }
    const share = Math.floor((100 * done) / total);
    if (!isTTY && Math.floor(share / 10) <= tenth) return;
    tenth = Math.floor(share / 10);
    process.stdout.write(
      `${line}  Demo company: months of history ${share} % …${isTTY ? '' : '\n'}`,
    );
  };
}

/** @param root absolute path of the repository; @param args words after `npm start --` */
export async function main(root: string, args: string[], display = plainDisplay): Promise<void> {
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
    const starting = abortOnSignals();
    // A line that is replaced must be the last one.
    let isAnnounced = false;
    const showHistory = sayHistory();
    const running = await startServer({
      config,
      progress: display.progress,
      signal: starting.signal,
      demo: {
        load: () => import('../demo/fill.ts'),
        onHistory: (progress) => isAnnounced && showHistory(progress),
      },
    }).finally(starting.release);
    stopOnSignals(running, config.drainSeconds);
    announce(running, config.demo, display.finish());
    isAnnounced = true;
  } catch (error) {
    display.fail();
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    process.exitCode = error.exitCode;
  }
}
