// Errors of second factors and passkeys. Messages are GoTrue's.
import { AuthError } from './auth-error.ts';

const FACTOR_NAMES = { totp: 'TOTP', phone: 'Phone', webauthn: 'WebAuthn' } as const;

const WRONG_ANSWERS = {
  totp: 'Invalid TOTP code entered',
  phone: 'Invalid MFA Phone code entered',
  webauthn: 'Credential verification failed',
} as const;

export const factorRefusals = {
  factorOff: (type: 'totp' | 'phone' | 'webauthn', what: 'enroll' | 'verify') =>
    new AuthError(
      422,
      `mfa_${type}_${what}_not_enabled`,
      `MFA ${what === 'enroll' ? 'enroll' : 'verification'} is disabled for ${FACTOR_NAMES[type]}`,
    ),
  factorNameTaken: (name: string) =>
    new AuthError(
      422,
      'mfa_factor_name_conflict',
      `A factor with the friendly name "${name}" for this user already exists`,
    ),
  tooManyFactors: () =>
    new AuthError(
      422,
      'too_many_enrolled_mfa_factors',
      'Maximum number of verified factors reached, unenroll to continue',
    ),
  secondStepToEnroll: () =>
    new AuthError(403, 'insufficient_aal', 'AAL2 required to enroll a new factor'),
  secondStepToUnenroll: () =>
    new AuthError(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor'),
  noSuchChallenge: () =>
    new AuthError(
      422,
      'mfa_factor_not_found',
      'MFA factor with the provided challenge ID not found',
    ),
  challengeMismatch: () =>
    new AuthError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.'),
  challengeExpired: (id: string) =>
    new AuthError(
      422,
      'mfa_challenge_expired',
      `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`,
    ),
  wrongFactorCode: (type: 'totp' | 'phone' | 'webauthn') =>
    new AuthError(422, 'mfa_verification_failed', WRONG_ANSWERS[type]),
  factorPhoneTaken: () =>
    new AuthError(
      422,
      'mfa_verified_factor_exists',
      'A verified phone factor already exists, unenroll the existing factor to continue',
    ),
  noSuchFactor: () => new AuthError(404, 'mfa_factor_not_found', 'Factor not found'),
} as const;

export const passkeyRefusals = {
  off: () => new AuthError(404, 'passkey_disabled', 'Passkeys are disabled'),
  noChallenge: () =>
    new AuthError(400, 'webauthn_challenge_not_found', 'Challenge not found or already used'),
  oldChallenge: () => new AuthError(400, 'webauthn_challenge_expired', 'Challenge has expired'),
  notVerified: () =>
    new AuthError(400, 'webauthn_verification_failed', 'Credential verification failed'),
  badCredential: () =>
    new AuthError(400, 'webauthn_verification_failed', 'Invalid credential response'),
  credentialExists: () =>
    new AuthError(422, 'webauthn_credential_exists', 'This credential is already registered'),
  tooMany: () =>
    new AuthError(422, 'too_many_passkeys', 'Maximum number of passkeys reached, remove one first'),
  noPasskey: () => new AuthError(404, 'validation_failed', 'Passkey not found'),
  needsSecondFactor: () =>
    new AuthError(403, 'insufficient_aal', 'AAL2 session is required to manage passkeys'),
} as const;
