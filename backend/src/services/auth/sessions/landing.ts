// Redirect addresses at the end of a browser sign-in: with a session, a code, or an error.
import { type AuthError, OAuthError } from '../errors.ts';

const OAUTH_NAMES: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
};
const SESSION_FIELDS = ['access_token', 'expires_at', 'expires_in', 'refresh_token', 'token_type'];

/** In the fragment, which reaches no server or log; supabase-js expects an empty `sb` in it. */
export function withFragment(address: string, values: Record<string, string>): string {
  const url = new URL(address);
  const sorted = Object.entries({ ...values, sb: '' }).sort(([a], [b]) => (a < b ? -1 : 1));
  url.hash = new URLSearchParams(sorted).toString();
  return url.href;
}

export function withQuery(address: string, values: Record<string, string>): string {
  const url = new URL(address);
  for (const [key, value] of Object.entries(values)) url.searchParams.set(key, value);
  return url.href;
}

/** @param more further parameters for the client */
export function landingWithSession(
  address: string,
  session: Record<string, unknown>,
  more: Record<string, string>,
): string {
  const values = SESSION_FIELDS.map((field) => [field, String(session[field])]);
  return withFragment(address, { ...Object.fromEntries(values), ...more });
}

/** @param inQuery whether the error is in the query too, for the address's own server */
export function landingWithError(
  address: string,
  error: AuthError | OAuthError,
  inQuery: boolean,
): string {
  const values = valuesOf(error);
  return withFragment(inQuery ? withQuery(address, values) : address, values);
}

function valuesOf(error: AuthError | OAuthError): Record<string, string> {
  if (error instanceof OAuthError) {
    return { error: error.error, error_description: error.description };
  }
  const name = error.details.oauthName ?? OAUTH_NAMES[error.status];
  return {
    ...(name === undefined ? {} : { error: name }),
    error_code: error.code,
    error_description: error.message,
  };
}
