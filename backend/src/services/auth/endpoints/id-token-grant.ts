import { decodeJwt, decodeProtectedHeader } from 'jose';
import { z } from 'zod';
import { WELL_KNOWN_ISSUERS } from '../../../settings/external.ts';
import { transaction } from '../database.ts';
import { errors, OAuthError } from '../errors.ts';
import { askToConfirm } from '../identities/arrive.ts';
import { findAccount, linkToAccount, requireLinkingAllowed } from '../identities/find-account.ts';
import { readBody, text } from '../input/parse.ts';
import { redirectOf } from '../input/redirect.ts';
import { audit } from '../protection/audit.ts';
import {
  badToken,
  requireAccessToken,
  requireNonce,
  verifyIdToken,
} from '../providers/id-token.ts';
import { type OutsidePerson, personOf } from '../providers/person.ts';
import {
  enabledProvider,
  KNOWN_NAMES,
  type Provider,
  providerOfIssuer,
} from '../providers/provider.ts';
import type { Call, Endpoint, Service } from '../service.ts';
import { authenticate } from '../sessions/authenticate.ts';
import { openSession, sessionObject, signIn } from '../sessions/sign-in.ts';

const Body = z.object({
  id_token: text,
  access_token: text,
  nonce: text,
  provider: text,
  client_id: text,
  issuer: text,
  link_identity: z.boolean().nullish(),
});
type Body = z.output<typeof Body>;

export const idTokenGrant: Endpoint = async (call) => {
  const body = readBody(call, Body);
  if (body.id_token === '') throw new OAuthError('invalid request', 'id_token required');
  if (body.provider === '' && (body.client_id === '' || body.issuer === '')) {
    throw new OAuthError('invalid request', 'provider or client_id and issuer required');
  }
  const provider = providerOf(call, body);
  requireToken(body.id_token);
  await call.limits.signIn(call.address);
  if (body.link_identity === true) return link(call, provider, body);

  const person = await personOfToken(call, provider, body);
  const outcome = await transaction(call.pool, async (db) => {
    const found = await findAccount(call, db, person, provider.emailOptional);
    if (found.toConfirm !== undefined) return { ...found, toConfirm: found.toConfirm };
    return { opened: await openSession(db, call, found.userId, 'oauth') };
  });
  if ('toConfirm' in outcome) return askToConfirm(call, person, outcome, redirectOf(call));
  return sessionObject(call, outcome.opened);
};

/** Rejects malformed tokens before the provider is called. @throws OAuthError */
function requireToken(token: string): void {
  try {
    decodeJwt(token);
    decodeProtectedHeader(token);
  } catch {
    throw badToken();
  }
}

async function link(call: Call, provider: Provider, body: Body): Promise<unknown> {
  const caller = await authenticate(call);
  requireLinkingAllowed(call, caller);
  const person = await personOfToken(call, provider, body);
  return signIn(call, 'oauth', async (db) => {
    await linkToAccount(db, call, caller.account.id, person);
    return caller.account.id;
  });
}

/** @throws AuthError 400 for an unknown or disabled provider */
function providerOf(
  service: Service,
  { provider: name, issuer, client_id: clientId, id_token: idToken }: Body,
): Provider {
  // Clients may send the issuer's address as the name.
  const provider =
    name === ''
      ? providerOfIssuer(service, issuer)
      : (enabledProvider(service, name) ?? providerOfIssuer(service, name));
  const isOurs = name !== '' || provider?.clientIds.includes(clientId);
  if (provider !== undefined && isOurs) return provider;
  if (name !== '' && !KNOWN_NAMES.includes(name)) {
    throw errors.invalid(`Custom OIDC provider "${name}" not allowed`);
  }
  if (name !== '') requireToken(idToken);
  throw errors.providerDisabled(issuer || WELL_KNOWN_ISSUERS[name] || name);
}

async function personOfToken(call: Call, provider: Provider, body: Body): Promise<OutsidePerson> {
  try {
    const { claims, algorithm } = await verifyIdToken(call, provider, body.id_token);
    if (!provider.skipNonceCheck) requireNonce(claims, body.nonce);
    requireAccessToken(claims, algorithm, body.access_token);
    return personOf(provider.name, claims);
  } catch (error) {
    if (error instanceof OAuthError) {
      const reason = error.description;
      await audit(call.pool, call, 'login_failed', {}, { provider: provider.name, reason });
    }
    throw error;
  }
}
