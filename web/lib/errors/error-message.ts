// Maps errors of the backend, the network and the browser to messages for the user.
import { isMissingFile } from './missing-file.ts';

const NO_CONNECTION = 'No connection to the server. Check your network and try again.';
const UNAVAILABLE = 'The server is not available right now. Please try again in a minute.';
const MISSING_FILE =
  'A part of the app could not be loaded. It may have been updated: reload the page and try again.';

/** Codes of the auth service, PostgreSQL and PostgREST whose own messages are technical. */
const MESSAGES = new Map([
  ['42501', 'You do not have permission to do this.'],
  ['23505', 'This record already exists.'],
  ['23503', 'A record that this one refers to no longer exists.'],
  ['23P01', 'This overlaps another record.'],
  ['57014', 'The server took too long. Please try again.'],
  ['PGRST000', UNAVAILABLE],
  ['PGRST003', 'The server is busy. Please try again.'],
  ['PGRST301', 'Your session has ended. Please sign in again.'],
  ['PGRST303', 'Your session has ended. Please sign in again.'],
  ['session_not_found', 'Your session has ended. Please sign in again.'],
  ['same_password', 'The new password must be different from the old one.'],
  ['reauthentication_not_valid', 'The code is wrong or has expired.'],
  ['mfa_verification_failed', 'The code is wrong or was already used.'],
  ['mfa_challenge_expired', 'That took too long. Please try again.'],
  ['saml_provider_disabled', 'Signing in with a company is not set up here.'],
  ['sso_provider_not_found', 'No company with this domain signs in here.'],
]);

/** Codes that our SQL functions raise too, with better messages: only PostgreSQL's own messages are replaced. */
const SHARED_CODES = new Set(['42501', '23505', '23503', '23P01']);
const POSTGRESQL_MESSAGE = /violates|permission denied/;

/**
 * A proxy sends a page or the name of the status while the server behind it is down. supabase-js uses it as the
 * message.
 */
const PROXY_MESSAGE =
  /^\s*<|^(internal server error|bad gateway|service (temporarily )?unavailable|gateway time-?out)\.?$/i;

/** Names of the browser's WebAuthn errors. */
const WEBAUTHN_MESSAGES = new Map([
  ['NotAllowedError', 'The passkey was not used. Try again, or choose another way.'],
  ['InvalidStateError', 'This device already has a passkey for your account.'],
  ['SecurityError', 'Passkeys only work on the site’s own address.'],
]);

/** Names of supabase-js errors for requests without a response. */
const CONNECTION_ERRORS = ['AuthRetryableFetchError', 'FunctionsFetchError'];

function field(error: object, name: string): unknown {
  return Reflect.get(error, name);
}

/**
 * supabase-js returns `error` as a plain object unless the call ends in `throwOnError()`. Throw `errorFrom(error)`, so that
 * every handler gets an Error.
 * @returns the same Error, or one with the object's fields; undefined if it has no message
 */
export function errorFrom(failure: { message: string }): Error;
export function errorFrom(failure: unknown): Error | undefined;
export function errorFrom(failure: unknown): Error | undefined {
  if (failure instanceof Error) return failure;
  if (typeof failure !== 'object' || failure === null) return undefined;
  const message = field(failure, 'message');
  if (typeof message !== 'string') return undefined;
  return Object.assign(new Error(message), failure);
}

/** @returns the machine-readable code, if any */
export function readErrorCode(failure: unknown): string | undefined {
  const error = errorFrom(failure);
  const code = error && field(error, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** Whether the request got no response, or a file of the app could not be loaded. */
export function isConnectionError(thrown: unknown): boolean {
  const error = errorFrom(thrown);
  if (!error) return false;
  // Browsers' messages are "Failed to fetch", "Load failed" or "NetworkError …".
  return (
    CONNECTION_ERRORS.includes(String(field(error, 'name'))) ||
    /failed to fetch|load failed|networkerror/i.test(error.message)
  );
}

/** Whether a proxy answered for a server that is down, which it usually is for seconds: while it restarts. */
export function isUnavailable(thrown: unknown): boolean {
  const error = errorFrom(thrown);
  return error !== undefined && PROXY_MESSAGE.test(error.message);
}

/** @returns one sentence; the backend's own message unless we have a better one */
export function describeError(thrown: unknown): string {
  if (isMissingFile(thrown)) return MISSING_FILE;
  const error = errorFrom(thrown);
  if (!error?.message) return 'Something went wrong. Please try again.';
  if (isConnectionError(error)) return NO_CONNECTION;
  if (isUnavailable(error)) return UNAVAILABLE;
  if (error.message.includes('_end_after_start')) return 'The end must be after the start.';
  if (error instanceof DOMException) return WEBAUTHN_MESSAGES.get(error.name) ?? error.message;
  const code = readErrorCode(error) ?? '';
  if (SHARED_CODES.has(code) && !POSTGRESQL_MESSAGE.test(error.message)) return error.message;
  const [row = ''] = /^Row \d+: /.exec(error.message) ?? [];
  const message = MESSAGES.get(code);
  return message === undefined ? error.message : `${row}${message}`;
}
