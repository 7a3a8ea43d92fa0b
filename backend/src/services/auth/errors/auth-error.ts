// The two ways in which the auth service refuses: GoTrue's envelope, and OAuth's for grants that OAuth defines.

export class AuthError extends Error {
  override readonly name = 'AuthError';

  /**
   * @param status HTTP status; 5xx only where the client should try again, as it does after 503
   * @param code machine-readable, as in auth-js's ErrorCode
   * @param details reasons of a weak password, seconds until the next attempt is counted anew, or OAuth's own name of
   *   the error where the status does not tell it
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
