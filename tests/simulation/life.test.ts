// Companies that live as `npm run simulate` lets them. More seeds and months by hand: they take longer.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, describe, expect, test } from 'vitest';
import { findFaketime, startLife } from '#scripts/simulate.mjs';

const isPossible = findFaketime() !== undefined;
if (!isPossible)
  console.warn('The simulation is left out: it needs libfaketime (Debian package faketime).');

const children: ChildProcess[] = [];

// After a test that took too long.
afterAll(() => {
  for (const child of children) child.kill('SIGTERM');
});

/** @returns what the life printed, its exit code at the end */
async function live(seed: number, ...args: string[]): Promise<string> {
  const child = startLife(['--seed', String(seed), ...args], 'pipe');
  children.push(child);
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = await once(child, 'exit');
  return `${said}exit code ${code}`;
}

describe.runIf(isPossible)('everything holds after every day', () => {
  // The first days of a month pay the month before and bill it. At the end of that life each invariant is broken once, and
  // must report it. The limit is for slow machines.
  test.concurrent.each([
    {
      seed: 7,
      days: 24,
      args: ['--from', '2027-02-08', '--guards', '8', '--sites', '2', '--prove', 'invariants'],
    },
    { seed: 20, days: 14, args: ['--guards', '12', '--sites', '3'] },
  ])('of seed $seed for $days days', { timeout: 900_000 }, async ({ seed, days, args }) => {
    const said = await live(seed, '--days', String(days), ...args);
    expect(said).toContain(`\n${days} days, `);
    expect(said).toMatch(/exit code 0$/);
  });
});
