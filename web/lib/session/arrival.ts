// How somebody arrived: by a link of a mail or back from a provider, which leave a session, a message or an error
// in the address (PROTOCOL.md 1.10, 1.12). Told in plain words, and taken out of the address.
// Where somebody goes on to after a step that left the screen they wanted, such as a mail's link.

import { isAppPath } from '#shared/app-paths.ts';
import type { Notice } from './notice.ts';

/** Where a new password is set; recovery mails lead here. */
export const NEW_PASSWORD_PATH = '/auth/new-password';

const LEFT_BEHIND = [
  'access_token',
  'error',
  'error_code',
  'error_description',
  'expires_at',
  'expires_in',
  'message',
  'provider_refresh_token',
  'provider_token',
  'refresh_token',
  'sb',
  'token_type',
  'type',
];

const FAILURES = new Map<string, Notice>([
  [
    'otp_expired',
    {
      tone: 'danger',
      title: 'This link no longer works',
      text: 'It has expired, or it was used before. Please ask for a new one.',
    },
  ],
  [
    'access_denied',
    { tone: 'danger', title: 'Sign-in was cancelled', text: 'Nothing has changed.' },
  ],
  [
    'bad_oauth_state',
    {
      tone: 'danger',
      title: 'Sign-in took too long',
      text: 'Please start it once more from here.',
    },
  ],
  [
    'identity_already_exists',
    {
      tone: 'danger',
      title: 'Not linked',
      text: 'That account is already linked to somebody here.',
    },
  ],
  [
    'signup_disabled',
    {
      tone: 'danger',
      title: 'There is no account for you yet',
      text: 'Accounts are by invitation. Please contact your administrator.',
    },
  ],
  [
    'user_banned',
    {
      tone: 'danger',
      title: 'This account is disabled',
      text: 'Please contact your administrator.',
    },
  ],
]);

const WELCOMES = new Map<string, Notice>([
  ['email_change', { tone: 'info', title: 'Your e-mail address is changed' }],
  ['signup', { tone: 'info', title: 'Your e-mail address is confirmed' }],
]);

/** The parameters of fragment and query together, as auth-js reads them: the query wins. */
function parametersOf(url: URL): URLSearchParams {
  const all = new URLSearchParams(url.hash.slice(1));
  for (const [key, value] of url.searchParams) all.set(key, value);
  return all;
}

function noticeOf(found: URLSearchParams): Notice | null {
  const code = found.get('error_code') ?? found.get('error');
  const description = found.get('error_description');
  if (code !== null || description !== null) {
    const title = 'That did not work';
    const text = description ?? 'Error in URL with unspecified error_description';
    return FAILURES.get(code ?? '') ?? { tone: 'danger', title, text };
  }
  if (found.has('message')) {
    return {
      tone: 'info',
      title: 'The first of two confirmations is done',
      text: 'Now open the link in the mail that we sent to your other address.',
    };
  }
  return found.has('access_token') ? (WELCOMES.get(found.get('type') ?? '') ?? null) : null;
}

export type Arrival = {
  /** What to tell; null when there is nothing to say. */
  notice: Notice | null;
  /** The address to show instead; undefined when it holds nothing of a link. */
  address: string | undefined;
};

/**
 * @param href the whole address of the page
 * @returns what it tells and the path to show instead: without tokens, errors and messages, and the one that sets
 *   a password for whoever came by a recovery or an invitation
 */
export function arrivalAt(href: string): Arrival {
  const url = new URL(href);
  const found = parametersOf(url);
  const isLink = ['access_token', 'error', 'error_code', 'error_description', 'message'].some(
    (key) => found.has(key),
  );
  if (!isLink) return { notice: null, address: undefined };
  for (const key of LEFT_BEHIND) url.searchParams.delete(key);
  const setsPassword =
    found.has('access_token') && ['recovery', 'invite'].includes(found.get('type') ?? '');
  const path = setsPassword ? NEW_PASSWORD_PATH : url.pathname;
  return { notice: noticeOf(found), address: `${path}${url.search}` };
}

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
