// A server of its own on an empty database, with the first administrator as docs/operations.md makes it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { emptyFolder, endAll, started } from '#tests/start/program.ts';
import { ROOT } from './service.ts';

const run = promisify(execFile);

export type EmptyCompany = {
  url: string;
  email: string;
  /** Must be changed at the first sign-in. */
  password: string;
  stop: () => Promise<void>;
};

export async function startEmptyCompany(): Promise<EmptyCompany> {
  const DATA_DIR = await emptyFolder();
  const { url } = await started({ DATA_DIR });
  const email = 'owner@company.example';
  const command = ['scripts/run.mjs', 'scripts/admin-create.ts', '--email', email];
  const { stdout } = await run(process.execPath, [...command, '--name', 'Ada Owner'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR, DEMO: 'off' },
  });
  const password = /^Password.*: (\S+)$/m.exec(stdout)?.[1];
  if (password === undefined) throw new Error(`The command printed no password:\n${stdout}`);
  return { url, email, password, stop: endAll };
}
