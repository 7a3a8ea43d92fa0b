import { expect, it } from 'vitest';
import { coalesced } from './coalesce.ts';

it('runs once for concurrent calls with the same key, and again for later calls', async () => {
  const runs: string[] = [];
  const ask = coalesced(async (key) => {
    runs.push(key);
    return runs.length;
  });
  expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual([1, 1, 2]);
  const first = ask('a');
  await new Promise((resolve) => setImmediate(resolve));
  // The first run has started, so its result may be older than this call.
  const second = ask('a');
  expect(await Promise.all([first, second])).toEqual([3, 4]);
  expect(runs).toEqual(['a', 'b', 'a', 'a']);
});

it('rejects all concurrent calls, and runs again afterwards', async () => {
  let runs = 0;
  const ask = coalesced(async () => {
    runs += 1;
    if (runs === 1) throw new Error('away');
    return runs;
  });
  const answers = await Promise.allSettled([ask(''), ask('')]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await ask('')).toBe(2);
});
