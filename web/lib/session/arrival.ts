// Reads what a mail link or an external provider leaves in the page's URL (a session, a message or an error, as GoTrue
// appends them to `redirect_to`), and builds the URLs that lead back to the requested screen.

import { isAppPath } from '#shared/app-paths.ts';
import type { Notice } from './notice.ts';

/** Recovery mails link here. */
export const NEW_PASSWORD_PATH = '/auth/new-password';

const LINK_PARAMETERS = [
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
      text: 'Please start again from here.',
    },
  ],
  [
    'identity_already_exists',
    {
      tone: 'danger',
      title: 'Not linked',
      text: 'That account is already linked to another user.',
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

/** Parameters of the fragment and the query together. The query wins, as in auth-js. */
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
  /** Message to show, if any. */
  notice: Notice | null;
  /** Path to show instead; undefined when the URL is not such a link. */
  address: string | undefined;
};

/**
 * @param href full URL of the page
 * @returns the path without tokens, errors and messages. After a recovery or an invitation it is the screen that sets a
 *   password.
 */
export function arrivalAt(href: string): Arrival {
  const url = new URL(href);
  const found = parametersOf(url);
  const isLink = ['access_token', 'error', 'error_code', 'error_description', 'message'].some(
    (key) => found.has(key),
  );
  if (!isLink) return { notice: null, address: undefined };
  for (const key of LINK_PARAMETERS) url.searchParams.delete(key);
  const setsPassword =
    found.has('access_token') && ['recovery', 'invite'].includes(found.get('type') ?? '');
  const path = setsPassword ? NEW_PASSWORD_PATH : url.pathname;
  return { notice: noticeOf(found), address: `${path}${url.search}` };
}

const SIGN_IN = '/auth';

/** @returns the path to return to, on this site only; undefined if there is none */
export function nextAddress(next: string | undefined): string | undefined {
  // Browsers read `//elsewhere` and `/\elsewhere` as another site.
  if (!next || !/^\/(?![/\\])/.test(next)) return undefined;
  const path = next.split(/[?#]/)[0] ?? '';
  if (!isAppPath(path) || path === SIGN_IN || path === NEW_PASSWORD_PATH) return undefined;
  return next;
}

/** The link target of a recovery mail. It keeps the screen that the user requested. */
export function recoveryAddress(): string {
  if (location.pathname === NEW_PASSWORD_PATH) return thisAddress();
  const url = new URL(NEW_PASSWORD_PATH, location.origin);
  const next = nextAddress(location.pathname + location.search);
  if (next) url.searchParams.set('next', next);
  return url.href;
}

/** URL of this screen, for a provider to redirect back to. */
export function thisAddress(): string {
  return location.origin + location.pathname + location.search;
}
