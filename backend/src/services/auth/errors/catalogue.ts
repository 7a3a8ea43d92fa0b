// Every error of the auth service with status, code and message. Clients match on them, so they are GoTrue's.
import { METADATA_LIMIT } from '../users/metadata-size.ts';
import { AuthError } from './auth-error.ts';
import { providerRefusals } from './providers.ts';
import { factorRefusals } from './second-factors.ts';

const invalid = (message: string): AuthError => new AuthError(400, 'validation_failed', message);
const badJwt = (message: string): AuthError => new AuthError(403, 'bad_jwt', message);
const refresh = (code: string, message: string): AuthError =>
  new AuthError(400, code, `Invalid Refresh Token: ${message}`);

export const refusals = {
  invalid,
  badJson: (reason: string) =>
    new AuthError(400, 'bad_json', `Could not parse request body as JSON: ${reason}`),
  metadataTooLarge: (field: string) =>
    new AuthError(
      422,
      'validation_failed',
      `${field} must not be larger than ${METADATA_LIMIT / 1024} KB`,
    ),
  tooLarge: () =>
    new AuthError(413, 'request_entity_too_large', 'Request body is larger than 1 MB'),
  unknownRoute: () => new AuthError(404, 'not_found', 'No such endpoint'),
  wrongMethod: (method: string) =>
    new AuthError(405, 'method_not_allowed', `${method} is not allowed at this endpoint`),
  mailTooSoon: (retryAfterSeconds: number) =>
    new AuthError(
      429,
      'over_email_send_rate_limit',
      `For security purposes, you can only request this after ${retryAfterSeconds} seconds.`,
      { retryAfterSeconds },
    ),
  tooManyMails: (retryAfterSeconds: number) =>
    new AuthError(429, 'over_email_send_rate_limit', 'email rate limit exceeded', {
      retryAfterSeconds,
    }),
  smsTooSoon: (retryAfterSeconds: number) =>
    new AuthError(
      429,
      'over_sms_send_rate_limit',
      `For security purposes, you can only request this after ${retryAfterSeconds} seconds.`,
      { retryAfterSeconds },
    ),
  tooManySms: (retryAfterSeconds: number) =>
    new AuthError(429, 'over_sms_send_rate_limit', 'sms rate limit exceeded', {
      retryAfterSeconds,
    }),
  tooMany: (retryAfterSeconds: number) =>
    new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached', {
      retryAfterSeconds,
    }),

  noToken: () =>
    new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token'),
  badToken: (reason: string) =>
    badJwt(`invalid JWT: unable to parse or verify signature, ${reason}`),
  missingSub: () => badJwt('invalid claim: missing sub claim'),
  badSub: () => new AuthError(400, 'bad_jwt', 'invalid claim: sub claim must be a UUID'),
  badSessionClaim: () => badJwt('invalid claim: session_id claim must be a UUID'),
  userGone: () => new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist'),
  sessionGone: () =>
    new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist'),
  sessionExpired: () => new AuthError(403, 'session_expired', 'Session is no longer valid'),
  banned: (status: 400 | 403) => new AuthError(status, 'user_banned', 'User is banned'),
  badUserId: () => new AuthError(404, 'validation_failed', 'user_id must be an UUID'),
  noSuchUser: () => new AuthError(404, 'user_not_found', 'User not found'),
  badFactorId: () => new AuthError(404, 'validation_failed', 'factor_id must be an UUID'),
  anonymousRefused: () =>
    new AuthError(403, 'no_authorization', 'Anonymous user not allowed to perform these actions'),
  ownPasswordFirst: () =>
    new AuthError(403, 'password_change_required', 'Set a password of your own first.'),
  ...factorRefusals,
  notAdmin: () => new AuthError(403, 'not_admin', 'User not allowed'),

  signupDisabled: () =>
    new AuthError(422, 'signup_disabled', 'Signups not allowed for this instance'),
  anonymousDisabled: () =>
    new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled'),
  emailSignupsDisabled: () =>
    new AuthError(400, 'email_provider_disabled', 'Email signups are disabled'),
  phoneSignupsDisabled: () =>
    new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled'),
  emailLoginsDisabled: () =>
    new AuthError(422, 'email_provider_disabled', 'Email logins are disabled'),
  phoneLoginsDisabled: () =>
    new AuthError(422, 'phone_provider_disabled', 'Phone logins are disabled'),
  phoneUnsupported: () =>
    new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider'),
  badEmail: () => invalid('Unable to validate email address: invalid format'),
  alreadyRegistered: () => new AuthError(422, 'user_already_exists', 'User already registered'),
  emailExists: () =>
    new AuthError(
      422,
      'email_exists',
      'A user with this email address has already been registered',
    ),
  phoneExists: () =>
    new AuthError(422, 'phone_exists', 'A user with this phone number has already been registered'),
  phoneTaken: () =>
    new AuthError(422, 'phone_exists', 'Phone number already registered by another user'),
  currentPasswordNeeded: () =>
    new AuthError(
      400,
      'current_password_required',
      'Current password required when setting new password.',
    ),
  currentPasswordWrong: () =>
    new AuthError(400, 'current_password_invalid', 'The current password is not right.'),
  weakPassword: (message: string, weakPassword: string[]) =>
    new AuthError(422, 'weak_password', message, { weakPassword }),
  longPassword: () => invalid('Password cannot be longer than 72 characters'),
  samePassword: () =>
    new AuthError(422, 'same_password', 'New password should be different from the old password.'),
  needsSecondFactor: () =>
    new AuthError(
      401,
      'insufficient_aal',
      'AAL2 session is required to update email or password when MFA is enabled.',
    ),
  ssoManaged: () =>
    new AuthError(
      422,
      'user_sso_managed',
      'Updating email, phone, password of a SSO account only possible via SSO',
    ),
  appMetadata: () =>
    new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges'),
  anonymousPassword: () =>
    new AuthError(
      422,
      'validation_failed',
      'Updating password of an anonymous user without an email or phone is not allowed',
    ),
  refusedByDatabase: (reason: string) => new AuthError(422, 'validation_failed', reason),

  wrongCredentials: () => new AuthError(400, 'invalid_credentials', 'Invalid login credentials'),
  emailNotConfirmed: () => new AuthError(400, 'email_not_confirmed', 'Email not confirmed'),
  phoneNotConfirmed: () => new AuthError(400, 'phone_not_confirmed', 'Phone not confirmed'),
  verifyPhoneFirst: () =>
    new AuthError(422, 'phone_not_confirmed', 'Please verify your phone first.'),
  badChannel: () =>
    invalid(
      "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is not available here",
    ),
  unsupportedGrant: () => new AuthError(400, 'invalid_credentials', 'unsupported_grant_type'),

  otpDisabled: () => new AuthError(422, 'otp_disabled', 'Signups not allowed for otp'),
  wrongCode: () => new AuthError(403, 'otp_expired', 'Token has expired or is invalid'),
  wrongLink: () => new AuthError(403, 'otp_expired', 'Email link is invalid or has expired'),
  reauthenticationNeeded: () =>
    new AuthError(400, 'reauthentication_needed', 'Password update requires reauthentication'),
  badNonce: () =>
    new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid'),
  verifyEmailFirst: () =>
    new AuthError(422, 'email_not_confirmed', 'Please verify your email first.'),
  noFlow: () =>
    new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found'),
  flowExpired: () =>
    new AuthError(422, 'flow_state_expired', 'invalid flow state, flow state has expired'),
  badCodeVerifier: () =>
    new AuthError(
      400,
      'bad_code_verifier',
      'code challenge does not match previously saved code verifier',
    ),

  ...providerRefusals,
  noRecipient: () => new AuthError(404, 'user_not_found', 'User with this email not found'),

  malformedRefreshToken: () => invalid('Refresh token is not valid'),
  unknownRefreshToken: () => refresh('refresh_token_not_found', 'Refresh Token Not Found'),
  usedRefreshToken: () => refresh('refresh_token_already_used', 'Already Used'),
  refreshWithoutSession: () => refresh('session_not_found', 'No Valid Session Found'),
  refreshOfExpired: () => refresh('session_expired', 'Session Expired'),
  refreshAfterNewerLogin: () =>
    refresh('session_expired', 'Session Expired (Revoked by Newer Login)'),
  refreshOfBanned: () => refresh('user_banned', 'User Banned'),
  refreshContention: () =>
    new AuthError(
      409,
      'conflict',
      'Too many concurrent token refresh requests on the same session or refresh token',
    ),
} as const;
