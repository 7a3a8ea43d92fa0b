// The two ways in which the auth service refuses: GoTrue's envelope, and OAuth's for grants that OAuth defines.

export class AuthError extends Error {
  override readonly name = 'AuthError';

  /**
   * @param status HTTP status; never 5xx, which the client would take for a broken network
   * @param code machine-readable, as in auth-js's ErrorCode
   * @param details reasons of a weak password, or seconds until the next attempt is counted anew
   */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: { weakPassword?: string[]; retryAfterSeconds?: number } = {},
  ) {
    super(message);
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
