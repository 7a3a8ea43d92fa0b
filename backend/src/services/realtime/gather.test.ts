// Sharing answers: one run for all who ask in a moment, and never an answer older than the question.
import { expect, it } from 'vitest';
import { gathered } from './gather.ts';

it('runs once for all who ask in one moment, and again for who asks later', async () => {
  const runs: string[] = [];
  const ask = gathered(async (key) => {
    runs.push(key);
    return runs.length;
  });
  expect(await Promise.all([ask('a'), ask('a'), ask('b')])).toEqual([1, 1, 2]);
  const first = ask('a');
  await new Promise((resolve) => setImmediate(resolve));
  // The run has begun: it may have looked already.
  const second = ask('a');
  expect(await Promise.all([first, second])).toEqual([3, 4]);
  expect(runs).toEqual(['a', 'b', 'a', 'a']);
});

it('tells everyone of a failure, and tries anew afterwards', async () => {
  let runs = 0;
  const ask = gathered(async () => {
    runs += 1;
    if (runs === 1) throw new Error('away');
    return runs;
  });
  const answers = await Promise.allSettled([ask(''), ask('')]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await ask('')).toBe(2);
});
