// Only one process of a clone installs or builds at a time. A lock file names it and what it runs.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 200;
/** Longer than writing or checking a lock takes, unless its process was killed. */
const UNFINISHED_MS = 10_000;

/** Start time of a process, which tells it from a later one with the same id (field 22, proc_pid_stat(5)); empty if unknown. */
function birthOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** @param {{ pid: number, birth: string }} process as a lock names it */
export function isAlive({ pid, birth }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return birthOf(pid) === birth;
}

const self = (pid) => ({ pid, birth: birthOf(pid) });

function ageOf(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? 0 : Date.now() - found.mtimeMs;
}

/** @returns the holder; undefined if there is none, or it is dead */
function holderOf(file) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { host, processes } = JSON.parse(text);
    // Processes of another container can't be looked up.
    const isHeld = host !== hostname() || processes.some(isAlive);
    return isHeld ? { pid: processes[0].pid, host } : undefined;
  } catch {
    // Being written, or its process was killed while it was.
    return ageOf(file) < UNFINISHED_MS ? {} : undefined;
  }
}

function create(file, text) {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Checks and removes under a second lock: two at once could remove the lock of the one that was faster. */
function removeIfDead(file) {
  const checking = `${file}.check`;
  if (!create(checking, '')) {
    if (ageOf(checking) > UNFINISHED_MS) rmSync(checking, { force: true });
    return;
  }
  try {
    if (holderOf(file) === undefined) rmSync(file, { force: true });
  } finally {
    rmSync(checking, { force: true });
  }
}

/**
 * Runs work that no other process of this clone does at the same time, and waits for one that does.
 * @param {string} file absolute path of the lock
 * @param {{ onWait: (holder: { pid?: number, host?: string }) => void }} options `onWait` is called once
 * @param {(own: { add(pid: number): void }) => Promise<void>} work gives the ids of its own processes, which survive when this one is killed
 */
export async function withLock(file, { onWait }, work) {
  mkdirSync(path.dirname(file), { recursive: true });
  const processes = [self(process.pid)];
  const text = () => JSON.stringify({ host: hostname(), processes });
  let hasWaited = false;
  while (!create(file, text())) {
    const holder = holderOf(file);
    if (holder === undefined) {
      removeIfDead(file);
    } else if (!hasWaited) {
      hasWaited = true;
      onWait(holder);
    }
    await pause(POLL_MS);
  }
  try {
    await work({
      add: (pid) => {
        processes.push(self(pid));
        writeFileSync(file, text());
      },
    });
  } finally {
    rmSync(file, { force: true });
  }
}
