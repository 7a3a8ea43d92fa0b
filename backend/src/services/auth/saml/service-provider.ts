// Our side of SAML: entity id and addresses, and the library configured for one identity provider.
import type { SAML } from '@node-saml/node-saml';
import { type Db, sql } from '../database.ts';
import { authError, errors } from '../errors.ts';
import type { Service } from '../service.ts';
import { readIssuer } from '../sessions/tokens.ts';
import { readMetadata } from './metadata.ts';
import type { SsoProvider } from './store.ts';

/** Loaded when it is needed: few installations use SAML, and its XML parsers take 5 MB. */
const loadLibrary = () => import('@node-saml/node-saml');

/** Tolerated clock difference. */
export const CLOCK_SKEW_MS = 60_000;

export const entityIdOf = ({ context }: Service): string =>
  `${readIssuer(context)}/sso/saml/metadata`;
export const consumerOf = ({ context }: Service): string => `${readIssuer(context)}/sso/saml/acs`;

/** @throws AuthError 404 if SAML is disabled */
export function requireSaml({ context }: Service): void {
  if (!context.settings.auth.saml.enabled) throw authError('samlOff');
}

/** @returns our metadata for the administrator of an identity provider */
export async function ownMetadata(service: Service): Promise<string> {
  const { generateServiceProviderMetadata } = await loadLibrary();
  return generateServiceProviderMetadata({
    issuer: entityIdOf(service),
    callbackUrl: consumerOf(service),
    identifierFormat: null,
    wantAssertionsSigned: true,
  });
}

/** Requests are stored in PostgreSQL, not in memory. */
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
  const library = await loadLibrary();
  return new library.SAML({
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
    // Checked against the signed assertion in response.ts; here it would be the unsigned envelope.
    validateInResponseTo: library.ValidateInResponseTo.never,
    cacheProvider: NO_CACHE,
    generateUniqueId: () => requestId,
  });
}

// A sign-in in progress at an identity provider: its request, and where the browser ends. Used once.
const LIFETIME_S = 300;

export interface RelayState {
  providerId: string;
  requestId: string;
  redirectTo: string;
  pkceFlow: string | null | undefined;
}

/** Stores the request, and deletes some abandoned ones. @returns the RelayState */
export async function rememberRequest(db: Db, state: RelayState): Promise<string> {
  const id = crypto.randomUUID();
  await db.query(
    `delete from auth.saml_relay_states where id in (
       select id from auth.saml_relay_states where created_at < now() - interval '15 minutes'
       order by created_at limit 50 for update skip locked)`,
  );
  await db.query(sql`
    insert into auth.saml_relay_states (id, sso_provider_id, request_id, redirect_to, flow_state_id)
    values (${id}, ${state.providerId}, ${state.requestId}, ${state.redirectTo}, ${state.pkceFlow})`);
  return id;
}

/** Consumes the state in any case. @throws AuthError if it is unknown, used or older than five minutes */
export async function takeRequest(db: Db, id: string): Promise<RelayState> {
  const { rows } = await db.query<RelayState & { isOld: boolean }>(sql`
    delete from auth.saml_relay_states where id = ${id}
    returning sso_provider_id as "providerId", request_id as "requestId", redirect_to as "redirectTo",
      flow_state_id as "pkceFlow", created_at < now() - make_interval(secs => ${LIFETIME_S}) as "isOld"`);
  const state = rows[0];
  if (state === undefined) throw authError('unknownRelayState');
  if (state.isOld) throw authError('oldRelayState');
  return state;
}

// Replay protection: the ID of an assertion is stored until the assertion expires.

/** @param expiresAt of the assertion; @throws AuthError if it was used before */
export async function useAssertion(
  db: Db,
  providerId: string,
  assertionId: string,
  expiresAt: Date,
): Promise<void> {
  await db.query(
    `delete from auth.saml_used_assertions where (sso_provider_id, assertion_id) in (
       select sso_provider_id, assertion_id from auth.saml_used_assertions where expires_at < now()
       limit 50 for update skip locked)`,
  );
  const { rowCount } = await db.query(sql`
    insert into auth.saml_used_assertions (sso_provider_id, assertion_id, expires_at)
    values (${providerId}, ${assertionId}, ${expiresAt})
    on conflict do nothing`);
  if (rowCount !== 1) throw errors.badAssertion(new Error('The assertion was used before.'));
}
