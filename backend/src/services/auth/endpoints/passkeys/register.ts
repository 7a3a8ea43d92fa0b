// POST /passkeys/registration/options and …/verify: adds a passkey to the caller's account.
import { transaction } from '../../database.ts';
import { passkeyRefusals } from '../../errors/second-factors.ts';
import { readBody } from '../../input/json.ts';
import { notify } from '../../mail/notify.ts';
import { audit } from '../../protection/audit.ts';
import type { Endpoint } from '../../service.ts';
import { checkNew } from '../../webauthn/check.ts';
import { NewCredential } from '../../webauthn/credential.ts';
import {
  addPasskey,
  credentialIdsOf,
  keepChallenge,
  MOST_PASSKEYS,
  takeChallenge,
} from '../../webauthn/passkeys.ts';
import { registrationOptions } from '../../webauthn/registration-options.ts';
import { relyingParty } from '../../webauthn/relying-party.ts';
import { Answer, passkeyManager, requireAnswer } from './caller.ts';

export const passkeyCreationOptions: Endpoint = async (service, request) => {
  const account = await passkeyManager(service, request);
  const known = await credentialIdsOf(service.pool, account.id);
  if (known.length >= MOST_PASSKEYS) throw passkeyRefusals.tooMany();
  const options = await registrationOptions(relyingParty(service.context), account, {
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map((id) => ({ id })),
  });
  const kept = await keepChallenge(service, 'registration', account.id, options.challenge);
  return { challenge_id: kept.id, options, expires_at: kept.expiresAt };
};

export const registerPasskey: Endpoint = async (service, request) => {
  const account = await passkeyManager(service, request);
  const body = readBody(request, Answer);
  const challengeId = requireAnswer(body);
  const challenge = await takeChallenge(service, 'registration', account.id, challengeId);
  const credential = NewCredential.safeParse(body.credential);
  if (!credential.success) throw passkeyRefusals.badCredential();
  const party = relyingParty(service.context);
  const made = await checkNew(credential.data, { challenge, party, userVerification: true });
  if (made === undefined) throw passkeyRefusals.notVerified();
  const passkey = await transaction(service.pool, async (db) => {
    const added = await addPasskey(db, account.id, made);
    await audit(db, request, 'passkey_added', account, { passkey_id: added.id });
    return added;
  });
  notify(service, request, 'passkey_added', account);
  return passkey;
};
