// Memory of a process and all its children, shared pages counted once where the system reports them (Linux PSS).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

function processes() {
  const text = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' });
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([pid, parent, rss]) => ({ pid, parent, rss: rss * 1024 }));
}

function pssOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1]) * 1024;
  } catch {
    return undefined;
  }
}

/** @param {number} root process id @returns {{ bytes: number, kind: 'PSS' | 'RSS', processes: number }} */
export function memoryOfTree(root) {
  const all = processes();
  const tree = all.filter(({ pid }) => pid === root);
  for (const parent of tree) tree.push(...all.filter((child) => child.parent === parent.pid));
  const shares = tree.map(({ pid }) => pssOf(pid));
  const known = shares.every((share) => share !== undefined);
  const bytes = (known ? shares : tree.map(({ rss }) => rss)).reduce((sum, part) => sum + part, 0);
  return { bytes, kind: known ? 'PSS' : 'RSS', processes: tree.length };
}
