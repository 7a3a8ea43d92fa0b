// Every error of the auth service with status, code and message. Clients match on them, so they are GoTrue's.

/** In GoTrue's format. */
export class AuthError extends Error {
  override readonly name = 'AuthError';

  /**
   * @param status HTTP status; 5xx only if the client should retry
   * @param code machine-readable, as in auth-js's ErrorCode
   * @param details reasons of a weak password, seconds until the next attempt, or the OAuth error name if the status does
   *   not imply it
   * @param cause for the log only
   */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: ErrorDetails = {},
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

interface ErrorDetails {
  weakPassword?: string[];
  retryAfterSeconds?: number;
  oauthName?: string;
}

/** In OAuth 2.0's format, for the grants that it defines (RFC 6749 section 5.2). */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';

  constructor(
    readonly error: string,
    readonly description: string,
  ) {
    super(description);
  }
}

const LINE = /^(\d{3}) (\S+) (.*)$/s;

/** @param line status, code and message */
function error(line: string, details?: ErrorDetails, cause?: unknown): AuthError {
  const [, status, code = '', message = ''] = LINE.exec(line) ?? [];
  return new AuthError(Number(status), code, message, details, cause);
}

export type ErrorName = keyof typeof ERRORS;

/** @returns the error of this name in the table below */
export function authError(name: ErrorName): AuthError {
  return error(ERRORS[name]);
}

