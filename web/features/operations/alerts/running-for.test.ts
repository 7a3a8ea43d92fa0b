import { expect, it } from 'vitest';
import { runningFor } from './running-for.ts';

it.each([
  ['06:00:00', '0 min'],
  ['06:01:59', '1 min'],
  ['07:05:00', '1 h 5 min'],
  ['05:59:00', '0 min'],
])('runs at %s for %s', (time, text) => {
  expect(runningFor('2026-11-22T06:00:00Z', Date.parse(`2026-11-22T${time}Z`))).toBe(text);
});
