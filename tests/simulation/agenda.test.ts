import { expect, test } from 'vitest';
import { Agenda } from './agenda.ts';
import { MINUTE_MS } from './clock.ts';

const nothing = () => Promise.resolve(undefined);

/** @returns names in the order in which they happen */
async function run(agenda: Agenda, before: number, holdUntil = 0): Promise<string[]> {
  const names: string[] = [];
  for (let entry = agenda.next(before, holdUntil); entry; entry = agenda.next(before, holdUntil)) {
    names.push(`${entry.at} ${entry.what}`);
    await entry.run();
  }
  return names;
}

test('entries come in the order of time, and at the same time in that of their names', async () => {
  const orders = [
    ['b', 'a', 'c'],
    ['c', 'b', 'a'],
  ];
  for (const names of orders) {
    const agenda = new Agenda();
    for (const name of names) agenda.add(2, name, nothing);
    agenda.add(1, 'z', nothing);
    agenda.add(9, 'later', nothing);
    expect(await run(agenda, 9)).toEqual(['1 z', '2 a', '2 b', '2 c']);
  }
});

test('what an entry plans goes by the time that it was planned for, not by the clock', async () => {
  const agenda = new Agenda();
  agenda.add(MINUTE_MS, 'calls', () => {
    agenda.add(agenda.now + MINUTE_MS, 'is answered', nothing);
    return Promise.resolve(undefined);
  });
  expect(await run(agenda, MINUTE_MS * 9)).toEqual([
    `${MINUTE_MS} calls`,
    `${MINUTE_MS * 2} is answered`,
  ]);
});

test('what is held up keeps its order, after what is planned for the end of the pause', async () => {
  const agenda = new Agenda();
  agenda.add(3, 'clocks out', nothing);
  agenda.add(2, 'presses', nothing);
  agenda.add(5, 'the product starts', nothing);
  agenda.add(7, 'after', nothing);
  expect(await run(agenda, 9, 5)).toEqual([
    '5 the product starts',
    '5 presses',
    '5 clocks out',
    '7 after',
  ]);
  expect(agenda.now).toBe(7);
});

test('an entry that is planned for before goes by the time of now', async () => {
  const agenda = new Agenda();
  agenda.add(5, 'late', () => {
    agenda.add(1, 'at once', () => {
      expect(agenda.now).toBe(5);
      return Promise.resolve(undefined);
    });
    return Promise.resolve(undefined);
  });
  expect(await run(agenda, 9)).toEqual(['5 late', '1 at once']);
});