const ERRORS = {
  tooLarge: '413 request_entity_too_large Request body is larger than 1 MB',
  unknownRoute: '404 not_found No such endpoint',

  noToken: '401 no_authorization This endpoint requires a valid Bearer token',

  missingSub: '403 bad_jwt invalid claim: missing sub claim',
  badSub: '400 bad_jwt invalid claim: sub claim must be a UUID',
  badSessionClaim: '403 bad_jwt invalid claim: session_id claim must be a UUID',
  userGone: '403 user_not_found User from sub claim in JWT does not exist',
  sessionGone: '403 session_not_found Session from session_id claim in JWT does not exist',
  sessionExpired: '403 session_expired Session is no longer valid',

  badUserId: '404 validation_failed user_id must be an UUID',
  noSuchUser: '404 user_not_found User not found',
  badFactorId: '404 validation_failed factor_id must be an UUID',
  anonymousRefused: '403 no_authorization Anonymous user not allowed to perform these actions',
  ownPasswordFirst: '403 password_change_required Set a password of your own first.',
  notAdmin: '403 not_admin User not allowed',

  signupDisabled: '422 signup_disabled Signups not allowed for this instance',
  anonymousDisabled: '422 anonymous_provider_disabled Anonymous sign-ins are disabled',
  emailSignupsDisabled: '400 email_provider_disabled Email signups are disabled',
  phoneSignupsDisabled: '400 phone_provider_disabled Phone signups are disabled',
  emailLoginsDisabled: '422 email_provider_disabled Email logins are disabled',
  phoneLoginsDisabled: '422 phone_provider_disabled Phone logins are disabled',
  phoneUnsupported: '400 phone_provider_disabled Unsupported phone provider',
  badEmail: '400 validation_failed Unable to validate email address: invalid format',
  alreadyRegistered: '422 user_already_exists User already registered',
  emailExists: '422 email_exists A user with this email address has already been registered',
  phoneExists: '422 phone_exists A user with this phone number has already been registered',
  phoneTaken: '422 phone_exists Phone number already registered by another user',
  currentPasswordNeeded:
    '400 current_password_required Current password required when setting new password.',
  currentPasswordWrong: '400 current_password_invalid The current password is not right.',

  longPassword: '400 validation_failed Password cannot be longer than 72 characters',
  samePassword: '422 same_password New password should be different from the old password.',
  needsSecondFactor:
    '401 insufficient_aal AAL2 session is required to update email or password when MFA is enabled.',
  ssoManaged:
    '422 user_sso_managed Updating email, phone, password of a SSO account only possible via SSO',
  appMetadata: '403 not_admin Updating app_metadata requires admin privileges',
  anonymousPassword:
    '422 validation_failed Updating password of an anonymous user without an email or phone is not allowed',

  wrongCredentials: '400 invalid_credentials Invalid login credentials',
  emailNotConfirmed: '400 email_not_confirmed Email not confirmed',
  phoneNotConfirmed: '400 phone_not_confirmed Phone not confirmed',
  verifyPhoneFirst: '422 phone_not_confirmed Please verify your phone first.',
  badChannel:
    "400 validation_failed Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is not available here",
  unsupportedGrant: '400 invalid_credentials unsupported_grant_type',

  otpDisabled: '422 otp_disabled Signups not allowed for otp',
  wrongCode: '403 otp_expired Token has expired or is invalid',
  wrongLink: '403 otp_expired Email link is invalid or has expired',
  reauthenticationNeeded: '400 reauthentication_needed Password update requires reauthentication',
  badNonce: '422 reauthentication_not_valid Nonce has expired or is invalid',
  verifyEmailFirst: '422 email_not_confirmed Please verify your email first.',
  noFlow: '404 flow_state_not_found invalid flow state, no valid flow state found',
  flowExpired: '422 flow_state_expired invalid flow state, flow state has expired',
  badCodeVerifier:
    '400 bad_code_verifier code challenge does not match previously saved code verifier',
  noRecipient: '404 user_not_found User with this email not found',

  malformedRefreshToken: '400 validation_failed Refresh token is not valid',
  unknownRefreshToken: '400 refresh_token_not_found Invalid Refresh Token: Refresh Token Not Found',
  usedRefreshToken: '400 refresh_token_already_used Invalid Refresh Token: Already Used',
  refreshWithoutSession: '400 session_not_found Invalid Refresh Token: No Valid Session Found',
  refreshOfExpired: '400 session_expired Invalid Refresh Token: Session Expired',
  refreshAfterNewerLogin:
    '400 session_expired Invalid Refresh Token: Session Expired (Revoked by Newer Login)',
  refreshOfBanned: '400 user_banned Invalid Refresh Token: User Banned',
  refreshContention:
    '409 conflict Too many concurrent token refresh requests on the same session or refresh token',

  tooManyFactors:
    '422 too_many_enrolled_mfa_factors Maximum number of verified factors reached, unenroll to continue',
  secondStepToEnroll: '403 insufficient_aal AAL2 required to enroll a new factor',
  secondStepToUnenroll: '422 insufficient_aal AAL2 required to unenroll verified factor',
  noSuchChallenge: '422 mfa_factor_not_found MFA factor with the provided challenge ID not found',
  challengeMismatch: '422 mfa_ip_address_mismatch Challenge and verify IP addresses mismatch.',

  factorPhoneTaken:
    '422 mfa_verified_factor_exists A verified phone factor already exists, unenroll the existing factor to continue',
  noSuchFactor: '404 mfa_factor_not_found Factor not found',
  passkeysOff: '404 passkey_disabled Passkeys are disabled',
  noPasskeyChallenge: '400 webauthn_challenge_not_found Challenge not found or already used',
  passkeyChallengeExpired: '400 webauthn_challenge_expired Challenge has expired',
  credentialNotVerified: '400 webauthn_verification_failed Credential verification failed',
  badCredential: '400 webauthn_verification_failed Invalid credential response',
  credentialExists: '422 webauthn_credential_exists This credential is already registered',
  tooManyPasskeys: '422 too_many_passkeys Maximum number of passkeys reached, remove one first',
  noSuchPasskey: '404 validation_failed Passkey not found',
  secondStepForPasskeys: '403 insufficient_aal AAL2 session is required to manage passkeys',

  badOAuthState: '400 bad_oauth_state OAuth callback with invalid state',
  missingOAuthState: '400 bad_oauth_callback OAuth state parameter missing',
  missingOAuthCode: '400 bad_oauth_callback OAuth callback with missing authorization code missing',
  providerGaveNoEmail: '422 validation_failed Error getting user email from external provider',

  identityLinked: '422 identity_already_exists Identity is already linked',
  identityTaken: '422 identity_already_exists Identity is already linked to another user',
  badIdentityId: '404 validation_failed identity_id must be an UUID',
  noSuchIdentity: "422 identity_not_found Identity doesn't exist",
  lastIdentity:
    '422 single_identity_not_deletable User must have at least 1 identity after unlinking',
  unknownChain: '400 web3_unsupported_chain Unsupported chain',
  manualLinkingOff: '404 manual_linking_disabled Manual linking is disabled',
  samlOff: '404 saml_provider_disabled SAML 2.0 is disabled',
  noSsoProvider: '404 sso_provider_not_found No such SSO provider',
  noSsoProviderOfDomain: '404 sso_provider_not_found No SSO provider assigned for this domain',
  ssoProviderGone: '404 sso_provider_not_found SSO Identity Provider not found',
  unknownIdentityProvider:
    '404 saml_idp_not_found A SAML connection has not been established with this Identity Provider',

  ssoDomainExists:
    '422 sso_domain_already_exists SSO Domain is already assigned to another SSO identity provider',

  unknownRelayState:
    '404 saml_relay_state_not_found SAML RelayState does not exist, try logging in again?',
  oldRelayState: '422 saml_relay_state_expired SAML RelayState has expired. Try logging in again?',

  assertionWithoutEmail:
    '400 saml_assertion_no_email SAML Assertion does not contain an email address',
  secondStepToLink: '403 insufficient_aal AAL2 required to change the identities of an account',
} as const;

