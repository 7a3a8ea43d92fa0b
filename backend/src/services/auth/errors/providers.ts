// Errors of external providers and SAML. Messages are GoTrue's.
import { AuthError } from './auth-error.ts';

export const providerRefusals = {
  providerUnavailable: (name: string, cause?: unknown) =>
    new AuthError(
      422,
      'provider_unavailable',
      `The sign-in provider ${name} can't be reached at the moment. Please try again in a few minutes.`,
      { oauthName: 'temporarily_unavailable' },
      { cause },
    ),
  codeNotExchanged: (name: string, cause?: unknown) =>
    new AuthError(
      400,
      'bad_oauth_callback',
      `Unable to exchange external code: ${name} did not accept it`,
      { oauthName: 'server_error' },
      { cause },
    ),
  unusableAnswer: (name: string, cause?: unknown) =>
    new AuthError(
      400,
      'bad_oauth_callback',
      `The answer of the sign-in provider ${name} could not be verified`,
      { oauthName: 'server_error' },
      { cause },
    ),
  badOAuthState: () => new AuthError(400, 'bad_oauth_state', 'OAuth callback with invalid state'),
  missingOAuthState: () =>
    new AuthError(400, 'bad_oauth_callback', 'OAuth state parameter missing'),
  missingOAuthCode: () =>
    new AuthError(
      400,
      'bad_oauth_callback',
      'OAuth callback with missing authorization code missing',
    ),
  providerGaveNoEmail: () =>
    new AuthError(422, 'validation_failed', 'Error getting user email from external provider'),
  providerEmailUnverified: (name: string, isMailSent: boolean) =>
    new AuthError(
      422,
      'provider_email_needs_verification',
      isMailSent
        ? `Unverified email with ${name}. A confirmation email has been sent to your ${name} email`
        : `Unverified email with ${name}. Verify the email with ${name} in order to sign in`,
      { oauthName: 'access_denied' },
    ),
  identityLinked: (toSelf: boolean) =>
    new AuthError(
      422,
      'identity_already_exists',
      toSelf ? 'Identity is already linked' : 'Identity is already linked to another user',
    ),
  manualLinkingOff: () =>
    new AuthError(404, 'manual_linking_disabled', 'Manual linking is disabled'),
  samlOff: () => new AuthError(404, 'saml_provider_disabled', 'SAML 2.0 is disabled'),
  noSsoProvider: () => new AuthError(404, 'sso_provider_not_found', 'No such SSO provider'),
  noSsoProviderOfDomain: () =>
    new AuthError(404, 'sso_provider_not_found', 'No SSO provider assigned for this domain'),
  ssoProviderGone: () =>
    new AuthError(404, 'sso_provider_not_found', 'SSO Identity Provider not found'),
  unknownIdentityProvider: () =>
    new AuthError(
      404,
      'saml_idp_not_found',
      'A SAML connection has not been established with this Identity Provider',
    ),
  samlProviderExists: (entityId: string) =>
    new AuthError(
      422,
      'saml_idp_already_exists',
      `SAML Identity Provider with this EntityID (${entityId}) already exists`,
    ),
  ssoDomainExists: () =>
    new AuthError(
      422,
      'sso_domain_already_exists',
      'SSO Domain is already assigned to another SSO identity provider',
    ),
  entityIdMismatch: (expected: string, got: string) =>
    new AuthError(
      400,
      'saml_entity_id_mismatch',
      `SAML Metadata can be updated only if the EntityID matches for the provider; expected '${expected}' but got '${got}'`,
    ),
  badMetadata: (reason: string) =>
    new AuthError(400, 'validation_failed', `SAML metadata can not be used: ${reason}`),
  metadataNotFetched: (address: string, reason: string, cause?: unknown) =>
    new AuthError(
      400,
      'saml_metadata_fetch_failed',
      `SAML metadata could not be fetched from ${address}: ${reason}`,
      {},
      { cause },
    ),
  unknownRelayState: () =>
    new AuthError(
      404,
      'saml_relay_state_not_found',
      'SAML RelayState does not exist, try logging in again?',
    ),
  oldRelayState: () =>
    new AuthError(
      422,
      'saml_relay_state_expired',
      'SAML RelayState has expired. Try logging in again?',
    ),
  badAssertion: (cause: unknown) =>
    new AuthError(403, 'saml_assertion_invalid', 'SAML Assertion is not valid', {}, { cause }),
  assertionWithoutEmail: () =>
    new AuthError(
      400,
      'saml_assertion_no_email',
      'SAML Assertion does not contain an email address',
    ),
  secondStepToLink: () =>
    new AuthError(403, 'insufficient_aal', 'AAL2 required to change the identities of an account'),
} as const;
