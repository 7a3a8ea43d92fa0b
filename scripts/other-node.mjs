// Another version of Node for the tests, fetched by npm into .cache: nothing is installed for the machine or for npm start.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { runNpm } from './child.mjs';
import { ROOT, SetupError, say } from './setup.mjs';

/** @param {string} major for example '24' */
export function isRunning(major) {
  return process.versions.node.split('.')[0] === major;
}

const folderOf = (major) => path.join(ROOT, '.cache', `node-${major}`);

/** The npm package with Node's program for this machine. Those of https://www.npmjs.com/package/node are named like this. */
function packageName() {
  const { platform, arch } = process;
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

function programOf(major) {
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  return path.join(folderOf(major), 'node_modules', packageName(), 'bin', program);
}

/** Whether it runs: a fetch that was interrupted leaves half a file. */
function runs(program) {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {string} major as above
 * @returns {Promise<string>} path of a Node of that version
 * @throws {SetupError} if npm can't fetch it
 */
export async function ensureNode(major) {
  if (isRunning(major)) return process.execPath;
  const program = programOf(major);
  if (runs(program)) return program;
  const folder = folderOf(major);
  rmSync(folder, { recursive: true, force: true });
  const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund'];
  say(`Fetching Node ${major} for the tests (60 MB)`);
  await runNpm([...args, `${packageName()}@${major}`]);
  if (runs(program)) return program;
  throw new SetupError(`npm installed ${packageName()}@${major}, but ${program} does not run.`);
}
