import { expect, test } from 'vitest';
import { initialsOf } from './person-name.ts';

test.each([
  ['Moses Kollie', 'MK'],
  ['Moses K. Kollie', 'MK'],
  [' moses ', 'M'],
  ['', ''],
])('initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
