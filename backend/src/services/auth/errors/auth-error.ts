// The two error formats of the auth service: GoTrue's, and OAuth 2.0's for the grants that it defines (RFC 6749 section 5.2).

export class AuthError extends Error {
  override readonly name = 'AuthError';

  /**
   * @param status HTTP status; 5xx only if the client should retry
   * @param code machine-readable, as in auth-js's ErrorCode
   * @param details reasons of a weak password, seconds until the next attempt, or the OAuth error name if the status does
   *   not imply it
   * @param options the cause, for the log only
   */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: {
      weakPassword?: string[];
      retryAfterSeconds?: number;
      oauthName?: string;
    } = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export class OAuthError extends Error {
  override readonly name = 'OAuthError';

  constructor(
    readonly error: string,
    readonly description: string,
  ) {
    super(description);
  }
}
