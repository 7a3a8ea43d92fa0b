// Ctrl-C, SIGTERM and kill -9 while a start installs or builds: the next start begins that step again.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isAlive } from '#backend/processes.ts';
import { gone } from './program.ts';
import { atWork, createClone, go, killStarts, ran, type Start, start } from './setup-clone.ts';

let clone: string;

beforeEach(async () => {
  clone = await createClone();
});

afterEach(killStarts);

/** As a terminal sends it: to all processes in the foreground. */
function toGroup({ child }: Start, signal: NodeJS.Signals): void {
  process.kill(-(child.pid ?? 0), signal);
}

const toStart = ({ child }: Start, signal: NodeJS.Signals): void => void child.kill(signal);

const expectUnlocked = (): void =>
  expect(existsSync(path.join(clone, '.cache', 'setup.lock'))).toBe(false);

/** The fake's own mark that it runs. */
const clearBusy = (): Promise<void> => rm(path.join(clone, 'busy'), { recursive: true });

it.each([
  ['Ctrl-C', toGroup, 'SIGINT', 130],
  ['SIGTERM to npm start alone', toStart, 'SIGTERM', 143],
] as const)(
  '%s ends the installation, and the next start installs',
  async (_, send, signal, code) => {
    // Of an earlier installation, which is complete only without the new one.
    await mkdir(path.join(clone, 'node_modules'));
    const hiddenLock = path.join(clone, 'node_modules', '.package-lock.json');
    await writeFile(hiddenLock, '{"packages":{}}');
    await writeFile(
      path.join(clone, 'package-lock.json'),
      '{"packages":{"":{},"node_modules/other":{"version":"1.0.0"}}}',
    );
    const first = start();
    const npm = await atWork();
    send(first, signal);
    expect(await first.exit).toBe(code);
    expect(first.output()).toContain('Stopped. The next npm start goes on from here.');
    expect(isAlive(npm)).toBe(false);
    expectUnlocked();
    expect(existsSync(hiddenLock)).toBe(false);

    await clearBusy();
    await writeFile(path.join(clone, 'package-lock.json'), '{"packages":{"":{}}}');
    await go();
    const second = start();
    expect([await second.exit, second.output()]).toEqual([
      0,
      expect.stringContaining('The server'),
    ]);
    expect(await ran()).toEqual(['install', 'install', 'build']);
  },
);

it('a build that was stopped runs again, even when its sources are the old ones again', async () => {
  await go();
  expect(await start().exit).toBe(0);
  const stamp = path.join(clone, 'dist', 'server.stamp');
  const whole = await readFile(stamp, 'utf8');
  await rm(path.join(clone, 'go'));
  const source = path.join(clone, 'company.config.ts');
  await writeFile(source, 'export const company = {};');
  const second = start();
  const build = await atWork(2);
  toGroup(second, 'SIGINT');
  expect(await second.exit).toBe(130);
  expect(isAlive(build)).toBe(false);
  expectUnlocked();

  await clearBusy();
  await rm(source);
  await go();
  expect(await start().exit).toBe(0);
  expect(await ran()).toEqual(['install', 'build', 'build', 'build']);
  expect(await readFile(stamp, 'utf8')).toBe(whole);
});

it('the build of a killed start is waited for, and then done again', async () => {
  await go();
  expect(await start().exit).toBe(0);
  await rm(path.join(clone, 'go'));
  await writeFile(path.join(clone, 'company.config.ts'), 'export const company = {};');
  const second = start();
  const build = await atWork(2);
  second.child.kill('SIGKILL');
  await second.exit;
  const third = start();
  await go();
  await gone(build);
  expect(await third.exit).toBe(0);
  expect(await ran()).toEqual(['install', 'build', 'build', 'build']);
  expectUnlocked();
});
