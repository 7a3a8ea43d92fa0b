import type { FastifyReply } from 'fastify';

// The checks before passkeys are managed: signed in, not anonymous, and at aal2 if the account has a second factor.

import { z } from 'zod';
import { transaction } from '../database.ts';
import { authError, errors } from '../errors.ts';
import {
  addPasskey,
  fetchCredentialIds,
  fetchPasskeys,
  lockCredential,
  MOST_PASSKEYS,
  markUsed,
  removePasskey,
  renamePasskey,
  storeChallenge,
  takeChallenge,
} from '../factors/passkeys.ts';
import {
  authenticationOptions,
  checkKnown,
  checkNew,
  KnownCredential,
  NewCredential,
  registrationOptions,
  relyingParty,
} from '../factors/webauthn.ts';
import { readBody, readUuid, text } from '../input/parse.ts';
import { notify } from '../mail/notices.ts';
import { requireOwnPassword } from '../passwords/change-password.ts';
import { audit } from '../protection/audit.ts';
import type { Call, Endpoint, Service } from '../service.ts';
import { signIn } from '../sessions/sign-in.ts';
import { type Account, accountById, hasSecondStep } from '../users/account.ts';
import { namedCaller } from './factors.ts';

/** The authenticator's response, not yet verified. */
export const Answer = z.object({ challenge_id: text, credential: z.unknown().optional() });

/** @throws AuthError 404 if passkeys are disabled */
export function requirePasskeys({ context }: Service): void {
  if (!context.settings.auth.passkey.enabled) throw authError('passkeysOff');
}

export async function passkeyOwner(call: Call): Promise<Account> {
  requirePasskeys(call);
  return (await namedCaller(call)).account;
}

/** Adding and removing ways to sign in needs aal2 if the account has a second factor. @throws AuthError */
export async function passkeyManager(call: Call): Promise<Account> {
  requirePasskeys(call);
  const { account, aal } = await namedCaller(call);
  if (hasSecondStep(account) && aal === 'aal1') throw authError('secondStepForPasskeys');
  requireOwnPassword(account);
  return account;
}

export const passkeyIdOf = (call: Call) => readUuid(call, 'passkeyId', 'noSuchPasskey');

/** @returns the challenge that the response answers; @throws AuthError 400 */
export function requireAnswer({ challenge_id: id, credential }: z.output<typeof Answer>): string {
  if (id === '') throw errors.invalid('challenge_id is required');
  if (!z.guid().safeParse(id).success) throw errors.invalid('challenge_id must be a valid UUID');
  if (credential === undefined || credential === null) {
    throw errors.invalid('credential is required');
  }
  return id;
}

// GET /passkeys, PATCH and DELETE /passkeys/{id}. Another user's passkey is a 404, like an unknown one.
const LONGEST_NAME = 120;
const NameBody = z.object({ friendly_name: text });

export const listPasskeys: Endpoint = async (call) => {
  const { id } = await passkeyOwner(call);
  return fetchPasskeys(call.pool, id);
};

export const namePasskey: Endpoint = async (call) => {
  const { id } = await passkeyManager(call);
  const name = readBody(call, NameBody).friendly_name.trim();
  if (name === '') throw errors.invalid('friendly_name is required');
  if (name.length > LONGEST_NAME) {
    throw errors.invalid(`friendly_name must be at most ${LONGEST_NAME} characters`);
  }
  return renamePasskey(call.pool, id, passkeyIdOf(call), name);
};

/** Removes the passkey in the path. @param traits for the audit log */
export async function dropPasskey(
  call: Call,
  account: Account,
  traits = {},
): Promise<FastifyReply> {
  const passkeyId = passkeyIdOf(call);
  await transaction(call.pool, async (db) => {
    await removePasskey(db, account.id, passkeyId);
    await audit(db, call, 'passkey_removed', account, { passkey_id: passkeyId, ...traits });
  });
  notify(call, 'passkey_removed', account);
  return call.reply.code(204).send();
}

export const deletePasskey: Endpoint = async (call) =>
  dropPasskey(call, await passkeyManager(call));

// POST /passkeys/registration/options and …/verify: adds a passkey to the caller's account.
export const passkeyCreationOptions: Endpoint = async (call) => {
  const account = await passkeyManager(call);
  const known = await fetchCredentialIds(call.pool, account.id);
  if (known.length >= MOST_PASSKEYS) throw authError('tooManyPasskeys');
  const options = await registrationOptions(relyingParty(call.context), account, {
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map((id) => ({ id })),
  });
  const stored = await storeChallenge(call, 'registration', account.id, options.challenge);
  return { challenge_id: stored.id, options, expires_at: stored.expiresAt };
};

export const registerPasskey: Endpoint = async (call) => {
  const account = await passkeyManager(call);
  const body = readBody(call, Answer);
  const challengeId = requireAnswer(body);
  const challenge = await takeChallenge(call, 'registration', account.id, challengeId);
  const credential = NewCredential.safeParse(body.credential);
  if (!credential.success) throw authError('badCredential');
  const party = relyingParty(call.context);
  const made = await checkNew(credential.data, { challenge, party, userVerification: true });
  if (made === undefined) throw authError('credentialNotVerified');
  const passkey = await transaction(call.pool, async (db) => {
    const added = await addPasskey(db, account.id, made);
    await audit(db, call, 'passkey_added', account, { passkey_id: added.id });
    return added;
  });
  notify(call, 'passkey_added', account);
  return passkey;
};

// POST /passkeys/authentication/options and …/verify: sign-in with a discoverable passkey.
export const passkeyRequestOptions: Endpoint = async (call) => {
  requirePasskeys(call);
  await call.limits.signIn(call.address);
  const options = await authenticationOptions({
    rpID: relyingParty(call.context).id,
    userVerification: 'required',
  });
  const stored = await storeChallenge(call, 'authentication', null, options.challenge);
  return { challenge_id: stored.id, options, expires_at: stored.expiresAt };
};

export const signInWithPasskey: Endpoint = async (call) => {
  requirePasskeys(call);
  await call.limits.verification(call.address);
  const body = readBody(call, Answer);
  const challenge = await takeChallenge(call, 'authentication', null, requireAnswer(body));
  const parsed = KnownCredential.safeParse(body.credential);
  if (!parsed.success) throw authError('badCredential');
  const credential = parsed.data;
  const party = relyingParty(call.context);
  return signIn(call, 'passkey', async (db) => {
    const known = await lockCredential(db, credential.id);
    if (known === undefined) throw authError('credentialNotVerified');
    const { userHandle } = credential.response;
    const isOwner =
      !userHandle || Buffer.from(userHandle, 'base64url').toString('utf8') === known.userId;
    const count = await checkKnown(credential, known.stored, {
      challenge,
      party,
      userVerification: true,
    });
    if (!isOwner || count === undefined) throw authError('credentialNotVerified');
    const account = await accountById(db, known.userId);
    if (account === undefined) throw authError('credentialNotVerified');
    if (account.confirmed_at === null) throw authError('emailNotConfirmed');
    await markUsed(db, credential.id, count);
    return known.userId;
  });
};
