import { expect, it } from 'vitest';
import { parseSeconds } from './fields.ts';

it.each([
  ['24h', 86_400],
  ['1h30m', 5_400],
  ['90s', 90],
  ['1.5h', 5_400],
  ['1500ms', 1.5],
  ['999999999h', 100 * 365 * 86_400],
])('%s is %d seconds', (duration, seconds) => {
  expect(parseSeconds(duration)).toBe(seconds);
});

it.each(['', 'h', '10', '-1h', '1 h', '1d', 'forever'])('%s is no duration', (duration) => {
  expect(() => parseSeconds(duration)).toThrow('invalid duration');
});
