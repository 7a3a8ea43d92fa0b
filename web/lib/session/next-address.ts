// Where somebody goes on to after a step that left the screen they wanted, such as a mail's link.
import { isAppPath } from '#shared/app-paths.ts';
import { NEW_PASSWORD_PATH } from './arrival.ts';

const SIGN_IN = '/auth';

/** @returns the path that leads back, of this site only; undefined when there is none to go back to */
export function nextAddress(next: string | undefined): string | undefined {
  // `//elsewhere` and `/\elsewhere` are addresses of another site to a browser.
  if (!next || !/^\/(?![/\\])/.test(next)) return undefined;
  const path = next.split(/[?#]/)[0] ?? '';
  if (!isAppPath(path) || path === SIGN_IN || path === NEW_PASSWORD_PATH) return undefined;
  return next;
}

/** The full address in a recovery mail: it remembers the screen that was asked for. */
export function recoveryAddress(): string {
  if (location.pathname === NEW_PASSWORD_PATH) return thisAddress();
  const url = new URL(NEW_PASSWORD_PATH, location.origin);
  const next = nextAddress(location.pathname + location.search);
  if (next) url.searchParams.set('next', next);
  return url.href;
}

/** The full address of this screen, for a provider to come back to. */
export function thisAddress(): string {
  return location.origin + location.pathname + location.search;
}
