// Several starts in one clone without packages: one installs and builds, the others wait.
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { gone } from './program.ts';
import {
  atWork,
  createClone,
  go,
  killStarts,
  ran,
  type Start,
  start,
  until,
} from './setup-clone.ts';

let clone: string;

beforeEach(async () => {
  clone = await createClone();
});

afterEach(killStarts);

const isWaiting = ({ output }: Start): boolean =>
  /Another start \(process \d+\) installs or builds here\. Waiting for it/.test(output());

it('one of three installs and builds; the others wait, say so, and run', async () => {
  const all = [start(), start(), start()];
  const ended = Promise.all(all.map(({ exit }) => exit));
  await Promise.race([until(() => all.filter(isWaiting).length === 2), ended]);
  await go();
  expect(await ended).toEqual([0, 0, 0]);
  for (const { output } of all) expect(output()).toContain('The server runs.');
  expect(await ran()).toEqual(['install', 'build']);
});

it('a start whose process was killed, with what it ran, leaves no lock', async () => {
  const first = start();
  const pid = await atWork();
  first.child.kill('SIGKILL');
  process.kill(pid, 'SIGKILL');
  await first.exit;
  await gone(pid);
  await rm(path.join(clone, 'busy'), { recursive: true });
  await go();
  const second = start();
  expect([await second.exit, second.output()]).toEqual([0, expect.not.stringContaining('Another')]);
  expect(await ran()).toEqual(['install', 'install', 'build']);
});

it('a start waits for the installation of a killed one, which goes on', async () => {
  const first = start();
  await atWork();
  first.child.kill('SIGKILL');
  const second = start();
  await Promise.race([until(() => isWaiting(second)), second.exit]);
  await go();
  expect(await second.exit).toBe(0);
  expect(await ran()).toEqual(['install', 'build']);
});

it('an unreadable lock, of a start that was killed while it wrote it, is taken over', async () => {
  await mkdir(path.join(clone, '.cache'));
  const lock = path.join(clone, '.cache', 'setup.lock');
  await writeFile(lock, '{"host"');
  await utimes(lock, 1, 1);
  await go();
  const only = start();
  expect(await only.exit).toBe(0);
  expect(await ran()).toEqual(['install', 'build']);
});
