import { expect, it } from 'vitest';
import { addressOf } from './address.ts';

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['fe80::1%eth0', 'fe80::1'],
  ['unknown', '0.0.0.0'],
  ['203.0.113.9:4711', '0.0.0.0'],
])('%s is stored as %s', (ip, stored) => {
  expect(addressOf({ ip })).toBe(stored);
});
