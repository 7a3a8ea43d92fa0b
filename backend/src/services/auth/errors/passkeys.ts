import { AuthError } from './auth-error.ts';

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
