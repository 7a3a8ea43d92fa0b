// Checks what an authenticator answered to a challenge. Whatever is wrong about it, the caller learns only that it is.
import {
  type VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { KnownCredential, NewCredential, StoredCredential } from './credential.ts';
import type { RelyingParty } from './relying-party.ts';

export type Registration = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

export interface Expected {
  challenge: string;
  party: RelyingParty;
  /** Whether the device must have recognised its owner, by finger, face or PIN. */
  userVerification: boolean;
}

/** @returns the new credential, undefined when the answer is not good */
export async function checkNew(
  { response, ...credential }: NewCredential,
  { challenge, party, userVerification }: Expected,
): Promise<Registration | undefined> {
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origins,
      expectedRPID: party.id,
      requireUserVerification: userVerification,
    });
    return registrationInfo;
  } catch {
    // The library throws for every answer that is not good, and reads nothing else.
    return undefined;
  }
}

/** @returns the credential's new counter, undefined when the answer is not good */
export async function checkKnown(
  { response, ...credential }: KnownCredential,
  stored: StoredCredential,
  { challenge, party, userVerification }: Expected,
): Promise<number | undefined> {
  const { userHandle, ...rest } = response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, response: rest, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: party.origins,
      expectedRPID: party.id,
      requireUserVerification: userVerification,
      credential: {
        id: stored.id,
        publicKey: new Uint8Array(Buffer.from(stored.public_key, 'base64url')),
        counter: stored.sign_count,
        transports: stored.transports,
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
