import { expect, test, vi } from 'vitest';
import type { Role } from '#shared/grants.ts';
import { firstScreen, rememberScreen } from './first-screen.ts';

function stubStorage() {
  const values = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
  });
}

test.each<[Role[], string]>([
  [['admin'], '/admin/dashboard'],
  [['hr', 'supervisor'], '/admin/dashboard'],
  [['dispatcher'], '/admin/operations'],
  [['hr'], '/admin/today'],
  [['finance'], '/admin/today'],
])('%j starts at %s', (roles, address) => {
  stubStorage();
  expect(firstScreen('me', roles)).toBe(address);
});

test('the last screen of the account on this device opens, if its roles still may', () => {
  stubStorage();
  rememberScreen('me', '/admin/attendance');
  expect(firstScreen('me', ['supervisor'])).toBe('/admin/attendance');
  expect(firstScreen('me', ['dispatcher'])).toBe('/admin/operations');
  expect(firstScreen('another', ['supervisor'])).toBe('/admin/dashboard');
  // Detail pages and unknown addresses are not remembered.
  rememberScreen('me', '/admin/incidents/1/letter');
  expect(firstScreen('me', ['supervisor'])).toBe('/admin/attendance');
});

test('without storage the first screen of the role opens', () => {
  vi.stubGlobal('localStorage', undefined);
  rememberScreen('me', '/admin/attendance');
  expect(firstScreen('me', ['supervisor'])).toBe('/admin/dashboard');
});
