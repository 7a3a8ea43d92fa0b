// Our side of SAML: entity id and addresses, and the library configured for one identity provider.
import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { refusals } from '../errors/catalogue.ts';
import type { Service } from '../service.ts';
import { issuerOf } from '../tokens/access-token.ts';
import { readMetadata } from './metadata.ts';
import type { SsoProvider } from './store.ts';

/** Tolerated clock difference. */
export const CLOCK_SKEW_MS = 60_000;

export const entityIdOf = ({ context }: Service): string =>
  `${issuerOf(context)}/sso/saml/metadata`;
export const consumerOf = ({ context }: Service): string => `${issuerOf(context)}/sso/saml/acs`;

/** @throws AuthError 404 if SAML is disabled */
export function requireSaml({ context }: Service): void {
  if (!context.settings.auth.saml.enabled) throw refusals.samlOff();
}

/** @returns our metadata for the administrator of an identity provider */
export function ownMetadata(service: Service): string {
  return generateServiceProviderMetadata({
    issuer: entityIdOf(service),
    callbackUrl: consumerOf(service),
    identifierFormat: null,
    wantAssertionsSigned: true,
  });
}

/** Requests are stored in PostgreSQL (relay-state.ts), not in memory. */
const NO_CACHE = {
  saveAsync: async () => null,
  getAsync: async () => null,
  removeAsync: async () => null,
};

/** @param requestId ID of the request it creates */
export async function samlFor(
  service: Service,
  provider: SsoProvider,
  requestId: string,
): Promise<SAML> {
  const { signInUrl, certificates } = await readMetadata(provider.metadata_xml);
  return new SAML({
    idpCert: certificates,
    entryPoint: signInUrl,
    issuer: entityIdOf(service),
    audience: entityIdOf(service),
    callbackUrl: consumerOf(service),
    identifierFormat: provider.name_id_format,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    // Assertion or response must be signed; only signed parts are read.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    // Checked against the signed assertion in verify-response.ts; here it would be the unsigned envelope.
    validateInResponseTo: ValidateInResponseTo.never,
    cacheProvider: NO_CACHE,
    generateUniqueId: () => requestId,
  });
}
