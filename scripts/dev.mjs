// npm run dev: the web app with hot reloading on PORT, the server restarting on change behind it.
import { spawn } from 'node:child_process';
import { ensureInstalled, main, ROOT } from './setup.mjs';

await main(async () => {
  await ensureInstalled();
  const port = Number(process.env.PORT ?? 3000);
  const backend = port + 1;
  const site = `http://127.0.0.1:${port}`;
  const start = (command, env) => {
    const options = { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } };
    return spawn(process.execPath, command.split(' '), options);
  };
  const address = `--host 127.0.0.1 --port ${port} --strictPort`;
  const children = [
    start('node_modules/tsx/dist/cli.mjs watch --clear-screen=false scripts/dev-server.ts', {
      PORT: String(backend),
      SITE_URL: site,
    }),
    start(`node_modules/vite/bin/vite.js ${address}`, {
      BACKEND_URL: `http://127.0.0.1:${backend}`,
    }),
  ];
  const stop = () => {
    for (const child of children) child.kill('SIGTERM');
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  for (const child of children) child.once('exit', stop);
});
