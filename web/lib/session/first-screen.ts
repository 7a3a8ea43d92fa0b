// The screen that opens after signing in: the last one of this account on this device, else the first one of its role.
import type { Role } from '#shared/grants.ts';
import { maySee, screens } from '#shared/screens.ts';

const storageKey = (userId: string) => `last-screen:${userId}`;

const DASHBOARD = '/admin/dashboard';
const TODAY = '/admin/today';

/** In order: a user with several roles starts as the first of them. */
const FIRST_SCREENS: readonly (readonly [role: Role, address: string])[] = [
  ['admin', DASHBOARD],
  ['ops_manager', DASHBOARD],
  ['supervisor', DASHBOARD],
  ['dispatcher', '/admin/operations'],
  ['hr', TODAY],
  ['finance', TODAY],
];

/** Whether the root of the portal, with the tracker, is where these roles start, as specified. */
export const startAtRoot = (roles: readonly Role[]): boolean =>
  roles.some((role) => role === 'admin' || role === 'ops_manager' || role === 'supervisor');

const screenAt = (path: string) => screens.find((screen) => screen.path === path);

/** @param path without the search; detail pages are not remembered */
export function rememberScreen(userId: string, path: string): void {
  if (!screenAt(path)) return;
  try {
    localStorage.setItem(storageKey(userId), path);
  } catch {
    // Storage may be full or disabled: the role's first screen opens instead.
  }
}

function rememberedScreen(userId: string): string | null {
  try {
    return localStorage.getItem(storageKey(userId));
  } catch {
    return null;
  }
}

export function firstScreen(userId: string, roles: readonly Role[]): string {
  const last = screenAt(rememberedScreen(userId) ?? '');
  if (last && maySee(roles, last.id)) return last.path;
  return FIRST_SCREENS.find(([role]) => roles.includes(role))?.[1] ?? '/admin';
}