const tooOften = (kind: 'email' | 'sms') => (retryAfterSeconds: number) =>
  error(
    `429 over_${kind}_send_rate_limit For security purposes, you can only request this after ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
const rateLimit = (codeAndMessage: string) => (retryAfterSeconds: number) =>
  error(`429 ${codeAndMessage}`, { retryAfterSeconds });

const FACTOR_NAMES = { totp: 'TOTP', phone: 'Phone', webauthn: 'WebAuthn' } as const;
type FactorType = keyof typeof FACTOR_NAMES;

const WRONG_ANSWERS = {
  totp: 'Invalid TOTP code entered',
  phone: 'Invalid MFA Phone code entered',
  webauthn: 'Credential verification failed',
} as const;

/** Errors with parameters. */
export const errors = {
  invalid: (message: string) => error(`400 validation_failed ${message}`),
  badJson: (reason: string) =>
    error(`400 bad_json Could not parse request body as JSON: ${reason}`),
  metadataTooLarge: (field: string, bytes: number) =>
    error(`422 validation_failed ${field} must not be larger than ${bytes / 1024} KB`),
  wrongMethod: (method: string) =>
    error(`405 method_not_allowed ${method} is not allowed at this endpoint`),
  mailTooSoon: tooOften('email'),
  tooManyMails: rateLimit('over_email_send_rate_limit email rate limit exceeded'),
  smsTooSoon: tooOften('sms'),
  tooManySms: rateLimit('over_sms_send_rate_limit sms rate limit exceeded'),
  tooMany: rateLimit('over_request_rate_limit Request rate limit reached'),
  badToken: (reason: string) =>
    error(`403 bad_jwt invalid JWT: unable to parse or verify signature, ${reason}`),
  banned: (status: 400 | 403) => error(`${status} user_banned User is banned`),
  weakPassword: (message: string, weakPassword: string[]) =>
    error(`422 weak_password ${message}`, { weakPassword }),
  refusedByDatabase: (reason: string) => error(`422 validation_failed ${reason}`),

  factorOff: (type: FactorType, what: 'enroll' | 'verify') =>
    error(
      `422 mfa_${type}_${what}_not_enabled MFA ${what === 'enroll' ? 'enroll' : 'verification'} is disabled for ${FACTOR_NAMES[type]}`,
    ),
  factorNameTaken: (name: string) =>
    error(
      `422 mfa_factor_name_conflict A factor with the friendly name "${name}" for this user already exists`,
    ),
  challengeExpired: (id: string) =>
    error(
      `422 mfa_challenge_expired MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`,
    ),
  wrongFactorCode: (type: FactorType) =>
    error(`422 mfa_verification_failed ${WRONG_ANSWERS[type]}`),

  web3Disabled: (chain: string) =>
    error(`422 web3_provider_disabled ${chain} Web3 provider is disabled`),
  providerDisabled: (issuer: string) =>
    error(`400 provider_disabled Provider (issuer "${issuer}") is not enabled`),
  providerUnavailable: (name: string, cause?: unknown) =>
    error(
      `422 provider_unavailable The sign-in provider ${name} can't be reached at the moment. Please try again in a few minutes.`,
      { oauthName: 'temporarily_unavailable' },
      cause,
    ),
  codeNotExchanged: (name: string, cause?: unknown) =>
    error(
      `400 bad_oauth_callback Unable to exchange external code: ${name} did not accept it`,
      { oauthName: 'server_error' },
      cause,
    ),
  unusableAnswer: (name: string, cause?: unknown) =>
    error(
      `400 bad_oauth_callback The answer of the sign-in provider ${name} could not be verified`,
      { oauthName: 'server_error' },
      cause,
    ),
  providerEmailUnverified: (name: string, isMailSent: boolean) =>
    error(
      isMailSent
        ? `422 provider_email_needs_verification Unverified email with ${name}. A confirmation email has been sent to your ${name} email`
        : `422 provider_email_needs_verification Unverified email with ${name}. Verify the email with ${name} in order to sign in`,
      { oauthName: 'access_denied' },
    ),
  samlProviderExists: (entityId: string) =>
    error(
      `422 saml_idp_already_exists SAML Identity Provider with this EntityID (${entityId}) already exists`,
    ),
  entityIdMismatch: (expected: string, got: string) =>
    error(
      `400 saml_entity_id_mismatch SAML Metadata can be updated only if the EntityID matches for the provider; expected '${expected}' but got '${got}'`,
    ),
  badMetadata: (reason: string) =>
    error(`400 validation_failed SAML metadata can not be used: ${reason}`),
  metadataNotFetched: (address: string, reason: string, cause?: unknown) =>
    error(
      `400 saml_metadata_fetch_failed SAML metadata could not be fetched from ${address}: ${reason}`,
      {},
      cause,
    ),
  badAssertion: (cause: unknown) =>
    error('403 saml_assertion_invalid SAML Assertion is not valid', {}, cause),
};
