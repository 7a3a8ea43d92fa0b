// A clone without packages, whose npm and server build are fakes that a test lets finish.
import { type ChildProcess, spawn } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { emptyFolder } from './program.ts';

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

/** @returns its folder, for the other functions too */
export async function createClone(): Promise<string> {
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
  return clone;
}

export function killStarts(): void {
  for (const child of starts.splice(0)) child.kill('SIGKILL');
}

export interface Start {
  child: ChildProcess;
  output: () => string;
  exit: Promise<number | null>;
}

export function start(): Start {
  const env = { ...process.env, npm_execpath: path.join(clone, 'npm.cjs'), PORT: '0' };
  // A group of its own, as a terminal gives it one.
  const child = spawn(process.execPath, ['scripts/start.mjs'], { cwd: clone, env, detached: true });
  starts.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, output: () => output, exit };
}

export const notes = async (): Promise<string[]> => {
  const text = await readFile(path.join(clone, 'notes'), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
};
export const ran = async (): Promise<(string | undefined)[]> =>
  (await notes()).map((line) => line.split(' ')[0]);
export const go = () => writeFile(path.join(clone, 'go'), '');

/** Waits for something that happens in another process. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(5);
}

/** @returns the process id of the fake that runs, after `before` others */
export async function atWork(before = 0): Promise<number> {
  await until(async () => (await notes()).length > before);
  return Number((await notes())[before]?.split(' ')[1]);
}
