import { expect, test } from 'vitest';
import { formatInitials } from './person-name.ts';

test.each([
  ['Moses Kollie', 'MK'],
  ['Moses K. Kollie', 'MK'],
  [' moses ', 'M'],
  ['', ''],
])('initials of %j are %j', (name, initials) => {
  expect(formatInitials(name)).toBe(initials);
});
