// Does what docs/first-change.md says, block by block, on a clone of the working tree.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const GUIDE = 'docs/first-change.md';
const BLOCK_MS = 10 * 60_000;
/** Characters of a failed command's output. */
const SHOWN = 10_000;

const execute = promisify(execFile);

/** Without what this Vitest, npm and git tell their own children. */
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:VITEST|TEST|NODE_ENV|npm_|GIT_)/.test(name),
    ),
  ),
  GIT_AUTHOR_NAME: 'Newcomer',
  GIT_AUTHOR_EMAIL: 'newcomer@statesman.example',
  GIT_COMMITTER_NAME: 'Newcomer',
  GIT_COMMITTER_EMAIL: 'newcomer@statesman.example',
};

let clone: string;

/** @throws with the output of commands that fail */
async function shell(commands: string): Promise<void> {
  const options = { cwd: clone, env, timeout: BLOCK_MS, maxBuffer: 64 * 1024 * 1024 };
  await execute('bash', ['-euo', 'pipefail', '-c', commands], options).catch((error: unknown) => {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`${commands}\n${error}\n${output.slice(-SHOWN)}`);
  });
}

/** Packages are linked; the workspace is that of the clone. */
async function linkPackages(): Promise<void> {
  const from = path.join(ROOT, 'node_modules');
  const to = path.join(clone, 'node_modules');
  await mkdir(to);
  const link = (name: string) => symlink(path.join(from, name), path.join(to, name));
  for (const name of await readdir(from)) {
    if (name.startsWith('@')) {
      await mkdir(path.join(to, name));
      for (const scoped of await readdir(path.join(from, name))) await link(`${name}/${scoped}`);
    } else if (!name.startsWith('.') && name !== 'supabase-in-node') await link(name);
  }
  await link('.bin');
  await link('.package-lock.json');
  await symlink('../backend', path.join(to, 'supabase-in-node'));
}

async function copyTree(): Promise<void> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const { stdout } = await execute('git', list, { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 });
  const gone = new Set(
    (await execute('git', ['ls-files', '-z', '--deleted'], { cwd: ROOT })).stdout.split('\0'),
  );
  for (const name of stdout.split('\0').filter((file) => file !== '' && !gone.has(file))) {
    await cp(path.join(ROOT, name), path.join(clone, name));
  }
}

/** Each hunk's old text must be in the file exactly once. */
async function edit(file: string, diff: string): Promise<void> {
  const location = path.join(clone, file);
  let text = await readFile(location, 'utf8');
  for (const hunk of diff.split(/^@@\n/m)) {
    const lines = hunk.trimEnd().split('\n');
    const without = (sign: string) =>
      lines.flatMap((line) => (line.startsWith(sign) ? [] : [`${line.slice(1)}\n`])).join('');
    const before = without('+');
    expect(text.split(before), `${file} has this once:\n${before}`).toHaveLength(2);
    text = text.replace(before, () => without('-'));
  }
  await writeFile(location, text);
}

const blocks = [
  ...(await readFile(path.join(ROOT, GUIDE), 'utf8')).matchAll(
    /^```(\S+)(?: (.*))?\n([\s\S]*?)^```$/gm,
  ),
].map(([, language = '', place = '', text = '']) => ({ language, place, text }));

beforeAll(async () => {
  clone = await mkdtemp(path.join(tmpdir(), 'statesman-first-change-'));
  await copyTree();
  await linkPackages();
  await shell('git init -q && git add -A && git commit -qm "Before the change"');
}, 120_000);

afterAll(() => rm(clone, { recursive: true, force: true }));

test('the guide leads to a green check and a commit', { timeout: 2 * BLOCK_MS }, async () => {
  for (const { language, place, text } of blocks) {
    if (language === 'diff') await edit(place, text);
    else if (language === 'sh' && place === '') await shell(text);
    else expect(`${language} ${place}`).toBe('sh by hand');
  }
  const { stdout } = await execute('git', ['log', '--format=%s', '-1'], { cwd: clone });
  expect(stdout).toBe('Sites: add a radio call sign\n');
});
