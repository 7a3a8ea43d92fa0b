import { generateRegistrationOptions } from '@simplewebauthn/server';
import type { Account } from '../users/account.ts';
import type { RelyingParty } from './relying-party.ts';

/** ES256 and RS256: every authenticator supports one of them. */
const ALGORITHMS = [-7, -257];

type Options = Parameters<typeof generateRegistrationOptions>[0];

/** Options with which the browser creates a credential, for passkeys and for second factors. */
export const registrationOptions = (
  party: RelyingParty,
  account: Account,
  options: Pick<Options, 'authenticatorSelection' | 'excludeCredentials'>,
) =>
  generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    userID: new TextEncoder().encode(account.id),
    userName: account.email || account.phone,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    ...options,
  });
