// Turns what the backend, the network or the browser reports into words for the person at the screen.
import { isMissingFile } from './missing-file.ts';

const NO_CONNECTION = 'No connection to the server. Check your network and try again.';
const MISSING_FILE =
  'A part of the app could not be loaded. It may have been updated: reload the page and try again.';

/** Codes of the auth service, PostgreSQL and PostgREST whose own message would only help a programmer. */
const PLAIN_WORDS = new Map([
  ['42501', 'You do not have permission to do this.'],
  ['23505', 'This record already exists.'],
  ['23503', 'A record that this one refers to no longer exists.'],
  ['23P01', 'This overlaps another record.'],
  ['57014', 'The server took too long. Please try again.'],
  ['PGRST003', 'The server is busy. Please try again.'],
  ['PGRST301', 'Your session has ended. Please sign in again.'],
  ['PGRST303', 'Your session has ended. Please sign in again.'],
  ['session_not_found', 'Your session has ended. Please sign in again.'],
  ['same_password', 'The new password must be another than the old one.'],
  ['reauthentication_not_valid', 'The code is wrong or has expired.'],
  ['mfa_verification_failed', 'The code is wrong, or it was used before.'],
  ['mfa_challenge_expired', 'That took too long. Please try again.'],
  ['saml_provider_disabled', 'Signing in with a company is not set up here.'],
  ['sso_provider_not_found', 'No company with this domain signs in here.'],
]);

/** Codes that our own functions give too, with better words: only what PostgreSQL itself says is replaced. */
const SHARED_CODES = new Set(['42501', '23505', '23503', '23P01']);
const POSTGRESQL_SAYS = /violates|permission denied/;

/** What browsers call their own errors about passkeys. */
const BROWSER_WORDS = new Map([
  ['NotAllowedError', 'The passkey was not used. Try again, or choose another way.'],
  ['InvalidStateError', 'This device already holds a passkey of your account.'],
  ['SecurityError', 'Passkeys only work at the site’s own address.'],
]);

/** What supabase-js calls a request without an answer. */
const CONNECTION_ERRORS = ['AuthRetryableFetchError', 'FunctionsFetchError'];

function field(error: object, name: string): unknown {
  return Reflect.get(error, name);
}

/**
 * supabase-js returns `error` as a plain object unless the call ends in `throwOnError()`. Throw `errorFrom(error)`
 * instead of the object, so that every handler gets an Error.
 * @param refusal an Error, or an object with the same message and code
 * @returns the same Error, or one with the refusal's fields; undefined where there is no message
 */
export function errorFrom(refusal: { message: string }): Error;
export function errorFrom(refusal: unknown): Error | undefined;
export function errorFrom(refusal: unknown): Error | undefined {
  if (refusal instanceof Error) return refusal;
  if (typeof refusal !== 'object' || refusal === null) return undefined;
  const message = field(refusal, 'message');
  if (typeof message !== 'string') return undefined;
  return Object.assign(new Error(message), refusal);
}

/** @returns the machine-readable code of a refusal; undefined where there is none */
export function codeOf(refusal: unknown): string | undefined {
  const error = errorFrom(refusal);
  const code = error && field(error, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** Whether the request got no answer at all. */
function isConnectionError(error: Error): boolean {
  // auth-js reports 0, or no status; browsers word it "Failed to fetch", "Load failed" or "NetworkError …".
  return (
    CONNECTION_ERRORS.includes(String(field(error, 'name'))) ||
    /failed to fetch|load failed|networkerror/i.test(error.message)
  );
}

/**
 * @param thrown whatever was thrown
 * @returns one sentence; the backend's own message where we know no better one
 */
export function messageOf(thrown: unknown): string {
  if (isMissingFile(thrown)) return MISSING_FILE;
  const error = errorFrom(thrown);
  if (!error?.message) return 'Something went wrong. Please try again.';
  if (isConnectionError(error)) return NO_CONNECTION;
  if (error.message.includes('_end_after_start')) return 'The end must be after the start.';
  if (error instanceof DOMException) return BROWSER_WORDS.get(error.name) ?? error.message;
  const code = codeOf(error) ?? '';
  if (SHARED_CODES.has(code) && !POSTGRESQL_SAYS.test(error.message)) return error.message;
  const [row = ''] = /^Row \d+: /.exec(error.message) ?? [];
  const words = PLAIN_WORDS.get(code);
  return words === undefined ? error.message : `${row}${words}`;
}
