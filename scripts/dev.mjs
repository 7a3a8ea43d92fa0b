// npm run dev: the web app with hot reloading on PORT, the server restarting on change behind it.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import path from 'node:path';
import { ensureInstalled, main, ROOT, say } from './setup.mjs';
import {
  readSettings,
  refuseSecondServer,
  requireFreePort,
  requireWritable,
} from './start-checks.mjs';

const SERVER_SOURCES = ['server', 'demo', 'backend/src', 'shared', 'supabase', 'company.config.ts'];
/** Editors and version control write several files at once. */
const SETTLE_MS = 100;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** In a group of its own, so that Ctrl-C reaches only us, and we stop it in order. */
function launch(args, env) {
  return spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
    detached: process.platform !== 'win32',
  });
}

const isRunning = ({ exitCode, signalCode }) => exitCode === null && signalCode === null;

function end(child) {
  if (!isRunning(child)) return Promise.resolve();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return ended;
}

/** Runs the server, again after each change of its sources: the next one starts when the one before has stopped. */
function runServer(env) {
  let child;
  let isStopped = false;
  let restarting;
  const start = () => {
    child = launch(['--import', 'tsx', 'scripts/dev-server.ts'], env);
    const started = child;
    started.once('exit', (code) => {
      if (!isStopped && child === started && restarting === undefined)
        say(`The server ended (${code}). It starts again when a file changes.`);
    });
  };
  const restart = async () => {
    await end(child);
    restarting = undefined;
    if (!isStopped) start();
  };
  let settling;
  const onChange = () => {
    clearTimeout(settling);
    settling = setTimeout(() => {
      restarting ??= restart();
    }, SETTLE_MS);
  };
  const watchers = SERVER_SOURCES.map((source) =>
    watch(path.join(ROOT, source), { recursive: true }, onChange),
  );
  start();
  return async () => {
    isStopped = true;
    clearTimeout(settling);
    for (const watcher of watchers) watcher.close();
    await end(child);
  };
}

await main(async () => {
  const settings = readSettings(process.env);
  const { port } = settings;
  const command = 'npm run dev';
  refuseSecondServer(settings, command);
  for (const number of [port, port + 1]) {
    await requireFreePort({ host: '127.0.0.1', port: number }, command);
  }
  requireWritable({ dataDir: settings.dataDir, changesClone: true });
  await ensureInstalled();
  const backend = `http://127.0.0.1:${port + 1}`;
  const stopServer = runServer({
    PORT: String(port + 1),
    SITE_URL: `http://127.0.0.1:${port}`,
  });
  const address = ['--host', '127.0.0.1', '--port', String(port), '--strictPort'];
  const web = launch(['node_modules/vite/bin/vite.js', ...address], { BACKEND_URL: backend });

  const exitCode = await new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve(0));
    web.once('exit', (code) => resolve(code ?? 1));
  });
  await Promise.all([stopServer(), end(web)]);
  process.exitCode = exitCode;
});
