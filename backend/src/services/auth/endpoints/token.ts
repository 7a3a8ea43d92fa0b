import { decodeJwt, decodeProtectedHeader } from 'jose';
import { z } from 'zod';
import { WELL_KNOWN_ISSUERS } from '../../../settings/external.ts';
import { transaction } from '../database.ts';
import { authError, errors, OAuthError } from '../errors.ts';
import { askToConfirm } from '../identities/arrive.ts';
import { findAccount, linkToAccount, requireLinkingAllowed } from '../identities/find-account.ts';
import { canonicalEmail, validPhone } from '../input/fields.ts';
import { readBody, readQuery, text } from '../input/parse.ts';
import { resolveRedirect } from '../input/redirect.ts';
import { audit } from '../protection/audit.ts';
import { identifyGuesser } from '../protection/caller.ts';
import {
  badToken,
  requireAccessToken,
  requireNonce,
  verifyIdToken,
} from '../providers/id-token.ts';
import {
  enabledProvider,
  KNOWN_NAMES,
  type Provider,
  type ProviderUser,
  providerOfIssuer,
  toProviderUser,
} from '../providers/provider.ts';
import type { Call, Endpoint, Service } from '../service.ts';
import { authenticate } from '../sessions/authenticate.ts';
import { refreshSession } from '../sessions/refresh-session.ts';
import { openSession, sessionObject, signIn } from '../sessions/sign-in.ts';
import { takeCode, tokenFields } from '../tokens/pkce.ts';
import { accountByEmail, accountByPhone } from '../users/account.ts';

const IdTokenBody = z.object({
  id_token: text,
  access_token: text,
  nonce: text,
  provider: text,
  client_id: text,
  issuer: text,
  link_identity: z.boolean().nullish(),
});
type IdTokenBody = z.output<typeof IdTokenBody>;

export const idTokenGrant: Endpoint = async (call) => {
  const body = readBody(call, IdTokenBody);
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
  if ('toConfirm' in outcome) return askToConfirm(call, person, outcome, resolveRedirect(call));
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

async function link(call: Call, provider: Provider, body: IdTokenBody): Promise<unknown> {
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
  { provider: name, issuer, client_id: clientId, id_token: idToken }: IdTokenBody,
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

async function personOfToken(
  call: Call,
  provider: Provider,
  body: IdTokenBody,
): Promise<ProviderUser> {
  try {
    const { claims, algorithm } = await verifyIdToken(call, provider, body.id_token);
    if (!provider.skipNonceCheck) requireNonce(claims, body.nonce);
    requireAccessToken(claims, algorithm, body.access_token);
    return toProviderUser(provider.name, claims);
  } catch (error) {
    if (error instanceof OAuthError) {
      const reason = error.description;
      await audit(call.pool, call, 'login_failed', {}, { provider: provider.name, reason });
    }
    throw error;
  }
}

// grant_type=password. An unknown account gets the response of a wrong password, after the same amount of work.
const PasswordBody = z.object({ email: text, phone: text, password: text });

const passwordGrant: Endpoint = async (call) => {
  const body = readBody(call, PasswordBody);
  if (body.email !== '' && body.phone !== '') {
    throw errors.invalid('Only an email address or phone number should be provided on login.');
  }
  const { email: mails, sms } = call.context.settings.auth;
  const isPhone = body.phone !== '';
  if (!isPhone && body.email === '') throw errors.invalid('missing email or phone');
  if (isPhone && !sms.enable_signup) throw authError('phoneLoginsDisabled');
  if (!isPhone && !mails.enable_signup) throw authError('emailLoginsDisabled');

  const address = isPhone ? validPhone(body.phone) : canonicalEmail(body.email);
  await call.limits.signIn(call.address);
  const guesser = await identifyGuesser(call, address);
  await call.limits.passwords.requireOpen(guesser);
  const find = isPhone ? accountByPhone : accountByEmail;
  const account = await find(call.pool, address);
  const isRight = await call.passwords.matches(body.password, account?.password_hash ?? null);
  if (account === undefined || !isRight) {
    const actor = { id: account?.id, email: account?.email };
    await audit(call.pool, call, 'login_failed', actor);
    await call.limits.passwords.wrong(guesser);
    throw authError('wrongCredentials');
  }
  // Checked again: of many concurrent guesses, the right one must not succeed after too many wrong ones.
  await call.limits.passwords.requireOpen(guesser);
  if (account.is_banned) throw errors.banned(400);
  if (isPhone && account.phone_confirmed_at === null) throw authError('phoneNotConfirmed');
  if (!isPhone && account.email_confirmed_at === null) throw authError('emailNotConfirmed');

  const session = await signIn(call, 'password', async () => account.id);
  await call.limits.passwords.right(guesser);
  const weak = call.passwords.weakness(body.password);
  return weak === undefined ? session : { ...session, weak_password: weak };
};

// grant_type=pkce: exchanges the code of a link or of a provider's callback for a session.
const PkceBody = z.object({ auth_code: text, code_verifier: text });
const pkceGrant: Endpoint = async (call) => {
  const { auth_code: code, code_verifier: verifier } = readBody(call, PkceBody);
  if (code === '' || verifier === '') {
    throw errors.invalid('invalid request: both auth code and code verifier should be non-empty');
  }
  await call.limits.verification(call.address);
  const { opened, tokens } = await transaction(call.pool, async (db) => {
    const { userId, authenticationMethod, tokens } = await takeCode(db, code, verifier);
    return { opened: await openSession(db, call, userId, authenticationMethod), tokens };
  });
  const object = await sessionObject(call, opened);
  return { ...object, ...tokenFields(tokens) };
};

// grant_type=refresh_token
const RefreshBody = z.object({ refresh_token: text });

const refreshGrant: Endpoint = async (call) => {
  const body = readBody(call, RefreshBody);
  if (body.refresh_token === '') throw new OAuthError('invalid_request', 'refresh_token required');
  await call.limits.refresh(call.address);
  return refreshSession(call, body.refresh_token);
};

// grant_type=web3, which is not offered: refused with GoTrue's errors.
const CHAINS = new Map([
  ['solana', 'Solana'],
  ['ethereum', 'Ethereum'],
]);
const Web3 = z.object({ chain: text });

const web3Grant: Endpoint = async (call) => {
  const { chain } = readBody(call, Web3);
  const name = CHAINS.get(chain);
  if (name === undefined) throw authError('unknownChain');
  throw errors.web3Disabled(name);
};

// POST /token: dispatches by `grant_type`.
const GRANTS = new Map<string, Endpoint>([
  ['password', passwordGrant],
  ['refresh_token', refreshGrant],
  ['pkce', pkceGrant],
  ['id_token', idTokenGrant],
  ['web3', web3Grant],
]);

export const token: Endpoint = async (call) => {
  const grant = GRANTS.get(readQuery(call, 'grant_type'));
  if (grant === undefined) throw authError('unsupportedGrant');
  return grant(call);
};
