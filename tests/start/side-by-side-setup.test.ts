// Several starts in one clone without packages: one installs and builds, the others wait.
import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { emptyFolder, gone } from './program.ts';

const SCRIPTS = path.resolve(import.meta.dirname, '..', '..', 'scripts');

/** Fails when another one runs, notes that it ran, and takes until the file `go` exists. */
const work = (name: string, output: string): string => `
  const fs = require('node:fs');
  fs.mkdirSync('busy');
  fs.appendFileSync('notes', '${name} ' + process.pid + '\\n');
  const wait = () => {
    if (!fs.existsSync('go')) return setTimeout(wait, 5);
    fs.mkdirSync(require('node:path').dirname('${output}'), { recursive: true });
    fs.writeFileSync('${output}', '${output}'.endsWith('.js')
      ? 'export const main = () => console.log("The server runs.");' : '{"packages":{}}');
    fs.rmdirSync('busy');
  };
  wait();`;

let clone: string;
const starts: ChildProcess[] = [];

beforeEach(async () => {
  clone = await emptyFolder();
  await cp(SCRIPTS, path.join(clone, 'scripts'), { recursive: true });
  const files = {
    'package.json': '{"type":"module"}',
    'package-lock.json': '{"packages":{"":{}}}',
    'npm.cjs': work('install', 'node_modules/.package-lock.json'),
    'build.cjs': work('build', 'dist/server/main.js'),
    'scripts/build-server.mjs': "import '../build.cjs';",
    'scripts/build-web.mjs': `
      import { mkdirSync, writeFileSync } from 'node:fs';
      mkdirSync('dist/web', { recursive: true });
      writeFileSync('dist/web/index.html', '');`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(clone, name), text);
});

afterEach(async () => {
  for (const child of starts.splice(0)) child.kill('SIGKILL');
});

interface Start {
  child: ChildProcess;
  output: () => string;
  exit: Promise<number | null>;
}

function start(): Start {
  const env = { ...process.env, npm_execpath: path.join(clone, 'npm.cjs') };
  const child = spawn(process.execPath, ['scripts/start.mjs'], { cwd: clone, env });
  starts.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, output: () => output, exit };
}

const notes = async (): Promise<string[]> => {
  const text = await readFile(path.join(clone, 'notes'), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
};
const ran = async (): Promise<(string | undefined)[]> =>
  (await notes()).map((line) => line.split(' ')[0]);
const go = () => writeFile(path.join(clone, 'go'), '');

/** Waits for something that happens in another process. */
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(5);
}

async function installer(): Promise<number> {
  await until(async () => (await notes()).length > 0);
  return Number((await notes())[0]?.split(' ')[1]);
}

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
  const pid = await installer();
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
  await installer();
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
