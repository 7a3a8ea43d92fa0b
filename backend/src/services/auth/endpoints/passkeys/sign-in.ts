// POST /passkeys/authentication/options and …/verify: sign-in with a discoverable passkey.
import { generateAuthenticationOptions } from '@simplewebauthn/server';
import { refusals } from '../../errors/catalogue.ts';
import { passkeyRefusals } from '../../errors/second-factors.ts';
import { readBody } from '../../input/json.ts';
import { addressOf } from '../../protection/address.ts';
import type { Endpoint } from '../../service.ts';
import { signIn } from '../../sessions/sign-in.ts';
import { accountById } from '../../users/account.ts';
import { checkKnown } from '../../webauthn/check.ts';
import { KnownCredential } from '../../webauthn/credential.ts';
import { keepChallenge, lockCredential, markUsed, takeChallenge } from '../../webauthn/passkeys.ts';
import { relyingParty } from '../../webauthn/relying-party.ts';
import { Answer, requireAnswer, requirePasskeys } from './caller.ts';

export const passkeyRequestOptions: Endpoint = async (service, request) => {
  requirePasskeys(service);
  await service.limits.signIn(addressOf(request));
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(service.context).id,
    userVerification: 'required',
  });
  const kept = await keepChallenge(service, 'authentication', null, options.challenge);
  return { challenge_id: kept.id, options, expires_at: kept.expiresAt };
};

export const signInWithPasskey: Endpoint = async (service, request) => {
  requirePasskeys(service);
  await service.limits.verification(addressOf(request));
  const body = readBody(request, Answer);
  const challenge = await takeChallenge(service, 'authentication', null, requireAnswer(body));
  const parsed = KnownCredential.safeParse(body.credential);
  if (!parsed.success) throw passkeyRefusals.badCredential();
  const credential = parsed.data;
  const party = relyingParty(service.context);
  return signIn(service, request, 'passkey', async (db) => {
    const known = await lockCredential(db, credential.id);
    if (known === undefined) throw passkeyRefusals.notVerified();
    const { userHandle } = credential.response;
    const isOwner =
      !userHandle || Buffer.from(userHandle, 'base64url').toString('utf8') === known.userId;
    const count = await checkKnown(credential, known.stored, {
      challenge,
      party,
      userVerification: true,
    });
    if (!isOwner || count === undefined) throw passkeyRefusals.notVerified();
    const account = await accountById(db, known.userId);
    if (account === undefined) throw passkeyRefusals.notVerified();
    if (account.confirmed_at === null) throw refusals.emailNotConfirmed();
    await markUsed(db, credential.id, count);
    return known.userId;
  });
};
