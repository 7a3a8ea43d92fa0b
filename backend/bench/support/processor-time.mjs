// Processor time of a process and of its descendants (Linux: proc(5), /proc/[pid]/stat).
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const MS_A_TICK = 1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Positions in the line after the command's name, which may have spaces. */
const [PARENT, USER, CHILDREN_SYSTEM] = [1, 11, 14];

function statOf(pid) {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = line
      .slice(line.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    // Of the process, and of its children that have ended.
    const ticks = fields.slice(USER, CHILDREN_SYSTEM + 1).reduce((sum, part) => sum + part, 0);
    return { pid: Number(pid), parent: fields[PARENT], ms: ticks * MS_A_TICK };
  } catch {
    // It has ended since it was listed.
    return undefined;
  }
}

/** @param {number} root process id @returns {{ own: number, descendants: number }} milliseconds since each was started */
export function processorTimeOfTree(root) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat !== undefined);
  const tree = all.filter(({ pid }) => pid === root);
  for (const one of tree) tree.push(...all.filter(({ parent }) => parent === one.pid));
  const [own, ...descendants] = tree.map(({ ms }) => ms);
  return { own: own ?? 0, descendants: descendants.reduce((sum, ms) => sum + ms, 0) };
}
