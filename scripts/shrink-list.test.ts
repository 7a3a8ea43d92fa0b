import { expect, test } from 'vitest';
import { shrinkList } from './shrink-list.mjs';

const numbers = Array.from({ length: 100 }, (_, index) => index);

test('what must come together to fail is left, in its order', async () => {
  const fails = async (kept: number[]) => kept.includes(17) && kept.includes(80);
  expect(await shrinkList(numbers, fails, 1000)).toEqual([17, 80]);
});

test('a failure that needs nothing leaves nothing', async () => {
  expect(await shrinkList(numbers, async () => true, 1000)).toEqual([]);
});

test('after the last try the list still fails', async () => {
  let tries = 0;
  const kept = await shrinkList(
    numbers,
    async (some) => {
      tries += 1;
      return some.includes(17);
    },
    5,
  );
  expect(tries).toBe(5);
  expect(kept).toContain(17);
  expect(kept.length).toBeLessThan(15);
});
