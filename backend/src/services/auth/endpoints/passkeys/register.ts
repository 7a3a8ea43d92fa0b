// POST /passkeys/registration/options and …/verify: adds a passkey to the caller's account.
import { generateRegistrationOptions } from '@simplewebauthn/server';
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
import { relyingParty } from '../../webauthn/relying-party.ts';
import { Answer, passkeyManager, requireAnswer } from './caller.ts';

/** ES256 and RS256: every authenticator supports one of them. */
const ALGORITHMS = [-7, -257];

export const passkeyCreationOptions: Endpoint = async (service, request) => {
  const account = await passkeyManager(service, request);
  const known = await credentialIdsOf(service.pool, account.id);
  if (known.length >= MOST_PASSKEYS) throw passkeyRefusals.tooMany();
  const party = relyingParty(service.context);
  const options = await generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    userID: new TextEncoder().encode(account.id),
    userName: account.email || account.phone,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
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
