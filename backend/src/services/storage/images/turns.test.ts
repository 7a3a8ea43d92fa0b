import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

const LIMITS = { atOnce: 2, atOncePerShare: 1, waitingPerShare: 3, waiting: 5 };
const never = new AbortController().signal;

/** Work that runs until it is released, and the order in which it started. */
function stage() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    work: (name: string) => () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
    end: async (name: string) => {
      ends.get(name)?.();
      // The turn is passed on in microtasks.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('one account leaves a place to the others, who take turns', async () => {
  const turns = createTurns(LIMITS);
  const { started, work, end } = stage();
  const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'];
  const all = names.map((name) => turns.run(name.slice(0, 1), never, work(name)));
  await end('');
  expect(started).toEqual(['a1', 'b1']);
  await end('b1');
  expect(started).toEqual(['a1', 'b1', 'b2']);
  await end('b2');
  expect(started).toEqual(['a1', 'b1', 'b2', 'c1']);
  await end('a1');
  expect(started).toEqual(['a1', 'b1', 'b2', 'c1', 'a2']);
  for (const name of ['c1', 'a2', 'a3']) await end(name);
  expect(await Promise.all(all)).toEqual(names);
});

test('waiting work of a caller who left is dropped, and its place is free at once', async () => {
  const turns = createTurns(LIMITS);
  const { started, work, end } = stage();
  const leaving = new AbortController();
  const first = turns.run('a', never, work('a1'));
  const gone = ['a2', 'a3', 'a4'].map((name) => turns.run('a', leaving.signal, work(name)));
  await expect(turns.run('a', never, work('a5'))).rejects.toMatchObject({ status: 429 });
  leaving.abort();
  for (const dropped of gone) await expect(dropped).rejects.toMatchObject({ status: 499 });
  await expect(turns.run('a', leaving.signal, work('a6'))).rejects.toMatchObject({ status: 499 });
  const last = turns.run('a', never, work('a7'));
  await end('a1');
  expect(started).toEqual(['a1', 'a7']);
  await end('a7');
  expect(await Promise.all([first, last])).toEqual(['a1', 'a7']);
});

test('work that fails passes its turn on', async () => {
  const turns = createTurns({ ...LIMITS, atOnce: 1 });
  const { work, end, started } = stage();
  const failed = turns.run('a', never, () => Promise.reject(new Error('broken')));
  const next = turns.run('a', never, work('a2'));
  await expect(failed).rejects.toThrow('broken');
  await end('a2');
  expect(started).toEqual(['a2']);
  expect(await next).toBe('a2');
});

test('many accounts together are limited, too', async () => {
  const turns = createTurns({ ...LIMITS, waiting: 2 });
  const { work } = stage();
  for (const share of ['a', 'b', 'c', 'd']) void turns.run(share, never, work(share));
  await expect(turns.run('e', never, work('e'))).rejects.toMatchObject({ status: 503 });
});
