import { z } from 'zod';
import { transaction } from '../database.ts';
import { authError, errors, OAuthError } from '../errors.ts';
import { canonicalEmail, validPhone } from '../input/fields.ts';
import { queryOf, readBody, text } from '../input/parse.ts';
import { audit } from '../protection/audit.ts';
import { addressOf, guesserOf } from '../protection/caller.ts';
import type { Endpoint } from '../service.ts';
import { refreshSession } from '../sessions/refresh-session.ts';
import { openSession, sessionObject, signIn } from '../sessions/sign-in.ts';
import { takeCode, tokenFields } from '../tokens/pkce.ts';
import { accountByEmail, accountByPhone } from '../users/account.ts';
import { idTokenGrant } from './id-token-grant.ts';

// grant_type=password. An unknown account gets the response of a wrong password, after the same amount of work.
const PasswordBody = z.object({ email: text, phone: text, password: text });

const passwordGrant: Endpoint = async (service, request) => {
  const body = readBody(request, PasswordBody);
  if (body.email !== '' && body.phone !== '') {
    throw errors.invalid('Only an email address or phone number should be provided on login.');
  }
  const { email: mails, sms } = service.context.settings.auth;
  const isPhone = body.phone !== '';
  if (!isPhone && body.email === '') throw errors.invalid('missing email or phone');
  if (isPhone && !sms.enable_signup) throw authError('phoneLoginsDisabled');
  if (!isPhone && !mails.enable_signup) throw authError('emailLoginsDisabled');

  const address = isPhone ? validPhone(body.phone) : canonicalEmail(body.email);
  await service.limits.signIn(addressOf(request));
  const guesser = await guesserOf(service.pool, request, address);
  await service.limits.passwords.requireOpen(guesser);
  const find = isPhone ? accountByPhone : accountByEmail;
  const account = await find(service.pool, address);
  const isRight = await service.passwords.matches(body.password, account?.password_hash ?? null);
  if (account === undefined || !isRight) {
    const actor = { id: account?.id, email: account?.email };
    await audit(service.pool, request, 'login_failed', actor);
    await service.limits.passwords.wrong(guesser);
    throw authError('wrongCredentials');
  }
  // Checked again: of many concurrent guesses, the right one must not succeed after too many wrong ones.
  await service.limits.passwords.requireOpen(guesser);
  if (account.is_banned) throw errors.banned(400);
  if (isPhone && account.phone_confirmed_at === null) throw authError('phoneNotConfirmed');
  if (!isPhone && account.email_confirmed_at === null) throw authError('emailNotConfirmed');

  const session = await signIn(service, request, 'password', async () => account.id);
  await service.limits.passwords.right(guesser);
  const weak = service.passwords.weakness(body.password);
  return weak === undefined ? session : { ...session, weak_password: weak };
};

// grant_type=pkce: exchanges the code of a link or of a provider's callback for a session.
const PkceBody = z.object({ auth_code: text, code_verifier: text });
const pkceGrant: Endpoint = async (service, request) => {
  const { auth_code: code, code_verifier: verifier } = readBody(request, PkceBody);
  if (code === '' || verifier === '') {
    throw errors.invalid('invalid request: both auth code and code verifier should be non-empty');
  }
  await service.limits.verification(addressOf(request));
  const { opened, tokens } = await transaction(service.pool, async (db) => {
    const { userId, authenticationMethod, tokens } = await takeCode(db, code, verifier);
    return { opened: await openSession(db, request, userId, authenticationMethod), tokens };
  });
  const { account, session, proof } = opened;
  const object = await sessionObject(service.context, account, session, proof);
  return { ...object, ...tokenFields(tokens) };
};

// grant_type=refresh_token
const RefreshBody = z.object({ refresh_token: text });

const refreshGrant: Endpoint = async (service, request) => {
  const body = readBody(request, RefreshBody);
  if (body.refresh_token === '') throw new OAuthError('invalid_request', 'refresh_token required');
  await service.limits.refresh(addressOf(request));
  return refreshSession(service, request, body.refresh_token);
};

// grant_type=web3, which is not offered: refused with GoTrue's errors.
const CHAINS = new Map([
  ['solana', 'Solana'],
  ['ethereum', 'Ethereum'],
]);
const Web3 = z.object({ chain: text });

const web3Grant: Endpoint = async (_service, request) => {
  const { chain } = readBody(request, Web3);
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

export const token: Endpoint = async (service, request, reply) => {
  const grant = GRANTS.get(queryOf(request, 'grant_type'));
  if (grant === undefined) throw authError('unsupportedGrant');
  return grant(service, request, reply);
};
